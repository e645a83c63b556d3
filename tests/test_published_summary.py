"""The published validation summary is of the shipped dataset, whole, and says that it is valid."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from kcb_core.canary import CANARY
from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import Manifest, open_dataset
from kcb_core.validation import ValidationSummary, read_validation

PUBLISHED = Path(__file__).parent.parent / "docs/reference/validation-summary.json"
AGAIN = f"klein-bench validate --cheats --agreement=2000 --output docs/reference/{PUBLISHED.name}"


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    """What the shipped dataset is."""
    return open_dataset(open_source(load_catalog(), "kcb").folder).manifest


@pytest.fixture(scope="module")
def summary() -> ValidationSummary:
    """What is published of it."""
    return read_validation(PUBLISHED)


def faults(summary: ValidationSummary, manifest: Manifest) -> Iterator[str]:
    """Where a summary is not the full validation of a dataset, or found anything wrong."""
    stamp = summary.dataset
    if (stamp.version, stamp.manifest_sha256) != (manifest.version, manifest.sha256):
        yield "of another dataset"
    if not summary.passed:
        yield "not valid"
    if summary.canary != CANARY:
        yield "no canary"
    counts = [(t.subset, t.tasks, t.scenarios, t.assertions) for t in summary.tiers]
    if counts != [(f.subset, len(f.tasks), f.scenarios, f.assertions) for f in manifest.files]:
        yield "other totals"
    for tier in summary.tiers:
        if not tier.cheats_failed or set(tier.cheats_failed.values()) != {tier.tasks}:
            yield f"{tier.subset}: cheats were not tried, or did not fail"


def test_the_published_summary_is_of_the_shipped_dataset(
    summary: ValidationSummary, manifest: Manifest
) -> None:
    """A summary of other data would vouch for what nobody has validated."""
    assert [*faults(summary, manifest)] == [], f"write it anew: {AGAIN}"


def test_each_fault_of_a_summary_is_found(summary: ValidationSummary, manifest: Manifest) -> None:
    """The check itself works."""
    change = msgspec.structs.replace
    first = summary.tiers[0]
    assert [*faults(summary, change(manifest, seed=manifest.seed + 1))] == ["of another dataset"]
    for changes, found in (
        ({"problems": ("x",)}, "not valid"),
        ({"canary": ""}, "no canary"),
        ({"tiers": summary.tiers[1:]}, "other totals"),
        ({"tiers": (change(first, assertions=1), *summary.tiers[1:])}, "other totals"),
        ({"tiers": (change(first, cheats_failed={}), *summary.tiers[1:])}, f"{first.subset}: "),
    ):
        (fault,) = faults(change(summary, **changes), manifest)
        assert fault.startswith(found)
