"""What a commit is built into: an sdist of each package and, from that sdist, a wheel.

Two builds of one commit are the same to the byte, wherever, whenever and by whomever they are made.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

BUILD_TIMEOUT_S = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What differs from builder to builder and must not be seen in what is built."""

    umask: int
    variables: Mapping[str, str] = field(default_factory=dict)
    touched: bool = False
    """Whether the files carry the time of the build in place of that of the commit."""


#: Two builders as unlike as one machine can make them.
UNLIKE = (
    Circumstances(umask=0o022, variables={"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"}),
    Circumstances(
        umask=0o077,
        variables={"PYTHONHASHSEED": "2", "TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8"},
        touched=True,
    ),
)


def git(root: Path, *words: str) -> bytes:
    """What a command of git prints.

    Raises:
        subprocess.CalledProcessError: it fails; its own words went to standard error.
    """
    return subprocess.run(["git", *words], cwd=root, check=True, stdout=subprocess.PIPE).stdout


def lay_out(root: Path, commit: str, tree: Path, how: Circumstances) -> None:
    """Write the files of a commit, and no others, into a new folder."""
    packed = io.BytesIO(git(root, "archive", "--format=tar", commit))
    with tarfile.open(fileobj=packed) as archive:
        archive.extractall(tree, filter="data")
    for path in (tree, *tree.rglob("*")):
        path.chmod(path.stat().st_mode & ~how.umask)
        if how.touched:
            os.utime(path)


def build(tree: Path, folders: Sequence[Path], out: Path, epoch: str, how: Circumstances) -> None:
    """Build packages of a tree into a folder.

    Args:
        tree: a folder that :func:`lay_out` made.
        folders: the packages in it.
        out: where archives go.
        epoch: seconds since 1970, the only time that may be seen in an archive.
        how: what must not be seen in one.

    Raises:
        subprocess.CalledProcessError: a package cannot be built.
    """
    environment = {**os.environ, **how.variables, "SOURCE_DATE_EPOCH": epoch}
    for folder in folders:
        subprocess.run(
            [sys.executable, "-m", "uv", "build", "--quiet", f"--out-dir={out}", str(folder)],
            cwd=tree,
            check=True,
            env=environment,
            umask=how.umask,
            timeout=BUILD_TIMEOUT_S,
        )
    (out / ".gitignore").unlink(missing_ok=True)


def build_twice(root: Path, commit: str, work: Path) -> tuple[Path, Path]:
    """Two folders of archives of one commit, built at once under circumstances that differ."""
    epoch = git(root, "log", "-1", "--format=%ct", commit).decode().strip()

    def one(turn: int) -> Path:
        tree, out = work / f"tree-{turn}", work / f"built-{turn}"
        lay_out(root, commit, tree, UNLIKE[turn])
        build(tree, sorted((tree / "packages").iterdir()), out, epoch, UNLIKE[turn])
        return out

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(one, range(2))
    return first, second


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of each file in a folder, by name."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def differences(first: Path, second: Path) -> Iterator[str]:
    """One line for each archive that two folders do not both hold with the same bytes."""
    ours, theirs = digests(first), digests(second)
    for name in sorted(ours.keys() | theirs.keys()):
        if name not in ours or name not in theirs:
            yield f"{name}: built only once"
        elif ours[name] != theirs[name]:
            unlike = members(first / name).items() ^ members(second / name).items()
            where = ", ".join(sorted({member for member, _ in unlike})) or "how it is packed"
            yield f"{name}: differs in {where}"


def members(archive: Path) -> dict[str, tuple[object, ...]]:
    """Content, mode and time of each file in a wheel or an sdist, by name."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as opened:
            return {
                info.filename: (info.CRC, info.external_attr, info.date_time)
                for info in opened.infolist()
            }
    with tarfile.open(archive) as packed:
        return {
            info.name: (_content(packed, info), info.mode, info.mtime, info.uid, info.uname)
            for info in packed.getmembers()
        }


def _content(packed: tarfile.TarFile, info: tarfile.TarInfo) -> str:
    opened = packed.extractfile(info)
    return "" if opened is None else hashlib.sha256(opened.read()).hexdigest()
