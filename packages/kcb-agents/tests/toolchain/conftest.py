"""A tiny toolchain of Python, really built, and a tree of a few files that can be spoilt."""

import hashlib
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kcb_agents.toolchain import pins
from kcb_agents.toolchain.checksums import write_list
from kcb_agents.toolchain.recipe import Recipe

NAME = "mini-swe-agent"
"""A preset that there is a toolchain of; what is built under its name here is another program."""

SOURCE = '''
import sys

def main():
    """Hand in a project, and tell which files this process uses."""
    with open("/proc/self/maps") as maps, open("main.py", "w") as project:
        lines = sorted({line.split(maxsplit=5)[5] for line in maps if "/" in line})
        project.write("# " + "# ".join(lines) + "# " + sys.prefix + "\\n")

class Group:
    main = staticmethod(main)
'''


def wheel(folder: Path, name: str, source: str, commands: str) -> str:
    """Put a wheel into a folder; its line in a lockfile."""
    path = folder / f"{name}-1.0-py3-none-any.whl"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for member, text in {
            f"{name}.py": source,
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/entry_points.txt": f"[console_scripts]\n{commands}",
            f"{info}/RECORD": "",
        }.items():
            archive.writestr(member, text)
    return f"{name}==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture(scope="session")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Recipe:
    """A program of one command, from wheels on disk and no index."""
    folder = tmp_path_factory.mktemp("wheels")
    tiny = wheel(folder, "tiny", SOURCE, "mini = tiny:main\nnested = tiny:Group.main\n")
    needed = wheel(folder, "needed", "", "other = needed:main\n")
    settings = folder / "pip.conf"
    settings.write_text(f"[install]\nno-index = true\nfind-links = {folder}\n")
    patch = pytest.MonkeyPatch()
    patch.setenv("PIP_CONFIG_FILE", str(settings))
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        patch.delenv(name, raising=False)
    yield Recipe(
        name=NAME,
        requirements=(tiny + needed).encode(),
        python=f"{sys.version_info[0]}.{sys.version_info[1]}",
        program="tiny",
    )
    patch.undo()


@pytest.fixture
def pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Pins a fingerprint for the preset, in a file of this test's own."""
    path = tmp_path / "fingerprints.toml"
    path.write_text("")
    monkeypatch.setattr(pins, "PINS", path)
    return lambda fingerprint: pins.write_pin(NAME, fingerprint)


@pytest.fixture
def tree(tmp_path: Path, pinned: Callable[[str], None]) -> Path:
    """A listed and pinned tree."""
    root = tmp_path / "tree"
    for name, text in {"bin/run": "run", "lib/deep/a.py": "a", "lib/deep/b.py": "b"}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    pinned(write_list(root))
    return root
