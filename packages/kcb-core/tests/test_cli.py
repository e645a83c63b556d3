"""The command line: parsing, dispatch, exit statuses."""

import errno
import os
import platform
import re
import runpy
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from kcb_core import cli, hookimpl
from kcb_core.errors import DataError, ExitStatus, KcbError, MachineError
from kcb_core.roles import Command
from kcb_core.testing.values import plugin_giving, small_task, write_dataset

Run = Callable[..., Any]


@click.command()
@click.argument("how")
@click.pass_context
def act(ctx: click.Context, how: str) -> object:
    """Come to one of many ends."""
    errors: dict[str, BaseException] = {
        "kcb": KcbError("a fault\nof two lines"),
        "data": DataError("r.json: broken"),
        "machine": MachineError("disk full"),
        "bug": ZeroDivisionError("division by\nzero"),
        "silent": AssertionError(),
        "interrupt": KeyboardInterrupt(),
        "abort": click.Abort(),
        "usage": click.UsageError("that cannot be"),
        "pipe": BrokenPipeError(),
        "pipe by number": BrokenPipeError(errno.EPIPE, "Broken pipe"),
        "leave": SystemExit(),
        "leave with 7": SystemExit(7),
        "leave with words": SystemExit("no more"),
    }
    if how in errors:
        raise errors[how]
    if how == "fail":
        ctx.exit(ExitStatus.FAILED)
    return {"return 3": ExitStatus.MACHINERY, "return true": True, "return text": "1"}.get(how)


NOT_A_COMMAND = 3
ACT = Command(name="act", summary="Act.", target="acting:act")
ACTING = ("acting", plugin_giving(commands=[ACT]))


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands of this file be imported by name."""
    monkeypatch.setitem(sys.modules, "acting", sys.modules[__name__])


def shell(
    *words: str, env: dict[str, str] | None = None, program: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    """A command line in a process of its own, with the house's plug-ins only."""
    start = [sys.executable, "-c", program] if program else [sys.executable, "-m", "kcb_core"]
    return subprocess.run(
        [*start, "--no-plugins", *words], capture_output=True, env={**os.environ, **(env or {})},
        check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("how", "status", "err"),
    [
        ("nothing", 0, ""),
        ("fail", 1, ""),
        ("return 3", 3, ""),
        ("return true", 0, ""),
        ("return text", 0, ""),
        ("kcb", 3, "error: a fault of two lines\n"),
        ("data", 2, "error: r.json: broken\n"),
        ("machine", 3, "error: disk full\n"),
        ("bug", 3, "error: unexpected ZeroDivisionError: division by zero; --debug shows where\n"),
        ("silent", 3, "error: unexpected AssertionError: AssertionError; --debug shows where\n"),
        ("interrupt", 130, "\nerror: interrupted\n"),
        ("abort", 130, "error: interrupted\n"),
        ("leave", 0, ""),
        ("leave with 7", 7, ""),
        ("leave with words", 3, "error: no more\n"),
        ("pipe", 0, ""),
        ("pipe by number", 0, ""),
    ],
)
def test_every_end_has_its_exit_status_and_one_line(
    klein_bench: Run, how: str, status: int, err: str
) -> None:
    """Scripts go by the status; 1 is only ever said of a submission, a validation or a gate."""
    done = klein_bench("act", how, plugins=[ACTING])
    assert (done.status, done.out, done.err) == (status, "", err)


@pytest.mark.parametrize("how", ["data", "machine", "bug"])
def test_traceback_is_shown_on_request_only(klein_bench: Run, how: str) -> None:
    """Users want the remedy; whoever reports a bug wants the place."""
    assert "Traceback" not in klein_bench("act", how, plugins=[ACTING]).err
    done = klein_bench("--debug", "act", how, plugins=[ACTING])
    assert done.err.splitlines()[0].startswith("error: ")
    assert done.err.splitlines()[1] == "Traceback (most recent call last):"
    assert "test_cli.py" in done.err
    after = klein_bench("act", how, "--debug", plugins=[ACTING])
    assert "Traceback" not in after.err


@pytest.mark.parametrize(
    "words",
    [
        ["act"],
        ["act", "usage"],
        ["act", "a", "b"],
        ["act", "--nowhere", "a"],
        ["--nowhere"],
        ["--debug"],
        ["--", "-x"],
    ],
)
def test_wrong_invocation_is_2_and_shows_the_usage(klein_bench: Run, words: list[str]) -> None:
    """It is told from a submission that failed, which is 1."""
    done = klein_bench(*words, plugins=[ACTING])
    assert (done.status, done.out) == (2, "")
    assert "Usage: klein-bench" in done.err
    assert "Traceback" not in done.err


def test_option_without_its_value_is_named(klein_bench: Run) -> None:
    """The parser's own errors are the caller's mistakes too."""
    done = klein_bench("list", "--subset")
    assert (done.status, done.out) == (2, "")
    assert "Option '--subset' requires an argument." in done.err


def test_unknown_command_is_answered_with_the_nearest(klein_bench: Run) -> None:
    """A typing error costs one look."""
    done = klein_bench("lsit")
    assert (done.status, done.out) == (2, "")
    assert done.err == "error: unknown command 'lsit'; did you mean 'list'?\n"


