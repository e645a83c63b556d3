"""The image for containers, put together from Debian's packages: no image registry is asked.

``apt-get`` fetches and checks the packages, ``dpkg-deb`` unpacks them, and nothing of them is run
but the interpreter, which compiles its own library.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_runner.launch.engine import Engine, last_line

IMAGE = "kcb-python"
"""Name of the image that is made, and used, by default."""

PACKAGES = ("python3", "dash", "coreutils", "tzdata")
"""An interpreter with its whole library, a shell and its tools, and the time zones."""

FETCH_S = 600.0
"""How long fetching packages may take, and how long importing an image."""

_MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_EMPTY = ("dev", "proc", "sys")
_LINKS = {"tmp": "kcb/home", "var/tmp": "/kcb/home"}
_LEFT_OUT = ("locale", "man", "info", "lintian")
_NEEDED = ("apt-get", "dpkg-deb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image that was made."""

    id: str
    name: str
    python: str
    """Version of its Python."""
    packages: tuple[str, ...]
    """Name and version of each package in it, in order."""


def build_image(engine: Engine, name: str = IMAGE, extra: Sequence[str] = ()) -> Image:
    """Make an image and hand it to an engine; equal packages give an equal root.

    Args:
        engine: which is to have it.
        name: what it is called there.
        extra: packages beside :data:`PACKAGES`, such as ``nodejs``.

    Raises:
        MachineError: a program or a package is missing, or the engine does not take the image.
    """
    missing = [program for program in _NEEDED if not shutil.which(program)]
    if missing:
        raise MachineError(
            f"an image is put together by {' and '.join(_NEEDED)}, which Debian and Ubuntu have; "
            f"here {' and '.join(missing)} is missing"
        )
    with tempfile.TemporaryDirectory(prefix="kcb-image-") as folder:
        debs = fetch((*PACKAGES, *extra), Path(folder, "packages"))
        root = Path(folder, "root")
        unpack(debs, root)
        python = compile_library(root)
        archive = Path(folder, "root.tar")
        pack(root, archive)
        packages = tuple(sorted(_described(deb) for deb in debs))
        labels = {"kcb": "1", "kcb.python": python, "kcb.packages": ",".join(packages)}
        changes = [f"--change=LABEL {key}={value}" for key, value in labels.items()]
        engine.call("import", *changes, "-", name, data=archive, patience_s=FETCH_S)
    return Image(id=engine.image_id(name), name=name, python=python, packages=packages)


def fetch(packages: Iterable[str], folder: Path) -> list[Path]:
    """Fetch packages with all that they depend on, as this machine's ``apt`` knows them.

    Raises:
        MachineError: one is not known, or cannot be had.
    """
    (folder / "partial").mkdir(parents=True)
    options = {
        "Dir::State::status": os.devnull,  # nothing counts as installed already
        "Dir::Cache::archives": str(folder),
        "APT::Sandbox::User": "",
        "Debug::NoLocking": "true",
    }
    words = [f"--option={key}={value}" for key, value in options.items()]
    plan = ("--yes", "--quiet", "--no-install-recommends", "--download-only", "install")
    remedy = "'apt-get update' as root tells apt which packages there are"
    _run(("apt-get", *words, *plan, *packages), remedy=remedy)
    return sorted(folder.glob("*.deb"))


def unpack(debs: Iterable[Path], root: Path) -> None:
    """Unpack packages into a root, laid out as every Debian is today: all under ``/usr``."""
    root.mkdir()
    for deb in debs:
        _run(("dpkg-deb", "--extract", str(deb), str(root)))
    for name in _MERGED:
        apart, merged = root / name, root / "usr" / name
        if apart.is_dir() and not apart.is_symlink():
            shutil.copytree(apart, merged, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(apart)
        if merged.is_dir() and not apart.is_symlink():
            apart.symlink_to(f"usr/{name}")
    for name in _LEFT_OUT:
        shutil.rmtree(root / "usr/share" / name, ignore_errors=True)
    for name in _EMPTY:
        (root / name).mkdir(exist_ok=True)
    for name, target in _LINKS.items():
        shutil.rmtree(root / name, ignore_errors=True)
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).symlink_to(target)


def compile_library(root: Path) -> str:
    """Compile the library of the root's Python by itself; its version.

    In a container nothing can be written, so that every session would compile it anew.
    """
    (loader,) = (root / "usr/lib").glob("*-linux-gnu/ld-linux-*.so.*")
    libraries = ":".join(str(path) for path in (root / "usr/lib").glob("*-linux-gnu"))
    python = os.path.realpath(root / "usr/bin/python3")
    start = (str(loader), "--library-path", libraries, python, "-B", "-s", "-S")
    environment = {"PYTHONHOME": str(root / "usr"), "PYTHONHASHSEED": "0", "LANG": "C.UTF-8"}
    library = root / "usr/lib" / os.path.basename(python)
    where = ("-s", str(root), "-p", "/", str(library))
    compiling = ("-m", "compileall", "-q", "--invalidation-mode=unchecked-hash", *where)
    _run((*start, *compiling), environment=environment)
    version = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
    return _run((*start, "-c", version), environment=environment)


def pack(root: Path, archive: Path) -> None:
    """Put a root into a tar file that depends on names, modes and contents alone."""
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(root.rglob("*")):
            member = tar.gettarinfo(path, arcname=str(path.relative_to(root)))
            member.uid = member.gid = member.mtime = 0
            member.uname = member.gname = ""
            if member.isreg():
                with path.open("rb") as file:
                    tar.addfile(member, file)
            else:
                tar.addfile(member)


def _described(deb: Path) -> str:
    name, version, _ = deb.name.split("_")
    return f"{name}={version.replace('%3a', ':')}"


def _run(
    words: Sequence[str], *, environment: dict[str, str] | None = None, remedy: str = ""
) -> str:
    """Run a program to its end; its standard output without space around it."""
    name = os.path.basename(words[0])
    try:
        done = subprocess.run(
            words,
            env={**os.environ, "LC_ALL": "C.UTF-8"} if environment is None else environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=FETCH_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MachineError(f"{name}: {error}") from error
    if done.returncode:
        raise MachineError(f"{name}: {last_line(done.stderr)}{remedy and f'; {remedy}'}")
    return done.stdout.decode("utf-8", "replace").strip()
