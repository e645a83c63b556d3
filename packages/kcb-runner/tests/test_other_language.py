"""A task names its own start command, so a candidate can be written in any language."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_core.errors import MachineError
from kcb_core.report import FailureKind, Outcome
from kcb_core.roles import Launcher
from kcb_core.task import STATE_DIR, Scenario, Session, Task
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher

NODE = os.path.realpath(shutil.which("node") or "/usr/bin/node")

LAUNCHERS = {
    f"{kind.name}-{level}": kind(level)
    for kind in (InterpreterLauncher, ForkserverLauncher)
    for level in ("none", "basic", "full")
}

#: Counts what it was ever told, and keeps it in its state directory.
COUNTER = """
const fs = require("fs");
const file = require("path").join(process.argv[3], "count");
let count = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0;
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const request = JSON.parse(line);
  count += request.add;
  fs.writeFileSync(file, String(count));
  console.log(JSON.stringify({ id: request.id, count }));
});
"""

#: Eight threads beside those that Node has anyway, and work for those of its own pool.
BUSY = """
const { Worker } = require("worker_threads");
const crypto = require("crypto");
const work = 'require("worker_threads").parentPort.postMessage(1)';
const workers = Array.from({ length: 8 }, () => new Promise((done) =>
  new Worker(work, { eval: true }).on("message", done)));
const hashes = Array.from({ length: 8 }, () => new Promise((done) =>
  crypto.pbkdf2("a", "b", 1000, 32, "sha256", done)));
require("readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  await Promise.all([...workers, ...hashes]);
  console.log(JSON.stringify({ id: JSON.parse(line).id, count: 5 }));
});
"""

#: Asks for what a candidate is kept from, and says what came of it.
PRYING = """
const fs = require("fs");
const tried = (what) => { try { what(); return 1; } catch (error) { return 0; } };
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const count = tried(() => fs.writeFileSync("/tmp/../OUTSIDE/kcb-node", "x"))
    + tried(() => fs.readFileSync("OUTSIDE/secret"));
  console.log(JSON.stringify({ id: JSON.parse(line).id, count }));
});
"""


@pytest.fixture(params=LAUNCHERS)
def launcher(request: pytest.FixtureRequest, lacking: Any) -> Iterator[Launcher]:
    """Every launcher of this package at every level that this machine allows."""
    found = LAUNCHERS[request.param]
    if not os.access(NODE, os.X_OK):
        lacking("node", f"{NODE} cannot be run")
    try:
        found.confinement()
    except MachineError as error:
        pytest.skip(str(error))
    yield found
    found.close()


def counting(task: Task, *counts: int) -> Task:
    """A task for Node with one session for each of these counts, which are told one by one."""
    sessions, total = [], 0
    for count in counts:
        total += count
        asked = ({"id": 1, "add": count},)
        sessions.append(Session(requests=asked, expected=({"id": 1, "count": total},)))
    return msgspec.structs.replace(
        task,
        language="JavaScript",
        entrypoint="main.js",
        start=(NODE, "main.js", "--state-dir", STATE_DIR),
        acceptance_tests=(Scenario(name="counts", sessions=tuple(sessions)),),
    )


def project(arena: Any, main: str) -> Path:
    """A project that holds nothing but a ``main.js``."""
    folder: Path = arena.folder / "node"
    folder.mkdir()
    (folder / "main.js").write_text(main)
    return folder


def played(arena: Any, launcher: Launcher, main: str, *counts: int) -> Any:
    """What comes of a ``main.js`` that is told these counts."""
    arena.bench = replace(arena.bench, launcher=launcher)
    return arena.judge(project(arena, main), counting(arena.task(durable=True), *counts))


def test_a_right_program_resolves(arena: Any, launcher: Launcher) -> None:
    """With state that outlives a kill, so that pipes, arguments, files and ends are all played."""
    judgement = played(arena, launcher, COUNTER, 2, 3, 4)
    assert judgement.outcome is Outcome.RESOLVED, judgement


def test_a_wrong_program_fails(arena: Any, launcher: Launcher) -> None:
    """And for the reason that it is wrong, not because Node does not work there."""
    judgement = played(arena, launcher, COUNTER.replace("+=", "-="), 2)
    assert judgement.failure.kind is FailureKind.WRONG_RESPONSE, judgement


def test_threads_have_room_below_the_limits(arena: Any, launcher: Launcher) -> None:
    """Node reserves far more addresses than it uses, and starts threads by itself."""
    judgement = played(arena, launcher, BUSY, 5)
    assert judgement.outcome is Outcome.RESOLVED, judgement


def test_it_is_confined_like_any_other(arena: Any, launcher: Launcher, tmp_path: Path) -> None:
    """What holds a candidate is the kernel, not its interpreter."""
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.chmod(0o777)
    (outside / "secret").write_text("x")
    free = launcher.confinement().level == "none"
    main = PRYING.replace("/tmp/../OUTSIDE", str(outside)).replace("OUTSIDE", str(outside))
    judgement = played(arena, launcher, main, 2 if free else 0)
    assert judgement.outcome is Outcome.RESOLVED, judgement
