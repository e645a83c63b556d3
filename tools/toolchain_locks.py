"""The lockfiles of toolchains, resolved anew: one digest for each file, and no word of where from.

They hold what linux/amd64 takes and nothing else, so that a reviewer reads each package once.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TOOLCHAIN = (
    Path(__file__).parent.parent / "packages" / "kcb-agents" / "src" / "kcb_agents" / "toolchain"
)
LOCKS = TOOLCHAIN / "locks"

#: What a wheel may ask of the system: the GNU C library of Debian 11, Ubuntu 20.10 and RHEL 9.
GLIBC_MINOR = 28

#: Of a package in npm's lockfile: its place is where the reader's registry is, and funding is no
#: business of a build.
LEFT_OUT = frozenset({"resolved", "funding"})

#: How npm calls the platform.
NPM_PLATFORM = {"os": "linux", "cpu": "x64", "libc": "glibc"}


def platforms() -> list[str]:
    """The tags of wheels for linux/amd64 with the GNU C library, the newest first."""
    tags = [f"manylinux_2_{minor}_x86_64" for minor in range(GLIBC_MINOR, 4, -1)]
    return [*tags, "manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"]


def pip_lock(requirements: Iterable[str]) -> str:
    """What these requirements come to: each distribution with the digest of its wheel."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:"]
        words += [f"--target={folder}", "--report=-", *(f"--platform={p}" for p in platforms())]
        done = subprocess.run(
            [sys.executable, "-m", "pip", *words, *requirements],
            check=True,
            stdout=subprocess.PIPE,
        )
    lines = []
    for item in json.loads(done.stdout)["install"]:
        name, version = item["metadata"]["name"].lower(), item["metadata"]["version"]
        sha256 = item["download_info"]["archive_info"]["hashes"]["sha256"]
        lines.append(f"{name}=={version} --hash=sha256:{sha256}\n")
    return "".join(sorted(lines))


def npm_lock(package: str) -> dict[str, Any]:
    """``package.json`` and ``package-lock.json`` for one package with all that it needs."""
    name, _, version = package.rpartition("@")
    asked = {"private": True, "dependencies": {name: version}}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "package.json").write_text(json.dumps(asked))
        npm = ("npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit")
        subprocess.run([*npm, "--no-fund", "--silent"], cwd=folder, check=True)
        lock = json.loads((Path(folder) / "package-lock.json").read_bytes())
    lock["name"] = "toolchain"
    lock["packages"] = for_platform(lock["packages"])
    for path, entry in lock["packages"].items():
        for field in LEFT_OUT & entry.keys():
            del entry[field]
        if path and "integrity" not in entry:
            sys.exit(f"{package}: {path} has no digest, so it cannot be locked")
    lock["packages"][""].pop("name", None)
    return {"package.json": asked, "package-lock.json": lock}


def for_platform(packages: dict[str, Any]) -> dict[str, Any]:
    """The packages that the platform takes, none of which asks for one of the others."""
    taken = {path: entry for path, entry in packages.items() if fits(entry)}
    names = {path.rpartition("node_modules/")[2] for path in taken}
    for entry in taken.values():
        if optional := entry.pop("optionalDependencies", {}):
            kept = {name: version for name, version in optional.items() if name in names}
            entry.update({"optionalDependencies": kept} if kept else {})
    return taken


def fits(entry: dict[str, Any]) -> bool:
    """Whether the platform is among those that a package says it is for."""
    for field, ours in NPM_PLATFORM.items():
        said = entry.get(field, [])
        allowed = [word for word in said if not word.startswith("!")]
        if f"!{ours}" in said or (allowed and ours not in allowed):
            return False
    return True


def main(names: list[str]) -> None:
    """Write the lockfiles of these programs, ``node`` being one, or of all."""
    wanted = tomllib.loads((TOOLCHAIN / "toolchains.toml").read_text())
    pip = {**wanted["pip"], "node": [wanted["node"]]}
    if unknown := set(names) - {*pip, *wanted["npm"]}:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}")
    for name in names or [*pip, *wanted["npm"]]:
        if name in pip:
            (LOCKS / f"{name}.txt").write_text(pip_lock(pip[name]))
            continue
        (LOCKS / name).mkdir(exist_ok=True)
        for file, content in npm_lock(wanted["npm"][name]).items():
            (LOCKS / name / file).write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
