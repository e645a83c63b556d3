"""``validate`` and ``reference`` over the toy family: what passes, and what each fault shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kcb_core.plugin
import kcb_references.plugin
import kcb_runner.plugin
from kcb_core import cli
from kcb_core.canary import CANARY
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.dataset import open_dataset
from kcb_core.roles import DatasetSource, Reference
from kcb_core.testing.toy import AMOUNTS
from kcb_core.testing.values import plugin_giving
from kcb_core.vocabulary import SHIPPED
from kcb_core.workspace import lay_out
from kcb_references import agreement, cheats
from kcb_references import validate as validation
from kcb_references.agreement import disagreements
from kcb_references.catalogue import shipped
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, judge
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_tasks.build import build
from kcb_tasks.families import discover
from kcb_tasks.tiers.shipped import TIERS

pytestmark = pytest.mark.workspace

DOMAIN = """
def answer(fields):
    for name in ("amounts", "unit"):
        if name not in fields:
            return fault("missing_field", name)
    amounts = fields["amounts"]
    if not isinstance(amounts, list) or len(amounts) > 20:
        return fault("invalid_field", "amounts")
    for amount in amounts:
        if type(amount) is not int or not -1000 <= amount <= 1000:
            return fault("invalid_field", "amounts")
    unit = fields["unit"]
    if not isinstance(unit, str) or not 1 <= len(unit) <= 10:
        return fault("invalid_field", "unit")
    cap = fields.get("cap", 1000)
    if type(cap) is not int or not 0 <= cap <= 10000:
        return fault("invalid_field", "cap")
    if not amounts:
        return {"error": {"code": "no_amounts"}}
    total = sum(amounts)
    if total > cap:
        return {"error": {"code": "over_cap"}}
    return {"result": {"total": total, "mean": total / len(amounts), "label": f"{total} {unit}"}}


def fault(code, field):
    return {"error": {"code": code, "field": field}}
"""

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy family's dataset in all four tiers."""
    folder = tmp_path_factory.mktemp("toy")
    built = build([AMOUNTS], TIERS, seed=1, version="1", packages={})
    for name, content in built.files.items():
        (folder / name).write_bytes(content)
    return folder


class Toy:
    """The toy family installed with some reference."""

    def __init__(self, data: Path, folder: Path, monkeypatch: Any, capsys: Any) -> None:
        self.data = data
        self.domain = folder / "domain.py"
        self.domain.write_text(DOMAIN)
        self._capsys = capsys
        monkeypatch.setattr(cli, "load_catalog", lambda **_: self.catalog())

    def catalog(self) -> Catalog:
        """What is installed."""
        toy = plugin_giving(
            families=[AMOUNTS],
            references=[Reference(family=AMOUNTS.name, domain=self.domain)],
            dataset_sources=[DatasetSource(name="toy", folder=self.data)],
        )
        house = (("core", kcb_core.plugin), ("runner", kcb_runner.plugin))
        return load_catalog([*house, ("references", kcb_references.plugin), ("toy", toy)])

    def run(self, *words: str | Path) -> tuple[int, str, str]:
        """Exit status, standard output and standard error of a command."""
        status = cli.run([str(word) for word in words])
        out, err = self._capsys.readouterr()
        return status, out, err


@pytest.fixture
def toy(data: Path, tmp_path: Path, monkeypatch: Any, capsys: Any) -> Toy:
    """The toy family with a right reference."""
    return Toy(data, tmp_path, monkeypatch, capsys)


def test_a_right_reference_passes_every_gate(toy: Toy, tmp_path: Path) -> None:
    """References resolve, cheats fail, and family and reference agree; the summary says so."""
    status, out, err = toy.run("validate", "--plugin", "toy", "-o", tmp_path / "summary.json")
    assert status == 0, out + err
    assert re.search(r"\n[0-9.]+ s; at most [0-9]+ MiB here and [0-9]+ MiB in one program\n", out)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["problems"] == []
    assert "not a score of any model" in summary["note"]
    assert summary["canary"] == CANARY
    tiers = {tier["subset"]: tier for tier in summary["tiers"]}
    assert [tier["references_resolved"] for tier in tiers.values()] == [1, 1, 1, 1]
    assert set(tiers["max"]["cheats_failed"]) == set(cheats.CHEATS) - {"empty"}
    assert "forgetful" not in tiers["hard"]["cheats_failed"]


def test_another_launcher_finds_the_same_and_leaves_no_summary(toy: Toy, tmp_path: Path) -> None:
    """What is published rests on fresh interpreters alone."""
    words = ("validate", "--dataset", toy.data, "--cheats", "--launch", "forkserver")
    status, out, err = toy.run(*words)
    assert status == 0, out + err
    status, _, err = toy.run(*words, "-o", tmp_path / "summary.json")
    assert (status, "a summary needs --launch interpreter" in err) == (2, True)
    assert not (tmp_path / "summary.json").exists()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("total > cap", "total >= cap"), ("not -1000 <=", "not -1001 <="), ("<= 10:", "<= 11:")],
)
def test_a_wrong_reference_is_exit_1_and_named(toy: Toy, right: str, wrong: str) -> None:
    """A reference with one slip is caught by the shipped tests and by the comparison."""
    toy.domain.write_text(DOMAIN.replace(right, wrong))
    words = ("validate", "--dataset", toy.data, "--subset", "easy", "--agreement", "500")
    status, out, _ = toy.run(*words)
    assert status == 1
    assert "toy-easy-001-amounts: the reference does not resolve it: wrong_response" in out
    assert "family and reference disagree: input {" in out
    assert "NOT valid" in out


