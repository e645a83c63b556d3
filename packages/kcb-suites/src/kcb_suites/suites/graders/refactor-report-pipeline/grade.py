"""Hidden grader of refactor-report-pipeline: the same behaviour, and the structure asked for."""

from logs import cases
from steps import GRADER_DIR, Grader, Raised, Workspace, main
from structure import PUBLIC, module_problems

TESTS = ["tests/__init__.py", "tests/test_cli.py", "tests/test_report.py"]
LOG = "# x\n2024-01-02;in;A  b;2;1.5;n\n2024-01-03; OUT ;a b;1;2\n\noops\n2024-01-04;count;c;0;0\n"
DEFAULTS = ["item", "name", False, None, "text", None, None, None, "EUR", "Stock movements", True]
WRONG = [
    ({"by": "x"}, "ValueError", "cannot group by 'x'"),
    ({"order": "x"}, "ValueError", "cannot order by 'x'"),
    ({"form": "x"}, "ValueError", "unknown form 'x'"),
    ({"top": 0}, "ValueError", "top must be at least 1"),
]
PARSED = [
    ["2024-01-02", "in", "A b", 2, 150, "n"],
    ["2024-01-03", "out", "a b", 1, 200, ""],
    ["2024-01-04", "count", "c", 0, 0, ""],
]
ARGUMENTS = [
    ["log"],
    ["--by", "week", "--form", "markdown", "--kind", "in", "--kind", "out", "log"],
    ["--since", "2024-01-03", "--no-problems", "--title", "T", "--currency", "kr", "log"],
    ["--order", "value", "--reverse", "--top", "1", "good"],
    ["--top", "0", "log"],
    ["--by", "colour", "log"],
    ["nowhere"],
    ["--colour", "log"],
]


def check_structure(grader):
    """The rules of docs/STRUCTURE.md; each module is one assertion."""
    work = grader.work
    for name in ("hooks", "settings"):
        grader.check(not work.has(f"stockreport/{name}.py"), f"{name}.py is still there")
    found = {path.stem: path for path in sorted(work.path("stockreport").rglob("*.py"))}
    for name in PUBLIC:
        grader.check(name in found, f"there is no stockreport/{name}.py")
    for name, path in found.items():
        problems = list(module_problems(name, work.read(str(path.relative_to(work.folder)))))
        grader.check(not problems, f"{name}.py: {'; '.join(problems)}")


def check_behaviour(grader, frozen):
    """The code as it was handed out is the measure, whole and step by step."""
    pairs = list(cases(260, seed=20240304))
    expected = frozen.ask("driver.py", [["whole", *pair] for pair in pairs])
    wanted = list(zip(pairs, expected, strict=True))
    grader.answers(
        "driver.py",
        [(f"report {n}", ["whole", *pair], said) for n, (pair, said) in enumerate(wanted)],
    )
    grader.answers(
        "driver.py",
        [(f"report {n} by steps", ["steps", *pair], said) for n, (pair, said) in enumerate(wanted)],
    )


def check_parts(grader):
    """The public names of the modules."""
    asked = [
        ("defaults of Options", ["defaults", "", {}], DEFAULTS),
        (
            "parse_movements",
            ["parsed", LOG, {}],
            [PARSED, ["line 5: 5 or 6 fields expected, found 1"]],
        ),
        ("select by time", ["selected", LOG, {"since": "2024-01-03", "until": "2024-01-03"}], [1]),
        ("select by kind", ["selected", LOG, {"kinds": ["in", "count"]}], [0, 2]),
        ("select all", ["selected", LOG, {}], [0, 1, 2]),
        ("group knows no top", ["grouped", LOG, {"top": 1}], 2),
        ("group selects nothing", ["grouped", LOG, {"by": "day", "since": "2025"}], 3),
        ("unknown option", ["whole", "", {"x": 1}], Raised("TypeError", "unknown option 'x'")),
    ]
    for options, name, message in WRONG:
        about = f"{options}"
        asked.append((about, ["whole", "", options], Raised(name, message)))
        asked.append((f"Options, {about}", ["defaults", "", options], Raised(name, message)))
    grader.answers("driver.py", asked)


def check_command(grader, frozen):
    """The command, against the one that was handed out."""
    for work in (grader.work, frozen):
        work.path("log").write_text(LOG, encoding="utf-8")
        work.path("good").write_text(LOG.replace("oops", ""), encoding="utf-8")
    for arguments in ARGUMENTS:
        command = ["python3", "-m", "stockreport", *arguments]
        runs = [work.run(command) for work in (grader.work, frozen)]
        said, wanted = ([run.status, run.stdout, run.stderr] for run in runs)
        grader.equal(said, wanted, f"stockreport {' '.join(arguments)}")


def grade(grader: Grader) -> None:
    """Structure, behaviour, and the tests as they were handed out."""
    frozen = Workspace(GRADER_DIR / "frozen").copy()
    check_structure(grader)
    check_behaviour(grader, frozen)
    check_parts(grader)
    check_command(grader, frozen)
    grader.visible_tests(["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."], TESTS)


if __name__ == "__main__":
    main(grade)
