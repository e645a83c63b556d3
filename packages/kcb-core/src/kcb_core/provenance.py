"""Which code said it: versions, digests of installed files, and the commit of a clone."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

import msgspec

from kcb_core.codec import digest


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
        commit=_commit(Path(__file__).resolve().parent),
    )


@cache
def _commit(folder: Path) -> str:
    git = shutil.which("git")
    if not git or "site-packages" in folder.parts:
        return ""
    done = subprocess.run(
        [git, "-C", str(folder), "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=30,
    )
    return done.stdout.strip() if done.returncode == 0 else ""