def test_a_cheat_that_resolves_is_exit_1(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark that a cheat passes measures nothing."""
    monkeypatch.setattr(
        validation,
        "CHEATS",
        {**cheats.CHEATS, "echo": lambda t, c, v: validation.solution(c, t, v)},
    )
    words = ("validate", "--dataset", toy.data, "--subset", "easy", "--cheats", "--json")
    status, out, _ = toy.run(*words)
    assert status == 1
    assert "the cheat 'echo' does not fail it" in "".join(json.loads(out)["problems"])


def test_each_cheat_gets_far_enough_to_be_one(toy: Toy, data: Path) -> None:
    """The two that are nearly right must pass most scenarios, or they show nothing."""
    task = open_dataset(data).task("toy-max-001-amounts")
    cancel = Cancel()
    bench = Bench(launcher=InterpreterLauncher("none"), cancel=cancel)
    for name in ("lenient", "forgetful"):
        judgement = judge(task, cheats.CHEATS[name](task, toy.catalog(), SHIPPED), bench)
        assert judgement.outcome == "failed"
        assert judgement.failure.kind == "wrong_response"
        assert judgement.passed > judgement.total // 2, name
    cancel.close()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def answer(fields: 1", "cannot be used as a reference"),
        ("def other(fields): ...", "cannot be used as a reference"),
        ("import nothing_of_this_name", "cannot be used as a reference"),
    ],
)
def test_a_reference_that_cannot_be_loaded_is_exit_2(toy: Toy, source: str, message: str) -> None:
    """Its author gets the file and the reason."""
    toy.domain.write_text(source)
    status, _, err = toy.run("validate", "--dataset", toy.data, "--agreement", "10")
    assert status == 2
    assert message in err
    assert "domain.py" in err


@pytest.mark.parametrize(
    ("source", "received"),
    [
        ("def answer(fields): raise ValueError('odd')", "ValueError"),
        ("def answer(fields): fields.clear(); return {'result': 1}", "it changed its input"),
    ],
)
def test_a_reference_that_raises_or_meddles_disagrees(
    tmp_path: Path, source: str, received: str
) -> None:
    """Its program would end, or spoil a stored document."""
    path = tmp_path / "domain.py"
    path.write_text(source)
    reference = Reference(family=AMOUNTS.name, domain=path)
    first = next(disagreements(AMOUNTS, reference, 10))
    assert received in str(first)


def test_damaged_inputs_reach_every_kind_of_answer() -> None:
    """A comparison on valid inputs alone would say nothing of field errors."""
    seen = set()
    for fields in agreement.inputs(AMOUNTS, 400):
        given = agreement.answer(AMOUNTS, fields)
        error = given.get("error", {})
        seen.add((error.get("code"), error.get("field")))
    assert {(None, None), ("no_amounts", None), ("over_cap", None)} <= seen
    assert {("missing_field", "amounts"), ("invalid_field", "unit")} <= seen
    assert {("invalid_field", "cap"), ("missing_field", "unit")} <= seen


def test_wrong_invocations_are_exit_2(toy: Toy, tmp_path: Path) -> None:
    """One line each, and nothing is written."""
    assert (
        "unknown subset 'hrd'" in toy.run("validate", "--dataset", toy.data, "--subset", "hrd")[2]
    )
    wrong = toy.run("validate", "--dataset", toy.data, "--launch", "forksever")[2]
    assert "did you mean 'forkserver'" in wrong
    assert "unknown plug-in 'to'" in toy.run("validate", "--plugin", "to")[2]
    assert "brings no dataset" in toy.run("validate", "--plugin", "core")[2]
    assert "no dataset is installed" in toy.run("validate")[2]
    for place, wrong in ((toy.domain, "is no folder"), (toy.domain.parent, "is not empty")):
        status, _, err = toy.run("reference", "toy-easy-001-amounts", "-o", place)
        assert (status, wrong in err) == (2, True)


def test_a_reference_is_exported_whole_and_never_into_a_workspace(
    toy: Toy, data: Path, tmp_path: Path
) -> None:
    """An answer must not lie where an agent works."""
    status, out, _ = toy.run("reference", "toy-hard-001-amounts", "-o", tmp_path / "answer")
    assert status == 0
    names = sorted(path.name for path in (tmp_path / "answer").iterdir())
    assert names == ["domain.py", "easy.py", "hard.py", "intermediate.py", "main.py"]
    assert len(out.splitlines()) == 5
    lay_out(open_dataset(data).task("toy-easy-001-amounts"), tmp_path / "work")
    for place in ("work/project", "work/project/deep", "work"):
        status, _, err = toy.run("reference", "toy-easy-001-amounts", "-o", tmp_path / place)
        assert (status, "workspace" in err) == (2, True)
    assert list((tmp_path / "work" / "project").iterdir()) == []


def test_every_shipped_family_has_a_reference_and_no_other() -> None:
    """A family without an answer is one that nobody has shown to be solvable."""
    families = {family.name for family in discover()}
    assert {reference.family for reference in shipped()} == families
