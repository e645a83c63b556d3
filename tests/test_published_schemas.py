"""The schemas and examples in the documentation are those of the program."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kcb_core.catalog import load_catalog
from kcb_core.codec import encode, parse, parse_by_name
from kcb_core.run_record import missing_fields, read_making
from kcb_core.schemas import Published, schema_of
from kcb_core.trial import read_trial

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
SCHEMAS = REFERENCE / "schemas"
PUBLISHED = load_catalog(third_party=False).documents()


def example(page: str, title: str, folder: Path) -> Path:
    """The block of a page with this title, as a file."""
    found = re.search(
        rf'^```\w+ title="{re.escape(title)}"\n(.*?)^```$',
        (REFERENCE / page).read_text(),
        re.MULTILINE | re.DOTALL,
    )
    assert found is not None, f"{page} has no block {title}"
    path = folder / title
    path.write_text(found[1])
    return path


def published(kind: str) -> Any:
    """A schema as the documentation has it."""
    return parse((SCHEMAS / f"{kind}.json").read_bytes())


@pytest.mark.parametrize("one", PUBLISHED, ids=lambda one: one.kind)
def test_schema_is_current(one: Published) -> None:
    """``klein-bench schema --output docs/reference/schemas`` writes them anew."""
    assert (SCHEMAS / f"{one.kind}.json").read_bytes() == encode(schema_of(one))


def test_every_schema_is_listed() -> None:
    """On the page of formats, and none that is gone."""
    kinds = [one.kind for one in PUBLISHED]
    text = (REFERENCE / "formats.md").read_text()
    assert re.findall(r"\]\(schemas/(.+)\.json\)", text) == kinds
    assert sorted(path.stem for path in SCHEMAS.iterdir()) == sorted(kinds)


def test_example_of_a_trial_report_is_one(tmp_path: Path) -> None:
    """By the published schema, and by the reader with its rules."""
    path = example("trial-reports.md", "trial.json", tmp_path)
    jsonschema.validate(parse(path.read_bytes()), published("trial-report"))
    report = read_trial(path, [code.code for code in load_catalog().fault_codes()])
    assert {str(check.fault) for check in report.checks if check.fault} == {"tool", "agent"}


def test_example_of_a_run_record_is_one(tmp_path: Path) -> None:
    """And leaves little unknown: the page shows what can be said."""
    path = example("run-records.md", "record.toml", tmp_path)
    value = parse_by_name(path.read_bytes(), source=str(path))
    jsonschema.validate(value, published("run-record"))
    missing = missing_fields(read_making(path).record)
    assert [name for name in missing if "." not in name] == ["preamble_sha256", "stop_reason"]


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "experiments").glob("*.toml")))
def test_every_example_of_a_spec_fits(path: Path) -> None:
    """An editor that has the schema and nothing else must not find fault with a right spec."""
    value = parse_by_name(path.read_bytes(), source=str(path))
    jsonschema.validate(value, published("experiment-spec"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "experiment-spec"}, {"repetitons": 2}, {"subjects": {}}, {"budget": None},
        {"budget": {"tokens": "many"}}, {"subjects": [{"name": "a"}]},
        {"subjects": [{"name": "a", "agent": "b", "options": {"turns": 8}}]},
    ],
)  # fmt: skip
def test_what_the_reader_of_specs_refuses_does_not_fit(wrong: dict[str, Any]) -> None:
    """Fields that are unknown, of another type, or missing."""
    path = ROOT / "examples" / "experiments" / "single.toml"
    value = parse_by_name(path.read_bytes(), source=str(path))
    schema = published("experiment-spec")
    jsonschema.validate(value, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value | wrong, schema)


def test_reference_lists_the_codes_of_the_house() -> None:
    """Those of every report, and those of drills, with their meaning."""
    pages = [(REFERENCE / name).read_text() for name in ("trial-reports.md", "drills.md")]
    rows = [row for page in pages for row in re.findall(r"^\| `(ERR_\w+)` \| (.+) \|$", page, re.M)]
    codes = load_catalog(third_party=False).fault_codes()
    assert sorted(rows) == sorted((code.code, code.summary) for code in codes)


@pytest.mark.flow
def test_a_report_as_it_is_made_fits_and_is_stamped(tmp_path: Path) -> None:
    """What judged it, by which data and protocol; and how the project was made."""
    task = "kcb-easy-049-cache-simulator"
    record = example("run-records.md", "record.toml", tmp_path)
    command = Path(sys.executable).with_name("klein-bench")
    words = ("evaluate", task, "--solution", ROOT / "examples" / "projects" / task)
    paths = ("--output", tmp_path / "report.json", "--record", record)
    done = subprocess.run([command, *words, *paths], capture_output=True, timeout=120, check=False)
    assert done.returncode in (0, 1), done.stderr
    report = json.loads((tmp_path / "report.json").read_bytes())
    jsonschema.validate(report, published("task-report"))
    jsonschema.validate(report["run_record"], published("run-record"))
    evaluator, dataset = report["evaluator"], report["dataset"]
    assert evaluator["version"]
    assert evaluator.get("commit") or evaluator.get("record_sha256")
    assert re.fullmatch("[0-9a-f]{64}", dataset["manifest_sha256"])
    assert report["protocol_version"]
    assert report["run_record"]["usage"]["cache_read_tokens"] == 0
    assert report["run_record"]["cost"]["lower_bound"] is True
    assert "usage.reasoning_tokens" in report["missing_fields"]
    shown = subprocess.run([command, "show", record], capture_output=True, timeout=60, check=True)
    assert b"not known: " in shown.stdout
