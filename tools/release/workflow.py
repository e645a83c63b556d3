"""The release workflow, step by step, without what a step would do to the world.

A step of a kind that is not known here ends the rehearsal: a workflow whose steps nobody has
tried is first tried on the day of a release.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from release.installing import StepError

STEP_TIMEOUT_S = 600

Step = Mapping[str, Any]


@dataclass(slots=True)
class DryRun:
    """Goes through the jobs of a workflow in their order.

    Args:
        root: the repository, from which commands run and paths are read.
        tag: the tag that the workflow would run for.
        tried: commands that went well; they do not hang on the tag, so runs for several tags
            may share them.
    """

    root: Path
    tag: str
    tried: set[tuple[str, ...]] = field(default_factory=set)
    uploaded: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    """Job and file names of each uploaded artifact, by its name."""

    def play(self, workflow: Mapping[str, Any]) -> Iterator[str]:
        """One line for each step, saying what was tried.

        Raises:
            StepError: a step would fail, or nobody knows how to try it.
        """
        for name, job in workflow["jobs"].items():
            for needed in _words(job.get("needs", ())):
                if needed not in workflow["jobs"]:
                    raise StepError(f"job {name} needs {needed}, which is no job")
            if "timeout-minutes" not in job:
                raise StepError(f"job {name} may run for ever: it has no timeout-minutes")
            for step in job["steps"]:
                yield f"{name}: {self._try(name, job, step)}"

    def _try(self, name: str, job: Mapping[str, Any], step: Step) -> str:
        if "run" in step:
            return self._command(step["run"])
        action, _, version = step["uses"].partition("@")
        attempts: dict[str, Callable[[], str]] = {
            "actions/checkout": lambda: "the files are here",
            "actions/setup-python": lambda: self._python(step["with"]["python-version"]),
            "actions/upload-artifact": lambda: self._upload(name, step["with"]),
            "actions/download-artifact": lambda: self._download(job, step["with"]),
            "pypa/gh-action-pypi-publish": lambda: self._publish(job),
        }
        if action not in attempts or not version:
            raise StepError(f"nobody knows how to try the step {step['uses']}")
        return f"{step['uses']}: {attempts[action]()}"

    def _command(self, line: str) -> str:
        words = shlex.split(line)
        if words[:4] == ["python", "-m", "pip", "install"]:
            tried = [sys.executable, *words[1:], "--dry-run", "--quiet"]
        elif words[:2] == ["nox", "--session"]:
            sessions = words[2 : words.index("--")] if "--" in words else words[2:]
            tried = [sys.executable, "-m", "nox", "--list", "--session", *sessions]
        else:
            raise StepError(f"nobody knows how to try the step {line}")
        self._run(tried)
        return line.replace("$GITHUB_REF_NAME", self.tag)

    def _run(self, command: list[str]) -> None:
        if tuple(command) in self.tried:
            return
        done = subprocess.run(
            command,
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
            timeout=STEP_TIMEOUT_S,
        )
        if done.returncode:
            raise StepError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        self.tried.add(tuple(command))

    def _python(self, version: str) -> str:
        here = ".".join(map(str, sys.version_info[:2]))
        if version != here:
            raise StepError(f"the workflow takes Python {version}, this rehearsal {here}")
        return f"Python {version} as here"

    def _upload(self, job: str, given: Mapping[str, Any]) -> str:
        path = self.root / given["path"]
        files = [*path.iterdir()] if path.is_dir() else [path] if path.is_file() else []
        names = frozenset(each.name for each in files)
        if not names:
            raise StepError(f"there is nothing to upload in {given['path']}")
        if given["name"] in self.uploaded:
            raise StepError(f"two artifacts are called {given['name']}")
        self.uploaded[given["name"]] = (job, names)
        return f"{given['name']}: {', '.join(sorted(names))}"

    def _download(self, job: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        if given["name"] not in self.uploaded:
            raise StepError(f"nothing uploads the artifact {given['name']}")
        made_by, names = self.uploaded[given["name"]]
        if made_by not in _words(job.get("needs", ())):
            raise StepError(f"{given['name']} is made by {made_by}, which this job does not need")
        return f"{given['name']}: {len(names)} files"

    def _publish(self, job: Mapping[str, Any]) -> str:
        if job.get("permissions", {}).get("id-token") != "write":
            raise StepError("the job that publishes has no permission id-token: write")
        _, names = self.uploaded["dist"]
        name, _, version = self.tag.rpartition("-v")
        stem = f"{name.replace('-', '_')}-{version}"
        wanted = {f"{stem}-py3-none-any.whl", f"{stem}.tar.gz"}
        if names != wanted:
            raise StepError(f"would publish {sorted(names)} where {sorted(wanted)} are tagged")
        archives = sorted(str(path) for each in wanted for path in self.root.glob(f"dist/{each}"))
        self._run([sys.executable, "-m", "twine", "check", "--strict", *archives])
        return f"the index would take {', '.join(sorted(names))}"


def read_workflow(path: Path) -> dict[str, Any]:
    """A workflow as it is declared."""
    value: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return value


def _words(value: str | list[str] | tuple[str, ...]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
