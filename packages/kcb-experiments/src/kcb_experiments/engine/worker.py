"""The process that runs one subject once, by itself or as the first process of a container.

It ends with whoever started it: its standard input is held open there, and is at its end when that
process has died, however it died.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, getrlimit, setrlimit
from threading import Event, Lock, Thread
from types import FrameType
from typing import Any, BinaryIO, NoReturn

import msgspec

from kcb_core.catalog import load_catalog
from kcb_core.codec import Json, ascii_line, convert, decode, digest, encode
from kcb_core.errors import DeclarationError, KcbError
from kcb_core.provenance import revision
from kcb_core.quiet import waited_s
from kcb_core.roles import Agent, Generated, Generation
from kcb_core.run_record import RunRecord, Usage
from kcb_core.scrubber import Scrubber
from kcb_core.storage import write_whole
from kcb_core.transcript import (
    TRANSCRIPT_FORMAT,
    TRANSCRIPT_KIND,
    End,
    Head,
    Note,
    Recorded,
    Refusal,
    Reply,
    Request,
)
from kcb_core.transcript_file import TRANSCRIPT_NAME, TranscriptWriter
from kcb_experiments.engine.descendants import adopt_orphans, kill_below
from kcb_experiments.engine.orders import (
    GENERATION_FORMAT,
    GENERATION_KIND,
    GENERATION_NAME,
    PROJECT_NAME,
    GenerationRecord,
    Signal,
    WorkOrder,
)
from kcb_runner.sandbox import AGENT

MAX_FILE_BYTES = AGENT.limits.file_bytes
"""Longest file that a subject may write, wherever: all are read once more for their digests."""

NOTHING = Usage(input_tokens=0, output_tokens=0)
"""What is used where nothing is asked, or nobody charges for it."""

BEAT_S = 1.0
"""How often a worker says that it is alive, in seconds."""

CANCELLED = "cancelled"


class Voice:
    """What the worker says to whoever started it; any thread may speak."""

    def __init__(self, stream: BinaryIO, scrubber: Scrubber) -> None:
        self._stream = stream
        self._scrubber = scrubber
        self._lock = Lock()
        self._ended = Event()

    def says(self, event: str, **more: Any) -> None:
        """One line; a listener that has gone is not missed."""
        sent = Signal(event=event, waited_s=round(waited_s(), 3), **more)
        line = ascii_line(self._scrubber.json(msgspec.to_builtins(sent))).encode("ascii") + b"\n"
        with self._lock, suppress(OSError):
            self._stream.write(line)
            self._stream.flush()

    def beat(self) -> None:
        """Say now and then that this process is alive, in a thread of its own."""
        while not self._ended.wait(BEAT_S):
            self.says("alive")

    def end(self) -> None:
        """Be silent from now on."""
        self._ended.set()


class TellingWriter(TranscriptWriter):
    """A transcript whose requests and replies are also said aloud, as soon as they are on disk."""

    def __init__(self, path: Path, head: Head, *, scrubber: Scrubber, voice: Voice) -> None:
        super().__init__(path, head, scrubber=scrubber)
        self._voice = voice

    def record(self, event: Recorded) -> int:
        """Append one record; errors as in ``TranscriptWriter``."""
        number = super().record(event)
        if isinstance(event, Request):
            self._voice.says("asked")
        elif isinstance(event, Reply):
            usage: Json = msgspec.to_builtins(event.usage) if event.usage else {}
            more = {"usage": usage} if usage else {}
            self._voice.says("answered", **more, dollars=event.dollars)
        elif isinstance(event, Refusal) and event.unbilled:
            self._voice.says("answered", usage=msgspec.to_builtins(NOTHING), dollars=0.0)
        return number


def main() -> int:
    """Carry out the one order that stands on standard input; without one there is nothing to do."""
    line = sys.stdin.buffer.readline()
    if not line:
        return 0
    order = decode(line, WorkOrder, source="order")
    _bound_files()
    adopt_orphans()
    Thread(target=_follow_parent, daemon=True).start()
    signal.signal(signal.SIGTERM, _interrupt)
    secrets = [os.environ[name] for name in order.credentials if name in os.environ]
    scrubber = Scrubber(secrets)
    # Whatever an agent prints must not be taken for what this process says.
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    voice = Voice(stream, scrubber)
    Thread(target=voice.beat, daemon=True).start()
    record = _carried_out(order, voice, scrubber)
    voice.end()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    stored = encode(scrubber.json(msgspec.to_builtins(record)))
    write_whole(Path(order.folder) / GENERATION_NAME, stored)
    kill_below(os.getpid())
    return 0


def _carried_out(order: WorkOrder, voice: Voice, scrubber: Scrubber) -> GenerationRecord:
    """Let the agent write its project, and say how that went."""
    begun, started = time.monotonic(), datetime.now(UTC).isoformat(timespec="seconds")
    known: dict[str, Any] = {
        "settings": order.settings,
        "options": order.options,
        "run_record": RunRecord(),
    }
    try:
        catalog = load_catalog(third_party=order.third_party)
        agent = catalog.find("agent", order.agent, catalog.agents(), lambda found: found.name)
        known["agent_version"] = agent.version
        known |= _outcome(_generated(agent, order, started, voice, scrubber), order, begun, agent)
    except DeclarationError as error:  # whatever is wrong was so before anything was asked
        known |= {"error": str(error), "run_record": RunRecord(usage=NOTHING)}
    except KcbError as error:
        known["error"] = str(error)
    except KeyboardInterrupt:
        known["stop_reason"] = CANCELLED
    except Exception as error:  # noqa: BLE001 - an agent is a stranger's code; its fault is told
        known["error"] = f"unexpected {type(error).__name__}: {error}"
    return GenerationRecord(
        kind=GENERATION_KIND,
        format=GENERATION_FORMAT,
        cell=order.name,
        task_id=order.task_id,
        dataset=order.dataset,
        agent=order.agent,
        prompt_sha256=digest(order.prompt.encode("utf-8", "surrogatepass")),
        started=started,
        wall_s=round(time.monotonic() - begun, 3),
        waited_s=round(waited_s(), 3),
        **known,
    )


def _generated(
    agent: Agent, order: WorkOrder, started: str, voice: Voice, scrubber: Scrubber
) -> Generated:
    folder = Path(order.folder)
    project = folder / PROJECT_NAME
    project.mkdir()
    head = Head(
        kind=TRANSCRIPT_KIND,
        format=TRANSCRIPT_FORMAT,
        name=order.name,
        agent=agent.name,
        agent_version=agent.version,
        generator=revision("kcb-experiments"),
        started=started,
    )
    path = folder / TRANSCRIPT_NAME
    with TellingWriter(path, head, scrubber=scrubber, voice=voice) as transcript:
        generation = Generation(
            prompt=order.prompt,
            project=project,
            start=Path(order.start) if order.start else None,
            budget=order.budget,
            tokens=order.tokens,
            transcript=transcript,
            name=order.task_id,
            settings=order.settings,
            options=order.options,
            tell=lambda line: voice.says("told", line=line),
        )
        try:
            generated = agent.generate(generation)
        except KcbError as error:
            transcript.record(Note(text=str(error)))
            raise
        said = generated.record
        transcript.record(
            End(
                stop_reason=str(generated.stop_reason),
                reason=str(said.get("reason", "")),
                totals=dict(said.get("totals", {})),
            )
        )
    return generated


def _outcome(generated: Generated, order: WorkOrder, begun: float, agent: Agent) -> dict[str, Any]:
    """What is stored of what an agent says of a generation that came to an end.

    Raises:
        DataError: its run record is none.
    """
    said: dict[str, Any] = msgspec.to_builtins(dict(generated.record))
    own = {
        "agent": agent.name,
        "agent_version": agent.version,
        "wall_s": round(time.monotonic() - begun, 3),
        "stop_reason": str(generated.stop_reason),
        "interventions": (),
        "hand_corrected": False,
    }
    record = said.pop("run_record", {}) | own
    return {
        "stop_reason": str(generated.stop_reason),
        "reason": str(said.get("reason", "")),
        "run_record": convert(record, RunRecord, source=f"agent {order.agent!r}: run_record"),
        "said": said,
    }


def _bound_files() -> None:
    """Bound the length of files, for this process and all that it starts."""
    _, hard = getrlimit(RLIMIT_FSIZE)
    most = MAX_FILE_BYTES if hard == RLIM_INFINITY else min(hard, MAX_FILE_BYTES)
    setrlimit(RLIMIT_FSIZE, (most, most))


def _follow_parent() -> NoReturn:
    """Wait for the end of standard input, and end with all of this session."""
    while os.read(0, 1 << 12):
        pass
    kill_below(os.getpid())
    os.killpg(os.getpgid(0), signal.SIGKILL)
    os._exit(1)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
