"""The published JSON Schemas: what they accept, and what may change in them."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from kcb_core.codec import Json, encode, parse
from kcb_core.documents import DOCUMENTS
from kcb_core.report import TaskReport
from kcb_core.run_record import Cost, RunRecord, Usage
from kcb_core.schemas import Published, breaking_changes, schema_of
from kcb_core.testing.strategies import reports
from kcb_core.testing.values import plugin_giving, small_trial

GOLDEN = Path(__file__).parent / "golden"
RELEASED = GOLDEN / "schemas"
Run = Callable[..., Any]

by_kind = pytest.mark.parametrize("published", DOCUMENTS, ids=lambda one: one.kind)


def find_published(kind: str) -> Published:
    """One of the kinds that kcb-core itself publishes."""
    return next(one for one in DOCUMENTS if one.kind == kind)


def validator(kind: str) -> jsonschema.Draft202012Validator:
    """A validator that knows nothing but the published schema."""
    schema = schema_of(find_published(kind))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def changed(kind: str, part: str, change: Callable[[Any], object]) -> tuple[Json, Json]:
    """A schema, and the same with a change of one of its parts."""
    old = schema_of(find_published(kind))
    new = copy.deepcopy(old)
    change(new["$defs"][part])
    return old, new


@by_kind
def test_every_kind_has_a_schema_of_its_own(published: Published) -> None:
    """It says which kind and which version it is of, so that no other document fits."""
    made = schema_of(published)
    validator(published.kind)
    document = made["$defs"][published.type.__name__]
    assert document["properties"]["kind"] == {"const": published.kind}
    assert document["properties"][published.field] == {"const": published.version}
    assert '"null"' not in json.dumps(made)


@pytest.mark.parametrize("kind", ["task-report", "trial-report"])
def test_nothing_but_optional_fields_was_added_since_the_release(kind: str) -> None:
    """Old readers still work. Anything else raises the version, with a new file here."""
    published = find_published(kind)
    released = RELEASED / f"{published.kind}-v{published.version}.json"
    assert released.exists(), f"store what 'klein-bench schema {published.kind}' prints"
    assert breaking_changes(parse(released.read_bytes()), schema_of(published)) == ()


@pytest.mark.parametrize("name", ["report-v1.json", "report-v1-void.json"])
def test_golden_task_reports_fit(name: str) -> None:
    """The schema describes what is stored, and not what somebody remembers of it."""
    validator("task-report").validate(parse((GOLDEN / name).read_bytes()))


def test_golden_trial_report_fits() -> None:
    """The same of the contract between tools."""
    validator("trial-report").validate(parse((GOLDEN / "trial-report-v1.json").read_bytes()))
    validator("trial-report").validate(parse(encode(small_trial())))


@given(reports())
@settings(max_examples=20)
def test_every_task_report_fits(report: TaskReport) -> None:
    """Whatever can be in one."""
    validator("task-report").validate(parse(encode(report)))


def test_run_record_fits_with_and_without_its_kind() -> None:
    """People leave it out; an unknown field is refused as the reader refuses it."""
    record = RunRecord(seed=7, tools=(), usage=Usage(input_tokens=1), cost=Cost(dollars=0.5))
    document = parse(encode(record))
    validator("run-record").validate(document)
    validator("run-record").validate({"kind": "run-record", "format": 1} | document)
    for wrong in ({"sead": 7}, {"kind": "score"}, {"usage": {"input_tokens": -1}}, {"seed": None}):
        assert not validator("run-record").is_valid(document | wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "task-report"}, {"report_version": 2}, {"status": "error"}, {"model": None},
        {"repetition": -1}, {"level": 3}, {"checks": []}, {"tool": ""}, {"bounds": 7},
        {"checks": [{"check": "a", "status": "failed", "reason": "", "code": "oops"}]},
    ],
)  # fmt: skip
def test_what_the_reader_refuses_does_not_fit(wrong: dict[str, Json]) -> None:
    """A tool's author tests against the schema alone."""
    document = parse(encode(small_trial()))
    validator("trial-report").validate(document)
    assert not validator("trial-report").is_valid(document | wrong)


def test_a_new_optional_field_is_no_breaking_change() -> None:
    """And neither are other words about a field."""

    def grow(part: dict[str, Any]) -> None:
        part["properties"]["mood"] = {"type": "string"}
        part["description"] = "Something else."

    for part in ("TrialReport", "CheckOutcome"):
        assert breaking_changes(*changed("trial-report", part, grow)) == ()


