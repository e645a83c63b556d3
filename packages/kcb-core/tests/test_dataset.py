"""Datasets: reading and verifying."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from kcb_core.codec import Json, canonical, digest, parse
from kcb_core.dataset import (
    Dataset,
    Manifest,
    data_file,
    decode_record,
    encode_record,
    open_dataset,
)
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.task import Scenario, Session, Task
from kcb_core.testing.strategies import tasks
from kcb_core.testing.values import small_task, write_dataset

Change = Callable[[dict[str, Any]], object]


def change_manifest(dataset: Dataset, change: Change) -> Path:
    """Change the stored manifest of a dataset."""
    path = dataset.folder / "manifest.json"
    document = parse(path.read_bytes())
    change(document)
    path.write_bytes(json.dumps(document).encode())
    return path


def change_record(change: Change, task: Task | None = None) -> bytes:
    """The line of a record in which something was changed."""
    record = parse(encode_record(task or small_task()).rstrip(b"\n"))
    change(record)
    return canonical(record)


@given(tasks())
@settings(max_examples=40)
def test_records_round_trip(task: Task) -> None:
    """What is built is what is judged by."""
    line = encode_record(task)
    assert line.endswith(b"\n")
    assert line.isascii()
    assert line.splitlines() == [line.rstrip(b"\n")]
    assert decode_record(line.rstrip(b"\n"), source="f") == task


def test_odd_characters_survive_in_a_record() -> None:
    """Line separators and lone surrogates stand inside strings, and a line stays a line."""
    odd = "\u2028\u2029\u0085\u000b\u001c"
    session = Session(requests=({"id": odd}, odd), expected=({"id": odd}, {"id": "\ud800"}))
    task = small_task(acceptance_tests=(Scenario(name=odd, sessions=(session,)),), prompt=odd)
    assert encode_record(task).splitlines() == [encode_record(task)[:-1]]
    assert decode_record(encode_record(task)[:-1], source="f") == task


def test_record_has_the_fields_that_the_card_promises() -> None:
    """Whoever loads the dataset elsewhere gets one schema: tests are JSON inside a string."""
    record = parse(encode_record(small_task()))
    assert list(record) == [
        *("task_id", "subset", "family", "category", "title", "target_model_parameters"),
        *("language", "entrypoint", "start", "protocol_version", "prompt", "public_tests"),
        *("acceptance_tests", "num_scenarios", "num_assertions", "timeout_seconds", "canary"),
    ]
    assert (record["num_scenarios"], record["num_assertions"]) == (2, 2)
    assert json.loads(record["public_tests"])[0]["name"] == "example-1"
    assert json.loads(record["acceptance_tests"])[1]["sessions"][0]["requests"] == [{"id": 1}]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(num_scenarios=3), "field 'num_assertions': the counts are not those"),
        (lambda r: r.update(num_assertions=1), "field 'num_assertions': the counts are not those"),
        (lambda r: r.pop("num_assertions"), "field 'num_assertions': the counts are not those"),
        (lambda r: r.update(public_tests=[]), "field 'public_tests': must be JSON inside a string"),
        (lambda r: r.pop("acceptance_tests"), "field 'acceptance_tests': must be JSON inside"),
        (lambda r: r.update(public_tests="["), "public_tests: Expecting value at character 1"),
        (lambda r: r.update(public_tests="[NaN]"), "public_tests: field '[0]': NaN is not JSON"),
        (lambda r: r.update(public_tests='"\ud800"'), "public_tests: invalid UTF-8 at byte 1"),
        (
            lambda r: r.update(acceptance_tests="[{}]"),
            "field 'acceptance_tests[0]': Object",
        ),
        (lambda r: r.update(task_id="x"), "'x' is no task id"),
        (lambda r: r.update(title=3), "field 'title': Expected 'str', got 'int'"),
        (lambda r: r.pop("prompt"), "Object missing required field 'prompt'"),
        (lambda r: r.update(timeout_seconds="10"), "field 'timeout_seconds': Expected 'float'"),
        (
            lambda r: r.update(acceptance_tests='[{"name":"a","sessions":[]}]'),
            "field 'acceptance_tests[0]': scenario 'a' has no session",
        ),
        (
            lambda r: r.update(
                acceptance_tests='[{"name":"a","sessions":[{"requests":[{}],"expected":[]}]}]'
            ),
            "field 'acceptance_tests[0].sessions[0]': requests and expected must be equally long",
        ),
    ],
)
def test_malformed_record_is_named_by_file_and_field(change: Change, message: str) -> None:
    """A record that is read halfway is a task that is judged halfway."""
    with pytest.raises(DataError) as caught:
        decode_record(change_record(change), source="easy.jsonl:7")
    assert str(caught.value).startswith("easy.jsonl:7: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("line", [b"[]", b"null", b'"task"', b"1"])
def test_record_must_be_an_object(line: bytes) -> None:
    """Anything else is valid JSON and no task."""
    with pytest.raises(DataError, match="f:1: a record must be an object"):
        decode_record(line, source="f:1")


def test_unknown_members_of_a_record_are_skipped() -> None:
    """A newer dataset of the same format may hold more."""
    line = change_record(lambda record: record.update(licence="MIT"))
    assert decode_record(line, source="f") == small_task()


def test_dataset_lists_its_tasks_lowest_tier_first(toy_dataset: Dataset) -> None:
    """The order of ids is that of the manifest."""
    assert toy_dataset.task_ids == (
        *("toy-easy-001-amounts", "toy-easy-002-more-amounts", "toy-max-001-amounts"),
    )
    assert toy_dataset.manifest.totals == {"easy": 2, "max": 1}
    assert [task.task_id for task in toy_dataset.tasks()] == list(toy_dataset.task_ids)
    assert [task.task_id for task in toy_dataset.tasks("max")] == ["toy-max-001-amounts"]


def test_one_task_is_read_by_its_id(toy_dataset: Dataset) -> None:
    """It is the task that was built, wherever in its file it stands."""
    found = toy_dataset.task("toy-easy-002-more-amounts")
    assert found == small_task("toy-easy-002-more-amounts", title="More [amounts]")


def test_unknown_task_and_tier_are_named(toy_dataset: Dataset) -> None:
    """A typing error is answered with the nearest name."""
    with pytest.raises(UnknownNameError, match="did you mean 'toy-easy-001-amounts'"):
        toy_dataset.task("toy-easy-001-amount")
    with pytest.raises(UnknownNameError, match="unknown subset 'eazy'; did you mean 'easy'"):
        list(toy_dataset.tasks("eazy"))


@pytest.mark.parametrize("path", ["", "manifest.json", "easy.jsonl", "max.jsonl"])
def test_dataset_is_found_by_folder_manifest_or_file(toy_dataset: Dataset, path: str) -> None:
    """People name what they see; all of it leads to the same dataset."""
    assert open_dataset(toy_dataset.folder / path) == toy_dataset


def test_digest_of_the_manifest_names_the_dataset(toy_dataset: Dataset) -> None:
    """It depends on what the manifest says and not on how the file is spaced."""
    before = toy_dataset.manifest.sha256
    path = change_manifest(toy_dataset, lambda manifest: manifest.update(version="2"))
    assert open_dataset(toy_dataset.folder).manifest.sha256 != before
    change_manifest(toy_dataset, lambda manifest: manifest.update(version="1"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\n\n")
    assert open_dataset(toy_dataset.folder).manifest.sha256 == before


def test_tampered_file_is_refused(tmp_path: Path) -> None:
    """One changed byte in an expected answer would change every score."""
    dataset = write_dataset(tmp_path, small_task())
    path = tmp_path / "easy.jsonl"
    path.write_bytes(path.read_bytes().replace(b"true", b"fals"))
    for read in (lambda: list(dataset.tasks()), lambda: dataset.task("toy-easy-001-amounts")):
        with pytest.raises(DataError) as caught:
            read()
        assert f"{path}: sha256 is " in str(caught.value)
        assert "restore the file or build the dataset again" in str(caught.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    """A dataset that was copied without one of its files is complete in all else."""
    dataset = write_dataset(tmp_path, small_task(), small_task("toy-max-001-amounts"))
    (tmp_path / "max.jsonl").unlink()
    assert dataset.task("toy-easy-001-amounts").subset == "easy"
    with pytest.raises(DeclarationError, match=r"max\.jsonl: No such file or directory"):
        dataset.task("toy-max-001-amounts")


def test_manifest_and_file_must_agree_on_lines(tmp_path: Path) -> None:
    """The number of tasks is the denominator of a score."""
    dataset = write_dataset(tmp_path, small_task(), small_task("toy-easy-002-b"))
    change_manifest(dataset, lambda manifest: manifest["files"][0]["tasks"].pop())
    with pytest.raises(DataError, match=r"easy\.jsonl: not the 1 lines that manifest\.json lists"):
        list(open_dataset(tmp_path).tasks())


def test_file_without_its_last_line_end_is_refused(tmp_path: Path) -> None:
    """It may have been cut anywhere."""
    data = encode_record(small_task())[:-1]
    dataset = write_dataset(tmp_path, small_task())
    (tmp_path / "easy.jsonl").write_bytes(data)
    change_manifest(dataset, lambda m: m["files"][0].update(sha256=digest(data)))
    with pytest.raises(DataError, match="not the 1 lines"):
        list(open_dataset(tmp_path).tasks())


def test_manifest_and_file_must_agree_on_ids(tmp_path: Path) -> None:
    """A report would name another task than the one that was played."""
    dataset = write_dataset(tmp_path, small_task(), small_task("toy-easy-002-b"))
    change_manifest(dataset, lambda manifest: manifest["files"][0]["tasks"].reverse())
    swapped = open_dataset(tmp_path)
    for read in (lambda: list(swapped.tasks()), lambda: swapped.task("toy-easy-002-b")):
        with pytest.raises(DataError) as caught:
            read()
        assert str(caught.value) == (
            f"{tmp_path}/easy.jsonl:1: field 'task_id': holds toy-easy-001-amounts, the manifest "
            "says toy-easy-002-b; build the dataset again"
        )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(kind="web-manifest"), "field 'kind': 'web-manifest' is not"),
        (lambda m: m.pop("kind"), "field 'kind': None is not 'dataset-manifest'"),
        (lambda m: m.update(format=2), "field 'format': 2 is not known, this version reads 1; "
         "upgrade kcb-core"),
        (lambda m: m.update(format=2, files="elsewhere"), "upgrade kcb-core"),
        (lambda m: m.pop("format"), "field 'format': None is not known"),
        (lambda m: m.update(format=True), "field 'format': True is not known"),
        (lambda m: m.update(format=0), "field 'format': 0 is not known"),
        (lambda m: m.update(protocol_version="2.0"), "field 'protocol_version': '2.0' is not"),
        (lambda m: m.pop("seed"), "Object missing required field 'seed'"),
        (lambda m: m.update(files={}), "field 'files': Expected 'array', got 'object'"),
        (lambda m: m["files"][0].update(path="../easy.jsonl"), "'../easy.jsonl' is no plain file"),
        (lambda m: m["files"][0].update(path="/etc/passwd"), "'/etc/passwd' is no plain file name"),
        (lambda m: m["files"][0].update(path=".."), "'..' is no plain file name"),
        (lambda m: m["files"].append(m["files"][0]), "'files.path': a name stands there twice"),
        (lambda m: m["files"].append(m["files"][0] | {"path": "b"}), "field 'files.subset': a name "
         "stands there twice"),
        (lambda m: m["files"].append(m["files"][0] | {"path": "b", "subset": "b"}),
         "field 'files.tasks': a name stands there twice"),
    ],
)  # fmt: skip
def test_wrong_manifest_is_named_by_file_and_field(
    tmp_path: Path, change: Change, message: str
) -> None:
    """It decides what is read and what is counted, so nothing of it is guessed."""
    path = change_manifest(write_dataset(tmp_path, small_task()), change)
    with pytest.raises(DataError) as caught:
        open_dataset(tmp_path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("data", [b"[]", b"3"])
def test_manifest_must_be_an_object(tmp_path: Path, data: bytes) -> None:
    """Anything else is valid JSON and no manifest."""
    (tmp_path / "manifest.json").write_bytes(data)
    with pytest.raises(DataError, match=r"manifest\.json: must be a JSON object of kind"):
        open_dataset(tmp_path)


def test_name_of_a_file_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    """A manifest may hold any string; none may end the command in an unexpected error."""
    dataset = write_dataset(tmp_path, small_task())
    change_manifest(dataset, lambda manifest: manifest["files"][0].update(path="a\0b"))
    with pytest.raises(DeclarationError, match="null byte"):
        list(open_dataset(tmp_path).tasks())


def test_file_that_the_manifest_does_not_list_is_refused(toy_dataset: Dataset) -> None:
    """A foreign file beside a manifest is not part of that dataset."""
    stray = toy_dataset.folder / "hard.jsonl"
    stray.write_bytes(encode_record(small_task()))
    with pytest.raises(DataError, match=r"hard\.jsonl: not listed in .*manifest\.json"):
        open_dataset(stray)


@pytest.mark.parametrize("name", ["", "nowhere", "manifest.json", "easy.jsonl", "x" * 300])
def test_place_without_a_dataset_is_named(tmp_path: Path, name: str) -> None:
    """The message says what a dataset looks like."""
    with pytest.raises(DeclarationError, match=r"a dataset is a folder with a manifest\.json"):
        open_dataset(tmp_path / name)


def test_lone_file_needs_its_manifest(tmp_path: Path) -> None:
    """Its bytes are verified by it; without one nothing says that they are right."""
    (tmp_path / "easy.jsonl").write_bytes(encode_record(small_task()))
    with pytest.raises(DeclarationError, match=r"manifest\.json: No such file"):
        open_dataset(tmp_path / "easy.jsonl")


def test_data_file_counts_what_it_holds() -> None:
    """Counts are taken from the tasks, so they cannot be wrong."""
    held = [small_task(), small_task("toy-easy-002-b")]
    data = b"".join(map(encode_record, held))
    entry = data_file("easy.jsonl", "easy", data, iter(held))
    assert (entry.scenarios, entry.assertions, entry.size) == (4, 4, len(data))
    assert entry.tasks == ("toy-easy-001-amounts", "toy-easy-002-b")
    assert entry.sha256 == digest(data)


def test_newer_manifest_skips_what_it_does_not_know(toy_dataset: Dataset) -> None:
    """Within a format fields are added."""
    change_manifest(toy_dataset, lambda manifest: manifest.update(licence="MIT"))
    assert open_dataset(toy_dataset.folder) == toy_dataset


def test_manifest_without_tasks_has_no_denominator() -> None:
    """An empty dataset is one all the same."""
    empty = Manifest(
        dataset="toy", version="1", seed=1, protocol_version="1.0", packages={}, files=()
    )
    nothing: dict[str, Json] = {}
    assert empty.totals == nothing
