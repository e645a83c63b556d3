"""References in a dialect: they resolve its tasks with the real runner, and others do not."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kcb_core.plugin
import kcb_references.plugin
import kcb_runner.plugin
from kcb_core import cli
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.dataset import open_dataset
from kcb_core.roles import Reference
from kcb_core.task import Task
from kcb_core.testing.toy import AMOUNTS
from kcb_core.testing.values import plugin_giving
from kcb_core.vocabulary import PROTOCOL, SHIPPED, FamilyNames, Vocabulary
from kcb_references import cheats, export
from kcb_references.catalogue import shipped, solution
from kcb_references.export import project_files
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, Judgement, judge
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_tasks.build import build
from kcb_tasks.families import discover
from kcb_tasks.rewording import words_in_code
from kcb_tasks.task import build_task
from kcb_tasks.tiers.shipped import TIERS

pytestmark = pytest.mark.workspace

HALF = PROTOCOL[: len(PROTOCOL) // 2]
"""Names that take each other's places, each that of the next: ``id`` is called ``op``, and so on.

Members, operations and parameters are among them, so that a mistake in one is not hidden.
"""

TURNED = Vocabulary(
    protocol={
        **dict(zip(HALF, (*HALF[1:], HALF[0]), strict=True)),
        **{name: f"{name}_x" for name in PROTOCOL[len(HALF) :]},
        # Words that scripts send as members which mean nothing.
        **{"if_revision": "If_revision", "token": "note", "limit": "Key"},
    },
    families={
        "amounts": FamilyNames(
            fields={"amounts": "value", "unit": "cap", "cap": "unit"},
            errors={"no_amounts": "bad_json", "over_cap": "no_amounts"},
        ),
        "word-frequency": FamilyNames(
            fields={"text": "note", "top": "min_length", "min_length": "top"},
            errors={"no_words": "not_found"},
        ),
        "table-pivot": FamilyNames(fields={"index": "value", "value": "index", "fill": "filler"}),
        "cache-simulator": FamilyNames(
            fields={"ops": "input"}, errors={"time_reversed": "conflict"}
        ),
    },
)
"""Every name of the protocol, and fields and errors of some families, are called otherwise."""

SLUGS = ("word-frequency", "table-pivot", "cache-simulator")

DOMAIN = """
def answer(fields):
    for name in ("amounts", "unit"):
        if name not in fields:
            return {"error": {"code": "missing_field", "field": name}}
    amounts, unit, cap = fields["amounts"], fields["unit"], fields.get("cap", 1000)
    right = {
        "amounts": isinstance(amounts, list) and len(amounts) <= 20
        and all(type(amount) is int and -1000 <= amount <= 1000 for amount in amounts),
        "unit": isinstance(unit, str) and 1 <= len(unit) <= 10,
        "cap": type(cap) is int and 0 <= cap <= 10000,
    }
    for name in right:
        if not right[name]:
            return {"error": {"code": "invalid_field", "field": name}}
    if not amounts:
        return {"error": {"code": "no_amounts"}}
    total = sum(amounts)
    if total > cap:
        return {"error": {"code": "over_cap"}}
    return {"result": {"total": total, "mean": total / len(amounts), "label": f"{total} {unit}"}}
"""


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """Where projects are played: real processes."""
    cancel = Cancel()
    yield Bench(launcher=InterpreterLauncher(), cancel=cancel)
    cancel.close()


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The shipped references, and one of the toy family."""
    domain = tmp_path_factory.mktemp("toy") / "domain.py"
    domain.write_text(DOMAIN)
    toy = plugin_giving(
        families=[AMOUNTS],
        references=[*shipped(), Reference(family=AMOUNTS.name, domain=domain)],
    )
    return load_catalog([("core", kcb_core.plugin), ("runner", kcb_runner.plugin), ("toy", toy)])


@pytest.fixture(scope="module")
def tasks() -> dict[tuple[str, str], Task]:
    """Tasks in the dialect, by the slug of the family and the tier."""
    families = {family.slug: family for family in discover()}
    return {
        (slug, tier.name): build_task(families[slug], tier, 1729, TURNED)
        for slug in SLUGS
        for tier in TIERS
    }


@pytest.mark.parametrize("tier", [tier.name for tier in TIERS])
@pytest.mark.parametrize("slug", SLUGS)
def test_the_reference_of_a_dialect_resolves_its_task_and_no_other_does(
    slug: str, tier: str, tasks: dict[tuple[str, str], Task], catalog: Catalog, bench: Bench
) -> None:
    """Scenarios and references are translated by two programs, so an error of one is seen here."""
    task = tasks[slug, tier]
    resolved = judge(task, solution(catalog, task, TURNED), bench)
    assert (resolved.outcome, resolved.failure) == ("resolved", None)
    assert first_failure(task, catalog, bench, SHIPPED).passed == 0
    fields_only = Vocabulary(families=TURNED.families)
    assert first_failure(task, catalog, bench, fields_only).outcome == "failed"
    shell_only = Vocabulary(protocol=TURNED.protocol)
    assert first_failure(task, catalog, bench, shell_only).outcome == "failed"


