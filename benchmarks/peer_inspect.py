"""The same projects in another harness, inspect-ai: one sample a project, in its local sandbox.

It runs in an environment of its own and prints seconds. The harness cannot talk to a program in
lockstep, so each project gets its ten requests at once. Its mock model needs its usage set by hand,
since it would else ask the network for a tokeniser.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import generate
from inspect_ai.util import sandbox

REQUESTS = [{"id": n, "value": f"value {n}"} for n in range(10)]
LINES = "".join(json.dumps(request) + "\n" for request in REQUESTS)


@scorer(metrics=[accuracy()])
def echoes(program):
    """Write the program, run it on all requests, and compare its lines."""

    async def score(state, target):
        await sandbox().write_file("main.py", program)
        command = [sys.executable, "-E", "-s", "-S", "main.py"]
        done = await sandbox().exec(command, input=LINES, timeout=10)
        right = [json.loads(line) for line in done.stdout.splitlines()] == REQUESTS
        return Score(value=1 if right else 0)

    return score


def answer(*_):
    """What the mock model says, with a usage so that nothing is counted."""
    said = ModelOutput.from_content("mockllm/model", "done")
    said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return said


def main():
    """Judge so many projects, and print the seconds that it took."""
    count, program = int(sys.argv[1]), sys.stdin.read()
    samples = [Sample(input=f"project {n}", target="done") for n in range(count)]
    model = get_model("mockllm/model", custom_outputs=answer)
    task = Task(dataset=samples, solver=generate(), scorer=echoes(program), sandbox="local")
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        (log,) = eval(task, model=model, display="none", log_dir=folder)
        spent = time.perf_counter() - started
    if log.status != "success" or log.results.scores[0].metrics["accuracy"].value != 1:
        sys.exit(f"not all projects were judged right: {log.status} {log.error}")
    sys.stdout.write(f"{spent}\n")


if __name__ == "__main__":
    main()
