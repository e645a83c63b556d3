"""Mutants of a small domain and of the easy shell, and what becomes of them.

The domain, its shell and the task are real; only the task is short, so that all of this takes
seconds. Rehearsals fork, so they run in a process that has no threads.
"""

import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="the extra kcb-references[mutants] is not installed")

from kcb_core.catalog import load_catalog
from kcb_core.codec import encode
from kcb_core.dataset import MANIFEST_NAME, Manifest, data_file, encode_record, open_dataset
from kcb_core.errors import DeclarationError
from kcb_core.task import PROTOCOL_VERSION, PYTHON, Scenario, Session, Task
from kcb_references.export import project_files
from kcb_references.mutants.equivalents import Equivalent, entry, listed, stale, unexplained
from kcb_references.mutants.mutant import Mutant, draw
from kcb_references.mutants.operators import KINDS, kind_of, operators
from kcb_references.mutants.rehearsal import rehearse, stage
from kcb_references.mutants.score import show
from kcb_references.mutants.subject import Part, Subject, subjects
from kcb_references.mutants.trial import SEED, Fate, Verdict, judged, rehearse_all
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench
from kcb_runner.launch.interpreter import InterpreterLauncher

DOMAIN = '''\
"""Doubles `n`, an integer below 10, and tells whether there are `marks`."""

LIMIT = 10


def answer(fields: dict) -> dict:
    """Answer an input."""
    number = fields.get("n", 0)
    if number >= LIMIT:
        return {"error": {"code": "too_many"}}
    marked = len(fields.get("marks", [])) > 0
    return {"result": {"double": number * 2, "marked": marked}}
'''

EQUIVALENT = 'marked = len(fields.get("marks", [])) != 0'
"""A length is never negative, so this is right too."""

AT_THE_LIMIT = ({"n": 10}, {"ok": False, "error": {"code": "too_many"}})
CASES = (
    ({"n": 9}, {"ok": True, "result": {"double": 18, "marked": False}}),
    ({"n": 3, "marks": [1]}, {"ok": True, "result": {"double": 6, "marked": True}}),
    ({"n": -1, "marks": [1, 2]}, {"ok": True, "result": {"double": -2, "marked": True}}),
    ({}, {"ok": True, "result": {"double": 0, "marked": False}}),
    ({"n": 11}, {"ok": False, "error": {"code": "too_many"}}),
    AT_THE_LIMIT,
)


