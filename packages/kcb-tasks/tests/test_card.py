"""The dataset card: what a hub reads of it, and that its numbers are those of the data."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import msgspec
import pytest
from published import FAMILY, stored

from kcb_core.dataset import Manifest
from kcb_core.limits import LIMITS
from kcb_tasks.card import card
from kcb_tasks.records import COLUMNS, Stored, read_stored

FRONT = """\
---
language:
- en
license: mit
pretty_name: Klein-Code-Bench
task_categories:
- text-generation
tags:
- code
- benchmark
- project-generation
- small-language-models
- local-models
- python
size_categories:
- n<1K
configs:
- config_name: default
  default: true
  data_files:
  - split: test
    path:
    - klein_code_bench/data/easy.jsonl
    - klein_code_bench/data/intermediate.jsonl
    - klein_code_bench/data/hard.jsonl
    - klein_code_bench/data/max.jsonl
- config_name: easy
  data_files:
  - split: test
    path:
    - klein_code_bench/data/easy.jsonl
- config_name: intermediate
  data_files:
  - split: test
    path:
    - klein_code_bench/data/intermediate.jsonl
- config_name: hard
  data_files:
  - split: test
    path:
    - klein_code_bench/data/hard.jsonl
- config_name: max
  data_files:
  - split: test
    path:
    - klein_code_bench/data/max.jsonl
---
"""

Data = tuple[Manifest, list[Stored]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    """A manifest under the shipped name, and its files."""
    dataset = stored(tmp_path_factory.mktemp("kcb"))
    return dataset.manifest, list(read_stored(dataset))


def test_the_front_matter_is_what_the_hub_reads(data: Data) -> None:
    """Five configurations, each with one split, and the tags by which it is found."""
    text = card(*data, parquet=True)
    assert text.startswith(FRONT)
    assert text.count("---\n") == 2


def test_every_number_is_that_of_the_data(data: Data) -> None:
    """A count that somebody wrote by hand goes stale with the next build."""
    manifest, files = data
    text = card(manifest, files, parquet=True)
    assert "`kcb`: 4 tasks, made of 1 family in 4 tiers." in text
    assert "seed 5; protocol version 1.0; built with kcb-tasks 9.8.7." in text
    assert f"at most {LIMITS.session_s:g} s." in text
    assert manifest.sha256 in text
    assert manifest.canary in text
    for file in manifest.files:
        counts = f"| {len(file.tasks)} | {file.scenarios} | {file.assertions:,} |"
        assert re.search(rf"^\| {file.subset} \| .*{re.escape(counts)}$", text, re.MULTILINE)
        assert f"| `{file.path}` | `{file.sha256}` | {file.size:,} |" in text
    assertions = " | ".join(f"{file.assertions:,}" for file in manifest.files)
    assert f"| 007 | amounts | {FAMILY.title} | {FAMILY.category} | {assertions} |" in text


def test_the_fixed_words_hold_no_number() -> None:
    """All numbers come through the template's open places, but for the name of the score."""
    for path in (resources.files("kcb_tasks") / "card_texts").iterdir():
        text = path.read_text(encoding="utf-8").replace("resolve@1", "").replace("sha256", "")
        assert re.findall(r"[0-9]+", text) == [], path.name


def test_every_column_is_described(data: Data) -> None:
    """A column without a word would have to be guessed."""
    rows = re.findall(r"^\| `(\w+)` \| \w+[\w ]* \| \S.* \|$", card(*data, parquet=False), re.M)
    assert rows == list(COLUMNS)


@pytest.mark.parametrize(
    "words",
    [
        "have not been calibrated",
        "Results across tiers are correlated",
        "never train on one",
        "Pin `revision` to a commit",
        '"easy", split="test", revision="COMMIT"',
        "`acceptance_tests` must stay out of prompts",
        "`trust_remote_code` stays off",
        "The tasks are original",
        "under the MIT licence",
        "Python only",
        "loss of power",
        "cannot prove",
    ],
)
def test_what_a_reader_must_know_is_said(data: Data, words: str) -> None:
    """Each of these keeps somebody from a wrong use or a wrong claim."""
    assert words in card(*data, parquet=True)


def test_parquet_is_named_only_where_it_is(data: Data) -> None:
    """A card must not point at files that are not there."""
    assert "klein_code_bench/parquet" in card(*data, parquet=True)
    assert "arquet" not in card(*data, parquet=False)


def test_sets_and_held_out_families_are_named_where_there_are_such(data: Data) -> None:
    """They are part of what a user may report or train on."""
    manifest, files = data
    assert "held out" not in card(manifest, files, parquet=True)
    assert "Smaller sets" not in card(manifest, files, parquet=True)
    slugs = tuple(f"family-{number}" for number in range(25))
    larger = msgspec.structs.replace(manifest, order=slugs, held_out=slugs[:1])
    text = card(larger, files, parquet=True)
    assert "`easy@10`, `easy@20`, and likewise in every other tier." in text
    assert "1 family is held out" in text
    two = msgspec.structs.replace(manifest, held_out=slugs[:2])
    assert "2 families are held out" in card(two, files, parquet=True)


def test_a_strangers_dataset_gets_no_licence_and_no_origin_from_us(tmp_path: Path) -> None:
    """Only its authors can say where it comes from and what may be done with it."""
    dataset = stored(tmp_path, "toy")
    text = card(dataset.manifest, list(read_stored(dataset)), parquet=True)
    assert "pretty_name: toy, for Klein-Code-Bench\n" in text
    assert "# toy, for Klein-Code-Bench\n" in text
    assert "license" not in text
    assert "MIT licence" not in text
    assert "original" not in text


def test_a_large_dataset_has_the_next_size(data: Data) -> None:
    """The hub sorts by it."""
    manifest, files = data
    tasks = tuple(f"kcb-easy-{number:03d}-x" for number in range(1, 1000))
    large = msgspec.structs.replace(manifest.files[0], tasks=tasks)
    more = msgspec.structs.replace(manifest, files=(large, *manifest.files[1:]))
    assert "- 1K<n<10K\n" in card(more, files, parquet=True)
