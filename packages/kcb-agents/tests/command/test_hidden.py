"""What an external program can find on this machine: nothing of the benchmark."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

SEARCH = """
# It comes backwards, so that no command line holds what is looked for.
planted, since = sys.argv[2][::-1].encode(), float(sys.argv[3])
names, held, seen = [], [], 0
skipped = ("/proc", "/sys", "/dev")
for folder, folders, entries in os.walk("/"):
    folders[:] = [each for each in folders if os.path.join(folder, each) not in skipped]
    for name in [*folders, *entries]:
        if name.startswith(("kcb_", "kcb-", "klein_bench", "klein-bench")):
            names.append(os.path.join(folder, name))
    for name in entries:
        path = os.path.join(folder, name)
        seen += 1
        try:
            # What was planted is as new as this test; reading all else would take minutes.
            status = os.lstat(path)
            if status.st_ctime >= since and status.st_size < 1 << 24:
                with open(path, "rb") as file:
                    if planted in file.read():
                        held.append(path)
        except OSError:
            pass
for process in filter(str.isdigit, os.listdir("/proc")):
    for name in ("cmdline", "environ"):
        try:
            with open(f"/proc/{process}/{name}", "rb") as file:
                if planted in file.read():
                    held.append(f"/proc/{process}/{name}")
        except OSError:
            pass
own = os.path.dirname(os.path.dirname(sys.argv[1]))  # in which the task lies
names = [name for name in names if name != own]
write(json.dumps({"names": names, "held": held, "seen": seen}))
"""


@pytest.fixture
def planted(tmp_path: Path) -> str:
    """A word that stands in a dataset, a report, a reference and on this machine's disk."""
    word = f"canary-{os.urandom(8).hex()}"
    for name in ("dataset/tests.jsonl", "reports/a.json", "references/main.py", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {word}\n")
    return word


def search(word: str) -> list[str]:
    """The command line that looks for a word."""
    usual = ["{python}", "-I", "{toolchain}/agent.py", "{prompt_file}"]
    return [*usual, word[::-1], str(time.time() - 60)]


def test_the_benchmark_cannot_be_found_from_inside(bench: Any, program: Any, planted: str) -> None:
    """The whole visible file system is walked: names of this project, and a planted word."""
    done = program(SEARCH, argv=search(planted))
    assert done.reason == ("done", "")
    found = json.loads(bench.files()["main.py"])
    assert found["seen"] > 1000, "it has seen the system's files"
    assert (found["held"], found["names"]) == ([], [])


def test_the_search_would_find_it(bench: Any, program: Any, planted: str, tmp_path: Path) -> None:
    """The same search with a folder shown that holds the word: it is no empty promise."""
    shown = tmp_path / "references"
    program(SEARCH, argv=search(planted), show=["{toolchain}", str(shown)])
    assert json.loads(bench.files()["main.py"])["held"] == [str(shown / "main.py")]


def test_the_evaluators_own_packages_cannot_be_shown(program: Any) -> None:
    """Not by mistake either."""
    import kcb_core  # noqa: PLC0415

    folder = str(Path(kcb_core.__file__).parents[1])
    done = program("write()", show=["{toolchain}", folder])
    assert done.outcome.status == 2
    assert "packages of the evaluator lie there" in done.outcome.err