@pytest.mark.parametrize(
    ("part", "change", "found"),
    [
        ("TrialReport", lambda p: p["properties"].pop("usage"), "document: field 'usage' was "
         "removed"),
        ("CheckOutcome", lambda p: p["properties"].pop("channel"),
         "document.checks: items: field 'channel' was removed"),
        ("TrialReport", lambda p: p["properties"].update(drill={"type": "integer"}),
         "document.drill: type: 'string' became 'integer'"),
        ("TrialStatus", lambda p: p["enum"].append("lost"), "document.status: enum: "),
        ("TrialReport", lambda p: p["required"].append("usage"), "document: field 'usage' became "
         "required"),
        ("TrialReport", lambda p: p["required"].remove("status"), "document: field 'status' became "
         "optional"),
        ("TrialReport", lambda p: (p["properties"].update(mood={}), p["required"].append("mood")),
         "document: the new field 'mood' is required"),
        ("TrialReport", lambda p: p["properties"]["wall_s"].update(default=1.0),
         "document.wall_s: default: 0.0 became 1.0"),
        ("TrialReport", lambda p: p["properties"]["repetition"].pop("minimum"),
         "document.repetition: minimum: 0 became None"),
    ],
)  # fmt: skip
def test_every_other_change_is_named(
    part: str, change: Callable[[Any], object], found: str
) -> None:
    """The check itself works: each kind of change that an old reader stumbles over is found."""
    assert any(one.startswith(found) for one in breaking_changes(*changed("trial-report", part,
                                                                          change)))  # fmt: skip


def test_command_prints_one_schema_or_lists_the_kinds(klein_bench: Run) -> None:
    """What is published can be had from an installation, offline."""
    done = klein_bench("schema", "trial-report")
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out) == schema_of(find_published("trial-report"))
    listed = klein_bench("schema").out.splitlines()
    assert listed[0] == "kind\tfield\tversion"
    assert "task-report\treport_version\t1" in listed
    kinds = json.loads(klein_bench("schema", "--json").out)
    assert {"kind": "task-report", "report_version": 1} in kinds
    assert [one["kind"] for one in kinds] == sorted(one.kind for one in DOCUMENTS)


def test_a_package_publishes_its_own_kinds(klein_bench: Run) -> None:
    """By a hook, so that a stranger's documents can be checked like the house's own."""
    energy = Published(kind="energy", type=Cost, version=3)
    plugins = [("energy", plugin_giving(documents=[energy]))]
    done = klein_bench("schema", "energy", plugins=plugins)
    assert json.loads(done.out)["$defs"]["Cost"]["properties"]["format"] == {"const": 3}
    assert "energy\tformat\t3" in klein_bench("schema", plugins=plugins).out
    twice = klein_bench("schema", plugins=[*plugins, ("b", plugin_giving(documents=[energy]))])
    assert (twice.status, twice.out) == (2, "")
    assert "energy" in twice.err


def test_command_holds_files_against_the_program(klein_bench: Run, tmp_path: Path) -> None:
    """A folder of schemas that is not current is named, file by file."""
    folder = tmp_path / "schemas"
    assert klein_bench("schema", "--output", folder, "--check").status == 1
    assert not folder.exists()
    written = klein_bench("schema", "-o", folder)
    assert written.out.splitlines() == [
        str(folder / f"{kind}.json") for kind in sorted(one.kind for one in DOCUMENTS)
    ]
    assert klein_bench("schema", "-o", folder, "--check").status == 0
    assert klein_bench("schema", "-o", folder).out == ""
    (folder / "score.json").write_text("{}")
    done = klein_bench("schema", "-o", folder, "--check")
    assert (done.status, done.out) == (1, "")
    assert f"{folder / 'score.json'} is not what" in done.err
    assert klein_bench("schema", "score", "-o", folder).out == f"{folder / 'score.json'}\n"


def test_wrong_invocation_says_what_is_wrong(klein_bench: Run) -> None:
    """The nearest kind is named, and an option that would do nothing is refused."""
    done = klein_bench("schema", "trail-report")
    assert (done.status, done.out) == (2, "")
    assert "did you mean 'trial-report'?" in done.err
    assert klein_bench("schema", "--check").status == 2
