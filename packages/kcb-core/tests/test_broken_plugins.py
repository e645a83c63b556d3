"""Broken third-party plug-ins, installed as such, in processes of their own.

P cannot be imported, Q has a hook with an unknown argument, and R works.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

SOURCES = {
    "p": "import a_module_that_is_not_installed\n",
    "q": """
from kcb_core import hookimpl

@hookimpl
def kcb_register_families(surprise):
    return []
""",
    "r": """
import click
from kcb_core import hookimpl
from kcb_core.roles import Command

@hookimpl
def kcb_register_commands():
    return [Command(name="greet", summary="Say hello.", target="plugin_r:greet")]

@click.command()
def greet():
    click.echo("hello from r")
""",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the three distributions as an installer leaves them."""
    folder = tmp_path_factory.mktemp("site")
    for name, source in SOURCES.items():
        (folder / f"plugin_{name}.py").write_text(source)
        info = folder / f"kcb_third_{name}-1.{ord(name)}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: kcb-third-{name}\nVersion: 1.{ord(name)}\n"
        )
        (info / "entry_points.txt").write_text(f"[kcb]\nthird-{name} = plugin_{name}\n")
    return folder


ONLY_THESE = """
import sys
from importlib import metadata

everything = metadata.entry_points
metadata.entry_points = lambda **which: [
    entry
    for entry in everything(**which)
    if entry.dist.name == "kcb-core" or entry.dist.name.startswith("kcb-third-")
]
from kcb_core.cli import main

main()
"""


@cache
def klein_bench(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command line with the three installed, and nothing else beside kcb-core to be seen."""
    done = subprocess.run(
        [sys.executable, "-c", ONLY_THESE, *words],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stdout
    return done


@pytest.mark.parametrize("words", [["--help"], ["list"], ["greet"]], ids=" ".join)
def test_commands_that_need_neither_work_and_warn_once_of_each(
    site: Path, words: list[str]
) -> None:
    """A broken plug-in must neither stop everybody nor be skipped in silence."""
    done = klein_bench(site, *words)
    assert done.returncode == 0
    about_p, about_q = done.stderr.splitlines()
    assert about_p == (
        "warning: plug-in 'third-p' of kcb-third-p 1.112: ModuleNotFoundError: No module named "
        f"'a_module_that_is_not_installed' ({site}/plugin_p.py:1); run 'klein-bench plugins'"
    )
    assert about_q.startswith("warning: plug-in 'third-q' of kcb-third-q 1.113: ")
    assert "Argument(s) {'surprise'} are declared in the hookimpl" in about_q
    assert about_q.endswith("; run 'klein-bench plugins'")
    assert "Traceback" not in done.stderr


def test_plugin_that_works_goes_on_working(site: Path) -> None:
    """What its neighbours are has nothing to do with it."""
    assert klein_bench(site, "greet").stdout == "hello from r\n"
    assert "Say hello." in klein_bench(site, "--help").stdout


def test_plugins_shows_both_as_broken(site: Path) -> None:
    """This is where one looks; every distribution has its version beside it."""
    done = klein_bench(site, "plugins")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    about = [line.split("\t") for line in done.stdout.splitlines()[2:]]
    assert [row[:4] for row in about] == [
        ["third-p", "kcb-third-p", "1.112", "broken"],
        ["third-q", "kcb-third-q", "1.113", "broken"],
        ["third-r", "kcb-third-r", "1.114", "ok"],
    ]
    assert about[0][4].startswith("ModuleNotFoundError: ")
    assert about[1][4].startswith("PluginValidationError: ")


def test_traceback_is_shown_on_request_only(site: Path) -> None:
    """For the author of the plug-in, who needs the place."""
    done = klein_bench(site, "--debug", "plugins", "--json")
    assert done.returncode == 0
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert rows["third-p"]["status"] == "broken"
    assert rows["third-r"] == {
        "name": "third-r", "distribution": "kcb-third-r", "version": "1.114", "status": "ok",
    }  # fmt: skip
    assert done.stderr.count("Traceback (most recent call last):") >= 2
    assert f'File "{site}/plugin_p.py", line 1' in done.stderr


def test_command_that_a_broken_plugin_may_own_names_it(site: Path) -> None:
    """Whoever asks for P's command learns why it is not there; nothing was started."""
    done = klein_bench(site, "wave")
    assert (done.returncode, done.stdout) == (2, "")
    (error,) = done.stderr.splitlines()
    assert error.startswith("error: unknown command 'wave'")
    assert "plug-in 'third-p' of kcb-third-p 1.112: ModuleNotFoundError" in error
    assert "plug-in 'third-q' of kcb-third-q 1.113: PluginValidationError" in error


def test_without_plugins_nothing_of_them_is_imported_or_said(site: Path) -> None:
    """The way out, whatever a plug-in does when it is imported."""
    done = klein_bench(site, "--no-plugins", "plugins")
    assert done.returncode == 0
    assert "third-" not in done.stdout + done.stderr
    assert klein_bench(site, "--no-plugins", "greet").returncode == 2