def task_of(cases: tuple[tuple[dict, dict], ...]) -> Task:
    """A task of the easy tier that asks for these inputs, and for what is wrong with a request."""
    requests = [{"id": n, "op": "evaluate", "input": given} for n, (given, _) in enumerate(cases)]
    expected = [{"id": n, **answer} for n, (_, answer) in enumerate(cases)]
    wrong = [
        ("{", None, "bad_json"),
        ({"id": 1}, 1, "bad_request"),
        ({"id": "é", "op": "evaluate"}, "é", "bad_request"),
        ({"id": 2, "op": "put"}, 2, "unknown_op"),
    ]
    requests += [request for request, _, _ in wrong]
    expected += [{"id": i, "ok": False, "error": {"code": code}} for _, i, code in wrong]
    session = Session(requests=tuple(requests), expected=tuple(expected))
    return Task(
        task_id="toy-easy-001-doubling",
        subset="easy",
        family="doubling",
        category="toy",
        title="Doubling",
        target_model_parameters="none",
        language="Python",
        entrypoint="main.py",
        start=(PYTHON, "-E", "-s", "-S", "main.py"),
        protocol_version=PROTOCOL_VERSION,
        prompt="",
        public_tests=(),
        acceptance_tests=(Scenario(name="all", sessions=(session,)),),
        timeout_seconds=10.0,
    )


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    """A process that may fork."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as made:
        yield made


@pytest.fixture
def subject_of(tmp_path: Path) -> Callable[..., Subject]:
    """Makes a subject of the small domain, judged by some cases, which lie in a dataset."""

    def make(cases: tuple[tuple[dict, dict], ...] = CASES, path: str = "domain.py") -> Subject:
        task = task_of(cases)
        data = encode_record(task)
        manifest = Manifest(
            dataset="toy",
            version="1",
            seed=0,
            protocol_version=PROTOCOL_VERSION,
            packages={},
            files=(data_file("easy.jsonl", "easy", data, [task]),),
        )
        (tmp_path / "easy.jsonl").write_bytes(data)
        (tmp_path / MANIFEST_NAME).write_bytes(encode(manifest))
        domain = tmp_path / "domain.py"
        domain.write_text(DOMAIN)
        part = Part(folder=tmp_path, task_id=task.task_id, domain=domain)
        return Subject(
            name="toy", shell=path != "domain.py", path=path, amount=200, own=(part,), later=()
        )

    return make


def test_every_mutant_but_the_equivalent_ones_is_caught(
    pool: ProcessPoolExecutor, subject_of: Callable[..., Subject]
) -> None:
    """A survivor is reported as one, whether or not it is equivalent: only a person can tell."""
    verdicts = pool.submit(rehearse_all, subject_of()).result()
    assert len(verdicts) > 30
    survivors = [v.mutant for v in verdicts if v.fate is Fate.SURVIVED]
    assert [mutant.becomes for mutant in survivors] == [EQUIVALENT]
    assert {kind_of(v.mutant.operator) for v in verdicts} == set(KINDS) - {"flow"}


def test_a_hole_in_the_tests_lets_a_mutant_survive(
    pool: ProcessPoolExecutor, subject_of: Callable[..., Subject]
) -> None:
    """Otherwise nobody would know that a case is missing."""
    cases = tuple(case for case in CASES if case is not AT_THE_LIMIT)
    verdicts = pool.submit(rehearse_all, subject_of(cases)).result()
    survivors = {v.mutant.becomes for v in verdicts if v.fate is Fate.SURVIVED}
    assert "if number > LIMIT:" in survivors
    assert "LIMIT = 11" in " ".join(" ".join(survivors).split())


def test_an_answer_that_is_not_flushed_is_found_by_a_judgement_only(
    pool: ProcessPoolExecutor, subject_of: Callable[..., Subject]
) -> None:
    """A rehearsal hands over all lines at once, so its survivors are judged as well."""
    subject = subject_of(path="easy.py")
    verdicts = pool.submit(rehearse_all, replace(subject, amount=30)).result()
    assert sum(verdict.fate is Fate.CAUGHT for verdict in verdicts) > 20
    source = project_files("easy", DOMAIN)["easy.py"]
    unflushed = next(m for m in draw("toy", source, SEED) if m.was == "output.flush()")
    files = {**project_files("easy", DOMAIN), "easy.py": unflushed.text}
    rehearsed = pool.submit(rehearse, files, stage(subject.own[0].task()), 5.0).result()
    assert not rehearsed.failure
    cancel = Cancel()
    bench = Bench(launcher=InterpreterLauncher("none"), cancel=cancel)
    verdict = judged(Verdict(mutant=unflushed, fate=Fate.SURVIVED), subject, bench)
    cancel.close()
    assert verdict.fate is Fate.CAUGHT
    assert "no response within" in verdict.reason


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("def answer(fields):\n    while True:\n        pass\n", "CPU time"),
        ("def answer(fields):\n    return fields['n'][0]\n", "it raised"),
        ("def answer(fields):\n    raise SystemExit\n", "no answer"),
        ("def answer(fields):\n    print()\n    return {'result': 1}\n", "no JSON"),
        ("def answer(fields):\n    return {'result': 'x' * 10**10}\n", "MemoryError"),
    ],
)
def test_whatever_a_mutant_does_is_a_failure_and_no_error(
    pool: ProcessPoolExecutor, text: str, failure: str
) -> None:
    """Mutants hang, crash and print; none of that may stop the run."""
    files = {**project_files("easy", DOMAIN), "domain.py": text}
    rehearsed = pool.submit(rehearse, files, stage(task_of(CASES)), 1.0).result()
    assert failure in rehearsed.failure


def test_a_text_that_cannot_be_loaded_is_no_mutant(pool: ProcessPoolExecutor) -> None:
    """It would be caught by any test at all, and would only make the score look better."""
    files = {**project_files("easy", DOMAIN), "domain.py": "answer = NAME"}
    assert not pool.submit(rehearse, files, stage(task_of(CASES)), 1.0).result().loaded


def test_a_reference_that_fails_is_an_error(
    pool: ProcessPoolExecutor, subject_of: Callable[..., Subject]
) -> None:
    """Its mutants would all be caught, and that would mean nothing."""
    wrong = (({"n": 1}, {"ok": True, "result": {"double": 3, "marked": False}}),)
    with pytest.raises(DeclarationError, match="the reference fails it"):
        pool.submit(rehearse_all, subject_of(wrong)).result()


def test_the_same_seed_draws_the_same_mutants() -> None:
    """The list of equivalents names them."""
    drawn = [mutant.key for mutant in draw("toy", DOMAIN, SEED)]
    assert drawn == [mutant.key for mutant in draw("toy", DOMAIN, SEED)]
    assert sorted(drawn) == sorted(mutant.key for mutant in draw("toy", DOMAIN, SEED + 1))
    assert drawn != [mutant.key for mutant in draw("toy", DOMAIN, SEED + 1)]
    assert len(set(drawn)) == len(drawn)


def test_an_edit_elsewhere_does_not_change_the_order() -> None:
    """Else every edit of a reference would need its equivalents to be explained anew."""
    head, tail = DOMAIN.split("\n\n\n")
    edited = f"{head}\n\n\ndef added(a):\n    return -a + 1 < 7 and not a\n\n\n{tail}"
    before = [mutant.key for mutant in draw("toy", DOMAIN, SEED)]
    after = [mutant.key for mutant in draw("toy", edited, SEED) if mutant.place != "added"]
    assert sorted(before) == sorted(after)
    for kind in KINDS:
        assert [k for k in before if kind_of(k[2]) == kind] == [
            k for k in after if kind_of(k[2]) == kind
        ]


@pytest.mark.parametrize(
    "source",
    [
        '"""Nothing 1 > 0."""\n',
        "def nothing(value: int | None) -> int | None:\n    pass\n",
        "import json\nfrom math import *\n",
        "class Nothing:\n    value: int | None\n",
        "def nothing():\n    return None\n",
    ],
)
def test_what_has_no_effect_is_not_mutated(source: str) -> None:
    """A change of a docstring or an annotation is no wrong program."""
    assert list(draw("toy", source, SEED)) == []


@pytest.mark.parametrize(
    "source",
    [
        "a = zip(b, c, strict=True)\n",
        "@d(frozen=True, slots=True)\nclass A:\n    b: int\n",
        "def f(*, a):\n    pass\n",
        "b = lambda *, a: a\n",
    ],
)
def test_restrictions_stay(source: str) -> None:
    """What they forbid happens in no right program, so lifting them changes nothing."""
    drawn = {mutant.operator for mutant in draw("toy", source, SEED)}
    assert drawn <= {"StatementDeletion", "RemoveDecorator"}


def test_defaults_are_mutated() -> None:
    """They stand in a head, but they are no restriction."""
    drawn = [mutant.becomes for mutant in draw("toy", "def f(a=1):\n    pass\n", SEED)]
    assert sorted(drawn) == ["def f(a= 0):", "def f(a= 2):"]


def test_types_are_compared_in_one_way_only() -> None:
    """Two types are equal if they are one, so a mutant of that kind is always right."""
    drawn = {mutant.operator for mutant in draw("toy", "a = type(b) is c\n", SEED)}
    assert "ReplaceComparisonOperator_Is_IsNot" in drawn
    assert "ReplaceComparisonOperator_Is_Eq" not in drawn


@pytest.mark.parametrize(
    ("source", "operator", "becomes"),
    [
        ("a = b in c\n", "ReplaceMembership", ["a = b not in c"]),
        ("a = b not in c in d\n", "ReplaceMembership",
         ["a = b in c in d", "a = b not in c not in d"]),
        ("for a in b:\n    f(a)\n", "ReplaceMembership", []),
        ("for a in b:\n    f(a)\n", "StatementDeletion", ["pass"]),
        ("assert a\n", "StatementDeletion", []),
        ("a = 1; del b\n", "StatementDeletion", ["a = 1; pass", "pass; del b"]),
        ("def f():\n    return (\n        1,\n    )\n", "StatementDeletion", ["pass"]),
        ("def f():\n    if a:\n        return 1\n    return 2\n", "StatementDeletion",
         ["pass", "pass"]),
    ],
)  # fmt: skip
def test_the_operators_of_our_own(source: str, operator: str, becomes: list[str]) -> None:
    """Deleting a statement and negating a membership are the two that the library lacks."""
    drawn = [m.becomes for m in draw("toy", source, SEED) if m.operator == operator]
    assert sorted(drawn) == becomes


def test_no_operator_draws_by_itself_or_compares_identities() -> None:
    """A sample must be the same each time, and must not hang on what an interpreter interns."""
    names = operators()
    assert not {"VariableReplacer", "VariableInserter"} & set(names)
    assert "ReplaceComparisonOperator_Eq_Is" not in names
    assert {"ReplaceComparisonOperator_Is_Eq", "ReplaceComparisonOperator_Is_IsNot"} <= set(names)
    assert {kind_of(name) for name in names} == set(KINDS)


def mutant_of(**fields: str) -> Mutant:
    """A mutant with these fields."""
    given = {"place": "", "operator": "AddNot", "was": "a", "becomes": "b", "text": ""}
    return Mutant(module="toy", **{**given, **fields})


def test_an_entry_is_read_as_it_is_written() -> None:
    """What is printed for a survivor is what has to be pasted into the list."""
    mutant = mutant_of(was='"é\\n" # \\', becomes="'", place="A.b")
    witness = '{"a":"\\u00e9\\n# [[mutant]]"}'
    survivor = Verdict(mutant=mutant, fate=Fate.SURVIVED, witness=witness)
    assert witness in entry(survivor)
    (read,) = tomllib.loads(entry(survivor))["mutant"]
    assert read.pop("reason") == ""
    assert Equivalent(**read, reason="It is right.").key == mutant.key


def test_survivors_must_be_listed_and_the_list_must_be_true() -> None:
    """A listed mutant that is caught, or not drawn any more, would hide a later hole."""
    survivor = mutant_of()
    verdicts = [
        Verdict(mutant=survivor, fate=Fate.SURVIVED),
        Verdict(mutant=mutant_of(was="c"), fate=Fate.CAUGHT),
    ]
    members = {"module": "toy", "operator": "AddNot", "becomes": "b", "reason": "It is right."}
    right, caught = Equivalent(was="a", **members), Equivalent(was="c", **members)
    elsewhere = Equivalent(was="c", **{**members, "module": "another"})
    assert unexplained(verdicts, {}) == verdicts[:1]
    assert unexplained(verdicts, {right.key: right}) == []
    assert stale(verdicts, [right, elsewhere]) == []
    assert stale(verdicts, [right, caught]) == [caught]


def test_a_witness_refutes_what_the_list_says() -> None:
    """A reason that sounds good must not hide a case that the tests lack."""
    survivor = Verdict(mutant=mutant_of(), fate=Fate.SURVIVED, witness='{"n":1}')
    assert unexplained([survivor], {survivor.mutant.key}) == [survivor]


def test_the_score_is_a_table_of_the_tiers(
    capsys: pytest.CaptureFixture[str], subject_of: Callable[..., Subject]
) -> None:
    """What is listed neither lowers the score nor counts as caught."""
    shell = replace(subject_of(path="easy.py"), name="easy")
    results = {"easy": [], "toy": []}
    for name, number, fate in (
        *(("easy", 1, Fate.CAUGHT), ("easy", 2, Fate.SURVIVED), ("easy", 3, Fate.SURVIVED)),
        *(("toy", 4, Fate.LATER), ("toy", 5, Fate.CAUGHT)),
    ):
        results[name].append(Verdict(mutant=mutant_of(was=str(number)), fate=fate))
    show([shell, subject_of()], results, {mutant_of(was="3").key})
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines[0][0] == "domain"
    assert lines[2:] == [
        ["tier", "mutants", "caught", "of these in max only", "survived", "equivalent", "score"],
        ["easy", "3", "1", "0", "1", "1", "50.0 %"],
        ["all domains", "2", "2", "1", "0", "0", "100.0 %"],
        ["everything", "5", "3", "1", "1", "1", "75.0 %"],
    ]


def test_the_list_of_equivalents_is_well_formed() -> None:
    """Each has a reason in words."""
    assert all(len(one.reason) > 20 for one in listed().values())


@pytest.mark.workspace
def test_mutants_of_shipped_references_are_caught_by_the_shipped_tests(
    pool: ProcessPoolExecutor,
) -> None:
    """A handful of what the session does for all."""
    catalog = load_catalog(third_party=False)
    (source,) = catalog.dataset_sources()
    known = {subject.name: subject for subject in subjects(catalog, open_dataset(source.folder))}
    chosen = [
        replace(known[name], amount=8, own=known[name].own[:1])
        for name in ("word-frequency", "easy")
    ]
    verdicts = [verdict for found in pool.map(rehearse_all, chosen) for verdict in found]
    assert len(verdicts) == 16
    assert unexplained(verdicts, listed()) == []
