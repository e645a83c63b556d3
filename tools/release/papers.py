"""The papers of a release: card, catalogue, summary, bill of materials, checksums."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from release.archives import digests
from release.installing import Environment, StepError

BILL = "sbom.cdx.json"
CARD = "dataset-card.md"
CATALOGUE = "catalogue.md"
SUMMARY = "validation-summary.json"
CHECKSUMS = "SHA256SUMS"

BILL_TIMEOUT_S = 300


def write_card(environment: Environment, work: Path, papers: Path) -> str:
    """The card of the installed dataset, as it is published with the data."""
    export = work / "export"
    words = ("export", "--no-parquet", "--output", export)
    environment.run("klein-bench", *words, folder=work)
    card = (export / "README.md").read_bytes()
    (papers / CARD).write_bytes(card)
    return f"{CARD}: {len(card.splitlines())} lines"


def write_catalogue(environment: Environment, tree: Path, work: Path, papers: Path) -> str:
    """The catalogue of the installed families, which must be that of the documentation."""
    words = ("catalogue", "--output", papers / CATALOGUE)
    environment.run("klein-bench", *words, folder=work)
    written = (papers / CATALOGUE).read_bytes()
    if written != (tree / "docs/reference" / CATALOGUE).read_bytes():
        raise StepError(f"docs/reference/{CATALOGUE} is not what the built packages give")
    return f"{CATALOGUE}: that of the documentation"


def compare_summaries(fresh: Path, published: Path) -> str:
    """The published summary must be of the data that were validated just now.

    Raises:
        StepError: it is of others, or came to something else.
    """
    new, old = (json.loads(path.read_text("utf-8")) for path in (fresh, published))
    identity = ("name", "version", "manifest_sha256", "totals")
    for part in identity:
        if new["dataset"].get(part) != old["dataset"].get(part):
            raise StepError(f"{published.name} is published of another dataset: {part} differs")
    if new["tiers"] != old["tiers"]:
        raise StepError(f"{published.name} is published with other findings")
    return f"{SUMMARY}: of the published dataset, with the published findings"


def write_bill(environment: Environment, umbrella: Path, papers: Path) -> str:
    """A CycloneDX bill of all that is installed, whole and valid.

    Args:
        environment: what is billed.
        umbrella: the pyproject.toml of the package that everything was installed for.
        papers: where the bill goes.
    """
    path = papers / BILL
    asked = ("environment", "--output-reproducible", "--validate", f"--pyproject={umbrella}")
    command = [sys.executable, "-m", "cyclonedx_py", *asked, f"--output-file={path}"]
    subprocess.run(
        [*command, str(environment.programs / "python")], check=True, timeout=BILL_TIMEOUT_S
    )
    billed = read_bill(json.loads(path.read_text("utf-8")))
    require_whole(billed, environment.distributions())
    return f"{BILL}: {len(billed)} components"


def read_bill(bill: Mapping[str, Any]) -> dict[str, str]:
    """Version of each component of a bill, by name, the billed one included."""
    root = bill["metadata"]["component"]
    return {each["name"]: each.get("version", "") for each in (root, *bill["components"])}


def require_whole(billed: Mapping[str, str], installed: Mapping[str, str]) -> None:
    """A bill names what is installed, and nothing else.

    Raises:
        StepError: something is missing, too many, or of another version.
    """
    unlike = billed.items() ^ installed.items()
    if unlike:
        names = sorted({name for name, _ in unlike})
        raise StepError(f"the bill of materials is not what is installed: {', '.join(names)}")


def write_checksums(dist: Path, papers: Path) -> str:
    """SHA-256 of every archive and paper, in the form that ``sha256sum --check`` reads."""
    sums = {**digests(dist), **{f"{papers.name}/{k}": v for k, v in digests(papers).items()}}
    (papers / CHECKSUMS).write_text("".join(f"{v}  {k}\n" for k, v in sorted(sums.items())))
    return f"{CHECKSUMS}: {len(sums)} files"