def test_unknown_command_may_be_that_of_a_broken_plugin(klein_bench: Run) -> None:
    """Otherwise the user would look for a typing error that is not there."""
    done = klein_bench("greet", plugins=[("greeter", plugin_giving(commands=3))])
    assert done.status == 2
    assert "unknown command 'greet'" in done.err
    assert "plug-in 'greeter' of given: TypeError" in done.err


def test_help_lists_every_command_with_its_line(klein_bench: Run) -> None:
    """Those of plug-ins stand among the others."""
    done = klein_bench("--help", plugins=[ACTING])
    assert (done.status, done.err) == (0, "")
    for line in ("Act.", "List tasks.", "Check this machine.", "List plug-ins"):
        assert line in done.out
    assert klein_bench("-h", plugins=[ACTING]).out == done.out


def test_help_of_a_command_is_its_own(klein_bench: Run) -> None:
    """It is imported for that, with its options."""
    done = klein_bench("act", "--help", plugins=[ACTING])
    assert done.status == 0
    assert "Usage: klein-bench act" in done.out
    assert "Come to one of many ends." in done.out


def test_nothing_asked_shows_the_help_and_is_invalid(klein_bench: Run) -> None:
    """A script whose variable was empty must not go on as if something had been done."""
    done = klein_bench()
    assert done.status == 2
    assert "List tasks." in done.out


def test_version_is_that_of_the_distribution(klein_bench: Run) -> None:
    """It is asked for in every bug report."""
    done = klein_bench("--version")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("klein-bench, version 0.")


def broken_commands() -> list[tuple[str, str]]:
    """Targets that cannot be called, and why."""
    return [
        ("nowhere_at_all:act", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("acting:nowhere", "AttributeError: module"),
        ("acting:NOT_A_COMMAND", "TypeError: 3 is no click command"),
        ("acting", "AttributeError: module"),
        ("", "ValueError: Empty module name"),
        ("broken_command_module:x", "SyntaxError: invalid syntax"),
    ]


@pytest.mark.parametrize(("target", "reason"), broken_commands())
def test_command_that_cannot_be_loaded_is_named(
    klein_bench: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str, reason: str
) -> None:
    """Whatever is wrong with a plug-in's module, it is an error with the command's name."""
    (tmp_path / "broken_command_module.py").write_text("def f(:")
    monkeypatch.syspath_prepend(str(tmp_path))
    command = Command(name="go", summary="Go.", target=target)
    plugins = [("p", plugin_giving(commands=[command]))]
    done = klein_bench("go", plugins=plugins)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"error: command 'go' cannot be loaded from {target}: {reason}")
    assert klein_bench("--help", plugins=plugins).status == 0


def test_broken_plugin_is_warned_about_once(klein_bench: Run) -> None:
    """Every command says it in one line, and does what it was asked for."""
    plugins = [("moody", plugin_giving(commands=3)), ACTING]
    for words in (["--help"], ["list"], ["act", "nothing"]):
        done = klein_bench(*words, plugins=plugins)
        assert done.status == 0
        (warning,) = done.err.splitlines()
        assert warning.startswith("warning: plug-in 'moody' of given: TypeError: 'int' object")
        assert warning.endswith("; run 'klein-bench plugins'")


def test_plugin_that_fails_in_the_middle_is_warned_about_too(klein_bench: Run) -> None:
    """Its dataset is silently missing from the list otherwise."""
    done = klein_bench("list", plugins=[("moody", plugin_giving(dataset_sources=3))])
    assert (done.status, done.out) == (0, "")
    assert done.err.count("warning: plug-in 'moody'") == 1


def test_plugins_command_shows_what_is_broken_instead_of_warning(klein_bench: Run) -> None:
    """It would say everything twice."""
    done = klein_bench("plugins", plugins=[("moody", plugin_giving(commands=3))])
    assert (done.status, done.err) == (0, "")
    assert "broken" in done.out


def test_a_command_of_a_stranger_cannot_take_the_place_of_the_houses(klein_bench: Run) -> None:
    """Every start asks for all commands, so one stranger must not bar the way to the others."""
    other = plugin_giving(commands=[Command(name="list", summary="", target="acting:act")])
    done = klein_bench("list", plugins=[("another", other)])
    assert done.status == 0
    assert "command 'list' is declared by both 'core' of given and 'another' of given" in done.err


def test_options_of_the_group_stand_before_the_command(klein_bench: Run) -> None:
    """Behind it, a word belongs to the command."""
    moody = ("moody", plugin_giving(commands=3))
    assert klein_bench("--no-plugins", "--debug", "list", plugins=[moody]).err == ""
    assert "warning" in klein_bench("--debug", "list", plugins=[moody]).err
    assert klein_bench("list", "--no-plugins", plugins=[moody]).status == 2


