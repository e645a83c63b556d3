"""Which code said it: versions, digests of installed files, and the commit of a clone."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from kcb_core.codec import decode, digest


class Revision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The exact code of one distribution."""

    distribution: str
    """Name of the distribution."""
    version: str
    """Its version."""
    record_sha256: str = ""
    """SHA-256 of the list of its installed files, which holds a digest of each."""
    commit: str = ""
    """Commit of the clone it runs from, with ``-dirty`` behind it if that was changed."""


@cache
def revision(distribution: str) -> Revision:
    """The exact code of an installed distribution.

    Args:
        distribution: its name, such as ``kcb-runner``.
    """
    try:
        installed = metadata.distribution(distribution)
    except metadata.PackageNotFoundError:
        return Revision(distribution=distribution, version="unknown")
    record = installed.read_text("RECORD") or ""
    return Revision(
        distribution=distribution,
        version=installed.version,
        record_sha256=digest(record.encode()) if record else "",
        commit=_commit(_clone(installed)),
    )


class _Origin(msgspec.Struct, frozen=True):
    """What ``direct_url.json`` says of an installation from a folder or an archive."""

    url: str
    dir_info: dict[str, bool] = msgspec.field(default_factory=dict)


def _clone(installed: metadata.Distribution) -> Path | None:
    """The folder that an editable installation runs from."""
    text = installed.read_text("direct_url.json")
    origin = decode(text.encode(), _Origin, source="direct_url.json") if text else None
    if origin is None or not origin.dir_info.get("editable"):
        return None
    return Path(unquote(urlsplit(origin.url).path))


def commit_of(file: Path) -> str:
    """The commit of the clone that tracks a file, ``-dirty`` behind it if the clone was changed.

    Nothing for a file that no clone tracks, such as an installed one.
    """
    if not _git(file.parent, "ls-files", "--error-unmatch", "--", file.name):
        return ""
    return _commit(file.parent)


@cache
def _commit(folder: Path | None) -> str:
    if folder is None:
        return ""
    return _git(folder, "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*")


def _git(folder: Path, *words: str) -> str:
    """What a git command prints; nothing where it fails or there is no git."""
    git = shutil.which("git")
    if not git:
        return ""
    done = subprocess.run(
        [git, "-C", str(folder), *words],
        env={k: v for k, v in os.environ.items() if not k.startswith("GIT_")},  # as in a git hook
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=30,
    )
    return done.stdout.strip() if done.returncode == 0 else ""
