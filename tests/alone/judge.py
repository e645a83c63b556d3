"""Judge the example projects with nothing but kcb-runner and kcb-core installed.

``python -I judge.py DATA PROJECTS``, in an environment that holds just these two and what they
declare: a dataset's files need no package of their own to be judged by.
"""

import json
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

KLEIN_BENCH = Path(sys.executable).with_name("klein-bench")

#: Each project by the name of its task, and the exit status and outcome that it must get.
EXPECTED = {
    "kcb-max-001-word-frequency": (0, "resolved"),
    "kcb-easy-049-cache-simulator": (1, "failed"),
    "kcb-hard-041-expression-evaluator": (1, "failed"),
}


def judged(task_id: str, data: Path, project: Path, report: Path) -> tuple[int, str]:
    """Exit status of ``klein-bench evaluate``, and the outcome in the report that it leaves."""
    words = ["--dataset", data, "--solution", project, "--output", report]
    status = subprocess.run([KLEIN_BENCH, "evaluate", task_id, *words], check=False).returncode
    return status, json.loads(report.read_text())["outcome"]


def require(expected: object, found: object, what: str) -> None:
    """End the program unless something is as it must be."""
    if expected != found:
        sys.exit(f"{what}: expected {expected}, found {found}")


def main() -> None:
    """Judge three projects, two of which must not resolve their task."""
    installed = {distribution.name for distribution in metadata.distributions()}
    siblings = {name for name in installed if name.startswith(("kcb-", "klein-"))}
    require({"kcb-core", "kcb-runner"}, siblings, "installed siblings")
    data, projects = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        for task_id, expected in EXPECTED.items():
            tier = task_id.split("-")[1]
            report = Path(folder, f"{task_id}.json")
            found = judged(task_id, data / f"{tier}.jsonl", projects / task_id, report)
            require(expected, found, task_id)


if __name__ == "__main__":
    main()