def first_failure(task: Task, catalog: Catalog, bench: Bench, words: Vocabulary) -> Judgement:
    """What comes of the reference that speaks in other words, up to the first failure."""
    return judge(task, solution(catalog, task, words), bench, until_failure=True)


@pytest.mark.parametrize("tier", [tier.name for tier in TIERS])
@pytest.mark.parametrize("slug", SLUGS)
def test_the_prompt_of_a_dialect_speaks_as_the_examples_do(
    slug: str, tier: str, tasks: dict[tuple[str, str], Task]
) -> None:
    """What is called otherwise is nowhere called as before, unless another thing is called so."""
    task = tasks[slug, tier]
    protocol = set(words_in_code(task.prompt.partition("## Contract\n")[0]))
    assert protocol & set(PROTOCOL) <= set(HALF)
    assert {TURNED.protocol[name] for name in ("id", "op", "ok", "error", "code")} <= protocol
    (request,), (shown,) = (
        getattr(task.public_tests[0].sessions[0], name) for name in ("requests", "expected")
    )
    assert request[TURNED.protocol["op"]] == TURNED.protocol["evaluate"]
    assert set(shown) == {TURNED.protocol[name] for name in ("id", "ok", "result")}
    assert json.dumps(request[TURNED.protocol["op"]]) in task.prompt


def test_a_project_in_a_dialect_is_self_contained() -> None:
    """The directory is all that exists where the program runs."""
    files = project_files("max", DOMAIN, vocabulary=TURNED, slug="amounts")
    assert set(files) == {*project_files("max", DOMAIN), "dialect.py", "names.py"}
    known = {path.removesuffix(".py") for path in files} | sys.stdlib_module_names
    for text in files.values():
        assert "kcb" not in text
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                assert str(node.module).split(".")[0] in known
    canonical = project_files("max", DOMAIN)
    changed = {path for path in canonical if files[path] != canonical[path]}
    assert changed == {"main.py", "easy.py"}


def test_a_vocabulary_that_renames_nothing_gives_the_same_project() -> None:
    """The default export is unchanged to the byte."""
    same = Vocabulary(protocol={"put": "put"})
    assert project_files("hard", DOMAIN, vocabulary=same, slug="x") == project_files("hard", DOMAIN)


def test_a_shell_that_says_something_else_is_not_translated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A change of the shell that the export overlooks would give a project of two minds."""
    monkeypatch.setattr(export, "_TRANSLATED", {"request = read(line)": ""})
    with pytest.raises(ValueError, match="does not say 'request = read"):
        project_files("easy", DOMAIN, vocabulary=TURNED)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The toy family's dataset in the dialect."""
    own = Vocabulary(protocol=TURNED.protocol, families={"amounts": TURNED.families["amounts"]})
    for name, content in build(
        [AMOUNTS], TIERS, seed=1, version="1", packages={}, vocabulary=own
    ).files.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_the_commands_take_the_vocabulary_from_the_manifest(
    data: Path, catalog: Catalog, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    """Whoever validates a dialect says nothing of it; its references resolve, its cheats fail."""
    house = (
        ("core", kcb_core.plugin),
        ("references", kcb_references.plugin),
        ("runner", kcb_runner.plugin),
    )
    domain = next(r.domain for r in catalog.references() if r.family == AMOUNTS.name)
    toy = plugin_giving(references=[Reference(family=AMOUNTS.name, domain=domain)])
    monkeypatch.setattr(cli, "load_catalog", lambda **_: load_catalog([*house, ("toy", toy)]))
    status = cli.run(["validate", "--dataset", str(data), "--cheats", "--json"])
    summary = json.loads(capsys.readouterr().out)
    assert (status, summary["problems"]) == (0, [])
    assert [tier["references_resolved"] for tier in summary["tiers"]] == [1, 1, 1, 1]
    words = ["reference", "toy-hard-001-amounts", "--dataset", str(data), "-o"]
    assert cli.run([*words, str(tmp_path / "answer")]) == 0
    assert '"put": "get"' in (tmp_path / "answer" / "names.py").read_text()


@pytest.mark.parametrize("name", ["examples", "identities", "lenient"])
def test_a_cheat_speaks_the_dialect_too(
    name: str, data: Path, catalog: Catalog, bench: Bench
) -> None:
    """One that failed for its words alone would show nothing of the task."""
    dataset = open_dataset(data)
    task = dataset.task("toy-easy-001-amounts")
    shown = msgspec.structs.replace(task, acceptance_tests=task.public_tests)
    cheat = cheats.CHEATS[name](task, catalog, dataset.vocabulary)
    assert judge(shown, cheat, bench).outcome == "resolved"


def test_a_cheat_that_refuses_says_so_in_the_dialect(data: Path, catalog: Catalog) -> None:
    """Else it would fail every request for its words, and none for what it does."""
    dataset = open_dataset(data)
    task = dataset.task("toy-easy-001-amounts")
    (file,) = cheats.refusal(task, catalog, dataset.vocabulary).files
    words = {name: TURNED.protocol[name] for name in ("id", "ok", "error", "code", "bad_request")}
    said = '{{"{id}": identity, "{ok}": False, "{error}": {{"{code}": "{bad_request}"}}}}'
    assert said.format(**words) in file.data.decode()
