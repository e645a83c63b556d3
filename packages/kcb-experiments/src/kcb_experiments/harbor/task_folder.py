"""One task as Harbor reads it: an instruction, an environment, tests, and perhaps a solution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from kcb_core.canary import CANARY
from kcb_core.codec import compact, encode
from kcb_core.dataset import MANIFEST_NAME, Manifest, encode_record
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_experiments.harbor.judge import TASK_NAME

BASE_IMAGE = "python:3.11-slim"
"""What the environment is built from where no image is named."""

PROJECT = "/app"
"""The project, in the container of a trial."""

AGENT_S = 1800
"""How long an agent may work, in seconds; Harbor has a factor for more."""

VERIFIER_S = 1200
"""How long judging may take, in seconds."""

_CONFIG = f"""\
schema_version = "1.3"
artifacts = ["{PROJECT}"]

[task]
name = "{{name}}"
description = {{title}}
keywords = ["klein-code-bench", "{{subset}}", "{{category}}"]

[agent]
timeout_sec = {{agent_s:g}}

[verifier]
timeout_sec = {VERIFIER_S}
environment_mode = "separate"

[environment]
{{image}}workdir = "{PROJECT}"
"""

_INSTRUCTION = f"""\
{{prompt}}
Write the program into the folder {PROJECT}, which is there and empty.
"""

_DOCKERFILE = f"""\
FROM {BASE_IMAGE}
WORKDIR {PROJECT}
"""

_TEST = f"""\
#!/bin/sh
# {CANARY}
# Nothing is installed into the image, and nothing is fetched: wheels are unpacked and run.
set -eu
site=$(mktemp -d)
for wheel in /tests/wheels/*.whl; do
    python3 -I -m zipfile -e "$wheel" "$site"
done
cp /tests/judge.py "$site/__main__.py"
exec python3 -I "$site" {PROJECT} /tests /logs/verifier
"""

_SOLVE = f"""\
#!/bin/sh
# {CANARY}
set -eu
mkdir -p {PROJECT}
cp -R /solution/project/. {PROJECT}/
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What all tasks of one export share."""

    manifest: Manifest
    """Of the dataset that they are from."""
    wheels: Mapping[str, bytes]
    """All that judges a project, by file name."""
    image: str = ""
    """Name of an image with Python 3.11 or newer; without one, an environment is built."""
    agent_s: float = AGENT_S
    """How long an agent may work, in seconds."""


def name_of(task_id: str) -> str:
    """What Harbor calls a task."""
    return f"klein-code-bench/{task_id}"


def task_files(task: Task, kit: Kit, solution: Submission | None = None) -> dict[str, bytes]:
    """The files of one task, by their paths in its folder.

    Whatever judges it is under ``tests/``. It is played in a container of its own, into which only
    the project is brought: nothing that an agent left running or put in the place of ``python3``
    can reach it.

    Args:
        task: the task.
        kit: what it shares with others.
        solution: a project that resolves it, for Harbor's agent ``oracle``.
    """
    # A string of JSON is one of TOML too.
    image = f"docker_image = {compact(kit.image)}\n" if kit.image else ""
    config = _CONFIG.format(
        name=name_of(task.task_id),
        title=compact(task.title),
        subset=task.subset,
        category=task.category,
        image=image,
        agent_s=kit.agent_s,
    )
    found = {
        "task.toml": config.encode(),
        "instruction.md": _INSTRUCTION.format(prompt=task.prompt).encode(),
        "environment/Dockerfile": _DOCKERFILE.encode(),
        "tests/test.sh": _TEST.encode(),
        "tests/judge.py": files("kcb_experiments.harbor").joinpath("judge.py").read_bytes(),
        f"tests/{TASK_NAME}": encode_record(task),
        f"tests/{MANIFEST_NAME}": encode(kit.manifest),
    }
    if kit.image:
        del found["environment/Dockerfile"]
    found |= {f"tests/wheels/{name}": data for name, data in kit.wheels.items()}
    if solution:
        found["solution/solve.sh"] = _SOLVE.encode()
        found |= {f"solution/project/{file.path}": file.data for file in solution.files}
    return found