def test_interrupt_while_plugins_load_is_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C means stop, whenever it comes."""

    class Interrupting:
        @hookimpl
        def kcb_register_commands(self) -> list[object]:
            raise KeyboardInterrupt

    def load(**options: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "load_catalog", load)
    assert cli.run(["list"]) == 130
    assert capsys.readouterr().err == "error: interrupted\n"


@pytest.mark.parametrize(("name", "value"), [("_OLDEST_PYTHON", (9, 0)), ("_SYSTEMS", ("Plan 9",))])
def test_unsupported_platform_is_refused(
    klein_bench: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    """A clear refusal, and never a benchmark full of zeros."""
    monkeypatch.setattr(cli, name, value)
    done = klein_bench("list")
    assert (done.status, done.out) == (2, "")
    version, system = platform.python_version(), platform.system()
    assert done.err == (
        f"error: Python {version} on {system} is not supported; "
        "Python 3.11 or newer on Linux or macOS is\n"
    )


def test_main_exits_with_the_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is what the installed programs and ``python -m`` call."""
    with pytest.raises(SystemExit) as stop:
        cli.main(["--no-plugins", "nowhere"])
    assert stop.value.code == 2
    monkeypatch.setattr(sys, "argv", ["kcb", "--no-plugins", "--version"])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 0
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("kcb_core")
    assert stop.value.code == 0
    assert capsys.readouterr().out.count("klein-bench, version") == 2


def test_help_imports_no_command_and_is_quick() -> None:
    """It is asked for all the time, and must not wait for what it does not need."""
    program = """if True:
        import sys, kcb_core.cli
        try:
            kcb_core.cli.main()
        finally:
            print(*sorted(sys.modules), file=sys.stderr)
    """
    begin = time.perf_counter()
    done = shell("--help", program=program)
    took = time.perf_counter() - begin
    assert done.returncode == 0
    modules = done.stderr.decode().split()
    assert "kcb_core.cli" in modules
    assert [name for name in modules if name.startswith("kcb_core.commands")] == []
    assert {"hypothesis", "pytest", "_pytest", "kcb_core.testing"}.isdisjoint(modules)
    assert took < 3


def test_closed_pipe_is_no_failure(tmp_path: Path) -> None:
    """``klein-bench list | head -1``: the reader has what it wanted."""
    many = [small_task(f"toy-easy-{number:03d}-{'a' * 99}") for number in range(1, 300)]
    dataset = write_dataset(tmp_path, *many)
    start = [sys.executable, "-m", "kcb_core", "--no-plugins"]
    for words in (["list", "--dataset", str(dataset.folder)], ["plugins", "--json"]):
        process = subprocess.Popen([*start, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaints = [
            line
            for line in process.stderr.read().decode().splitlines()
            if not line.startswith("warning: plug-in ")
        ]
        process.stderr.close()
        assert (process.wait(), complaints) == (0, [])


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=["ascii", "C locale", "Latin-1"],
)
def test_any_locale_carries_any_text(tmp_path: Path, env: dict[str, str]) -> None:
    """A character that the locale does not have is shown as its escape, and ends nothing."""
    golden = Path(__file__).parent / "golden" / "report-v1.json"
    dataset = write_dataset(tmp_path / "toy", small_task(title="円 😀"))
    where = ["--dataset", str(dataset.folder)]
    lines = [
        ["show", str(golden)],
        ["list", "--long", *where],
        ["show", "toy-easy-001-amounts", *where],
        ["show", "円😀"],
    ]
    program = f"""if True:
        from kcb_core import cli, console
        console.prepare_streams()
        for words in {lines!a}:
            print("status", cli.run(["--no-plugins", *words]), flush=True)
    """
    done = shell(env=env, program=program)
    assert done.returncode == 0
    report, listed, prompt, wrong, _ = re.split(rb"status \d\n", done.stdout)
    assert re.findall(rb"status (\d)\n", done.stdout) == [b"0", b"0", b"0", b"2"]
    assert b'"revision":"\\ud800"' in report
    assert b"\\U0001f600" in report
    assert b"\\u5186 \\U0001f600" in listed
    assert b"\\U0001f600" in prompt
    assert wrong == b""
    assert b"is no task id" in done.stderr


def test_workspace_does_not_depend_on_the_locale(tmp_path: Path) -> None:
    """The prompt is a file of bytes, the same on every host."""
    dataset = write_dataset(tmp_path / "toy", small_task())
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = ("prepare", "toy-easy-001-amounts", "--dataset", str(dataset.folder))
    done = shell(*words, "-o", str(tmp_path / "w"), env=env)
    assert done.returncode == 0
    assert (tmp_path / "w" / "PROMPT.md").read_bytes() == small_task().prompt.encode()


def test_all_ways_to_start_are_one_program() -> None:
    """``klein-bench``, ``kcb`` and ``python -m kcb_core`` differ in nothing."""
    scripts = Path(sys.executable).parent
    starts = [[str(scripts / "klein-bench")], [str(scripts / "kcb")]]
    starts.append([sys.executable, "-m", "kcb_core"])
    results = [
        subprocess.run([*start, "--no-plugins", "lsit"], capture_output=True, check=False)
        for start in starts
    ]
    assert [done.returncode for done in results] == [2, 2, 2]
    assert {done.stdout for done in results} == {b""}
    assert len({done.stderr for done in results}) == 1
