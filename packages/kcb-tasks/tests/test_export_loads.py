"""The export as its users meet it: read by the real ``datasets`` library, without a network.

Everything happens in a process of its own, whose caches lie in the test's folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kcb_core.catalog import load_catalog
from kcb_core.dataset import Manifest, open_dataset
from kcb_tasks import plugin
from kcb_tasks.export import export
from kcb_tasks.records import COLUMNS

pytestmark = pytest.mark.export

DATA = Path(plugin.__file__).parent / "data"
TIERS = ("easy", "intermediate", "hard", "max")

LOAD = """
import json, sys
from pathlib import Path
import yaml
from datasets import get_dataset_config_names, load_dataset

folder = Path(sys.argv[1])
found = {"front": yaml.safe_load((folder / "README.md").read_text().split("---\\n")[1])}
for name in get_dataset_config_names(str(folder)):
    found[name] = {
        split: {
            "rows": rows.num_rows,
            "columns": {column: str(kind) for column, kind in rows.features.items()},
            "scenarios": sum(len(json.loads(text)) for text in rows["acceptance_tests"]),
            "examples": sum(len(json.loads(text)) for text in rows["public_tests"]),
        }
        for split, rows in load_dataset(str(folder), name).items()
    }
found["by default"] = load_dataset(str(folder), split="test")["task_id"][:]
for path in sorted((folder / "klein_code_bench" / "parquet").iterdir()):
    rows = load_dataset("parquet", data_files=str(path), split="train")
    same = load_dataset(str(folder), path.stem, split="test")
    found[path.name] = [rows.features == same.features, rows.to_list() == same.to_list()]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    """What the shipped dataset holds, however many families that are."""
    return open_dataset(DATA).manifest


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What ``datasets`` makes of the export."""
    folder = tmp_path_factory.mktemp("export")
    arguments = ["--output", str(folder / "repository")]
    catalog = load_catalog([("tasks", plugin)])
    CliRunner().invoke(export, arguments, obj=catalog, catch_exceptions=False)
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    places = {"HF_HOME": str(folder / "cache"), "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(folder / "repository")],
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **offline, **places},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_there_are_five_configurations_of_one_split(
    found: dict[str, Any], manifest: Manifest
) -> None:
    """One a tier and one of all, for testing and nothing else."""
    totals = manifest.totals
    assert tuple(totals) == TIERS
    expected = {"default": sum(totals.values()), **totals}
    rows = {name: {s: held["rows"] for s, held in found[name].items()} for name in expected}
    assert rows == {name: {"test": count} for name, count in expected.items()}
    assert len(set(totals.values())) == 1


def test_the_default_is_all_tasks_in_order(found: dict[str, Any], manifest: Manifest) -> None:
    """The lowest tier first, as everywhere else."""
    assert found["by default"] == list(manifest.members())


@pytest.mark.parametrize("config", ["default", *TIERS])
def test_the_columns_are_those_of_the_format(found: dict[str, Any], config: str) -> None:
    """With the same types in every configuration, so that tiers can be joined."""
    columns = found[config]["test"]["columns"]
    assert list(columns) == list(COLUMNS)
    odd = {name: kind for name, kind in columns.items() if kind != "Value('string')"}
    assert odd == {
        "start": "List(Value('string'))",
        "num_scenarios": "Value('int64')",
        "num_assertions": "Value('int64')",
        "timeout_seconds": "Value('float64')",
    }


def test_the_tests_are_json_in_strings(found: dict[str, Any], manifest: Manifest) -> None:
    """``json.loads`` gives back every scenario."""
    for file in manifest.files:
        held = found[file.subset]["test"]
        assert held["scenarios"] == file.scenarios
        assert held["examples"] == 2 * len(file.tasks)


@pytest.mark.parametrize("tier", TIERS)
def test_parquet_holds_the_same_rows(found: dict[str, Any], tier: str) -> None:
    """In the same types: whoever prefers it reads the same dataset."""
    assert found[f"{tier}.parquet"] == [True, True]


def test_the_card_is_read_as_it_is_meant(found: dict[str, Any]) -> None:
    """The hub goes by these words."""
    front = found["front"]
    configs = front.pop("configs")
    assert front == {
        "language": ["en"],
        "license": "mit",
        "pretty_name": "Klein-Code-Bench",
        "task_categories": ["text-generation"],
        "size_categories": ["n<1K"],
        "tags": [
            *("code", "benchmark", "project-generation", "small-language-models"),
            *("local-models", "python"),
        ],
    }
    assert [config["config_name"] for config in configs] == ["default", *TIERS]
    assert [config.get("default", False) for config in configs] == [True] + [False] * 4
