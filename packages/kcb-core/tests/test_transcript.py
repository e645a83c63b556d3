"""Transcripts: what is written is read again, whatever it holds and whenever the writer died."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_core.provenance import Revision
from kcb_core.run_record import Usage
from kcb_core.scrubber import MARK, Scrubber
from kcb_core.transcript import (
    Action,
    Call,
    Compaction,
    Contract,
    End,
    FormatError,
    Head,
    Message,
    Note,
    Outcome,
    Recorded,
    Refusal,
    Reply,
    Request,
    Stream,
    ranges,
)
from kcb_core.transcript_file import (
    MAX_INLINE,
    MAX_LINE,
    Sync,
    TranscriptWriter,
    read_transcript,
    side_folder,
)

Run = Callable[..., Any]

HEAD = Head(
    kind="transcript",
    format=1,
    name="toy-easy-001-echo",
    agent="action-loop",
    agent_version="1",
    generator=Revision(distribution="kcb-agents", version="0.1.0"),
    started="2026-01-01T00:00:00+00:00",
)
SEPARATORS = "\u2028\u2029\x85\x0b\x1c\x0c\r"
EVENTS: list[Recorded] = [
    Contract(profile="p-v1", preamble_sha256="0" * 64, tools=({"name": "Bash"},)),
    Message(role="user", text=f"task {SEPARATORS}"),
    Request(turn=1, messages=((2, 2),), sha256="1" * 64),
    Reply(turn=1, content="\ud800", calls=(Call(id="c", name="Bash", arguments="{}"),)),
    Action(turn=1, tool="Bash", call_id="c", arguments="{}", executed=True),
    Outcome(turn=1, call_id="c", ending="exited", status=0),
    FormatError(turn=2, error="no JSON"),
    Compaction(replaced=((2, 6),), archived=("c",)),
    Refusal(turn=3, error="HTTP 500"),
    Note(text="n"),
    End(stop_reason="done", totals={"turns": 3}),
]


def written(path: Path, *events: Recorded, **more: Any) -> Path:
    """A transcript with these events."""
    with TranscriptWriter(path, HEAD, **more) as writer:
        for event in events:
            writer.record(event)
    return path


def test_every_kind_of_event_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Separators that some readers split at, and half a surrogate pair, included."""
    path = written(tmp_path / "t.jsonl", *EVENTS)
    transcript = read_transcript(path)
    assert transcript.head == HEAD
    assert [entry.event for entry in transcript.entries] == EVENTS
    assert [entry.seq for entry in transcript.entries] == list(range(1, len(EVENTS) + 1))
    assert path.read_bytes().count(b"\n") == len(EVENTS) + 1
    assert transcript.torn == b""


@given(st.text() | st.text(st.characters(categories=["Cs", "Cc", "Zl", "Zp"])))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """A model may write whatever it likes."""
    path = written(tmp_path_factory.mktemp("any") / "t.jsonl", Note(text=text))
    (entry,) = read_transcript(path).entries
    # Two halves of a surrogate pair side by side are one character in JSON, as they came.
    as_json = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert entry.event == Note(text=as_json)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"plain \n text", "text"),
        (b"", "text"),
        (b"\xff\x00\n", "base64"),
        (b"a" * MAX_INLINE, "text"),
        (b"a" * (MAX_INLINE + 1), "file"),
        (b"\xff\n" * 3_000_000, "file"),
    ],
)
def test_streams_are_kept_byte_for_byte(tmp_path: Path, data: bytes, place: str) -> None:
    """Short ones in their record, long ones in a file of their own."""
    path = tmp_path / "t.jsonl"
    with TranscriptWriter(path, HEAD) as writer:
        writer.record(Outcome(ending="exited", status=0, stdout=writer.stream(data, lost=7)))
    transcript = read_transcript(path)
    (entry,) = transcript.entries
    assert isinstance(entry.event, Outcome)
    stream = entry.event.stdout
    assert isinstance(stream, Stream)
    assert getattr(stream, place) is not msgspec.UNSET
    assert (transcript.stream(stream), stream.size, stream.lost) == (data, len(data), 7)
    if place == "file":
        assert (side_folder(path) / str(stream.file)).read_bytes() == data


def test_a_record_of_any_size_leaves_lines_short(tmp_path: Path) -> None:
    """A reply of eight MiB must not make a file that no tool opens."""
    events = [Reply(content="\u2028" * MAX_LINE), Note(text="after")]
    path = written(tmp_path / "t.jsonl", *events)
    assert max(map(len, path.read_bytes().split(b"\n"))) < 1000
    assert [entry.event for entry in read_transcript(path).entries] == events


@pytest.mark.parametrize(
    "tail",
    [b'{"seq": 12, "ev', b'{"seq":12,"at_s":1.0,"event":"note","text":"\xe2\x80', b"{\n\n", b"x\n"],
)
def test_a_torn_last_line_is_kept_apart(tmp_path: Path, tail: bytes) -> None:
    """Whatever a crash left of a record, those before it count."""
    path = written(tmp_path / "t.jsonl", *EVENTS)
    with path.open("ab") as file:
        file.write(tail)
    transcript = read_transcript(path)
    assert [entry.event for entry in transcript.entries] == EVENTS
    assert transcript.torn == tail.rstrip(b"\n")


def test_a_whole_last_line_without_its_end_counts(tmp_path: Path) -> None:
    """It is a record all the same."""
    path = written(tmp_path / "t.jsonl", *EVENTS)
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    assert len(read_transcript(path).entries) == len(EVENTS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [lines[0], b"{", *lines[2:]], "line 2: "),
        (lambda lines: [lines[0], *lines[2:]], "line 2: field 'seq': 2 stands where 1 belongs"),
        (lambda lines: [lines[0], b"", *lines[1:]], "line 2: "),
        (lambda lines: [lines[0], b"[]", *lines[2:]], "line 2: must be a JSON object"),
        (lambda lines: lines[1:], "line 1: field 'kind'"),
        (lambda lines: [lines[0].replace(b'"format":1', b'"format":2')], "upgrade"),
        (lambda lines: [], "is empty"),
        (lambda lines: [*lines[:2], lines[2].replace(b"user", b"us\xff"), *lines[3:]], "line 3: "),
        (lambda lines: [*lines[:2], lines[2].replace(b"message", b"massage")], "massage"),
    ],
)
def test_what_is_broken_is_refused_by_line(
    tmp_path: Path, change: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    """A transcript is evidence: what was lost from its middle must not go unnoticed."""
    path = written(tmp_path / "t.jsonl", *EVENTS)
    path.write_bytes(b"\n".join(change(path.read_bytes().split(b"\n"))))
    with pytest.raises(DataError, match=message) as caught:
        read_transcript(path)
    assert str(path) in str(caught.value)


def test_side_files_are_held_against_their_digests(tmp_path: Path) -> None:
    """Neither another content nor a link to another file passes for what was recorded."""
    path = written(tmp_path / "t.jsonl", Reply(content="a" * MAX_LINE))
    (side,) = side_folder(path).iterdir()
    good = side.read_bytes()
    side.write_bytes(good.replace(b"aa", b"ab", 1))
    with pytest.raises(DataError, match="is not what was recorded"):
        read_transcript(path)
    (tmp_path / "elsewhere").write_bytes(good)
    side.unlink()
    side.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DeclarationError, match="is a link"):
        read_transcript(path)


@pytest.mark.parametrize("name", ["../t.jsonl", "/etc/passwd", "1.stream/..", ""])
def test_no_record_leads_out_of_the_side_folder(tmp_path: Path, name: str) -> None:
    """Whoever shows a transcript of a stranger reads no other file of theirs."""
    path = written(tmp_path / "t.jsonl", Note(text="n"))
    spilled = {"seq": 2, "at_s": 0.0, "event": "spilled", "file": name, "size": 0, "sha256": ""}
    with path.open("a") as file:
        file.write(json.dumps(spilled) + "\n")
    with pytest.raises(DataError, match="no name of a side file"):
        read_transcript(path)


def test_no_secret_reaches_the_disk(tmp_path: Path) -> None:
    """Not in any kind of record, stream, long record or head."""
    key = "sk-planted-0123456789"
    path = tmp_path / "t.jsonl"
    head = msgspec.structs.replace(HEAD, name=f"n {key}")
    with TranscriptWriter(path, head, scrubber=Scrubber([key])) as writer:
        writer.record(
            Message(role="user", text=key, calls=(Call(id=key, name=key, arguments=key),))
        )
        writer.record(Reply(content=key, reasoning=key, raw=writer.stream(key.encode())))
        writer.record(Outcome(ending="exited", stdout=writer.stream(b"\xff" + key.encode())))
        writer.record(Outcome(ending="exited", stdout=writer.stream(key.encode() * MAX_INLINE)))
        writer.record(Note(text=key * MAX_LINE))
        writer.record(End(stop_reason="done", totals={key: key}))
    held = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert key.encode() not in held
    assert MARK.encode() in held
    assert len(read_transcript(path).entries) == 6


def test_a_transcript_is_never_overwritten(tmp_path: Path) -> None:
    """Each generation has a file of its own."""
    path = written(tmp_path / "t.jsonl")
    with pytest.raises(MachineError, match="cannot be written: File exists"):
        TranscriptWriter(path, HEAD)


@pytest.mark.parametrize("sync", Sync)
def test_records_outlast_the_death_of_their_writer(tmp_path: Path, sync: Sync) -> None:
    """Killed right after a record, without any clean-up."""
    path = tmp_path / "t.jsonl"
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from kcb_core.provenance import Revision\n"
        "from kcb_core.transcript import Head, Note\n"
        "from kcb_core.transcript_file import Sync, TranscriptWriter\n"
        "head = Head(kind='transcript', format=1, name='n', agent='a', agent_version='1',\n"
        "            generator=Revision(distribution='d', version='1'), started='')\n"
        f"writer = TranscriptWriter(Path(sys.argv[1]), head, sync=Sync.{sync.name})\n"
        "writer.record(Note(text='x' * 400_000))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False, timeout=60)
    (entry,) = read_transcript(path).entries
    assert entry.event == Note(text="x" * 400_000)


def test_a_full_disk_leaves_a_transcript_that_can_be_read(tmp_path: Path) -> None:
    """The record that did not fit is torn, and nothing is written behind it."""
    path = tmp_path / "t.jsonl"
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from test_transcript import HEAD\n"
        "from kcb_core.errors import MachineError\n"
        "from kcb_core.transcript import Note\n"
        "from kcb_core.transcript_file import TranscriptWriter\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "writer = TranscriptWriter(Path(sys.argv[1]), HEAD)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "for text in ('short', 'y' * 5000, 'late'):\n"
        "    try:\n"
        "        writer.record(Note(text=text))\n"
        "    except MachineError as error:\n"
        "        print(error)\n"
    )
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, env=here, capture_output=True, text=True, check=True, timeout=60)
    assert "File too large" in done.stdout
    assert "given up" in done.stdout
    transcript = read_transcript(path)
    assert [entry.event for entry in transcript.entries] == [Note(text="short")]
    assert len(transcript.torn) > 1000


def test_ranges_are_runs() -> None:
    """A context of hundreds of messages is a handful of numbers."""
    assert ranges([1, 2, 3, 7, 8, 2]) == ((1, 3), (7, 8), (2, 2))
    assert ranges([]) == ()


HOSTILE = "\x1b[2J\x1b]0;owned\x07\u202e\r\n--- turn 9\n    0.0 s  end: done\n[bold]red[/bold]"


def test_show_makes_hostile_text_inert(klein_bench: Run, tmp_path: Path) -> None:
    """No escape reaches the terminal, and no line of a model's passes for one of ours."""
    path = tmp_path / "t.jsonl"
    with TranscriptWriter(path, HEAD) as writer:
        writer.record(Message(role="user", text=HOSTILE))
        writer.record(Action(turn=1, tool=HOSTILE, arguments=HOSTILE, executed=True))
        stdout = writer.stream(HOSTILE.encode() + b"\xff")
        writer.record(Outcome(turn=1, ending="timed_out", status=9, stdout=stdout))
        writer.record(Note(text="z" * 10_000))
    done = klein_bench("show", path)
    assert (done.status, done.err) == (0, "")
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    lines = done.out.split("\n")
    assert lines.count("--- turn 1") == 1
    assert not [line for line in lines if line.startswith("--- turn 9")]
    assert "  | [bold]red[/bold]" in lines
    assert "  | [bold]red[/bold]\\xff" in lines
    assert "  (6000 more characters)" in lines
    assert "no end: the agent was cut off, or is still at work" in lines


def test_show_tells_every_kind_of_event(klein_bench: Run, tmp_path: Path) -> None:
    """For a person in lines, for a program as JSON with nothing left out."""
    usage = Usage(input_tokens=10, output_tokens=2)
    reply = Reply(turn=1, content="c", reasoning="r", finish_reason="stop", usage=usage)
    path = written(tmp_path / "t.jsonl", *EVENTS[:-1], reply, EVENTS[-1])
    done = klein_bench("show", path)
    assert done.status == 0
    for said in (
        "toy-easy-001-echo: action-loop 1, 2026",
        "holds itself to p-v1; tools: Bash; bounds: none",
        "asks with 1 messages (111111111111)",
        "reply in 0.0 s, stop, 10 tokens in, 2 tokens out",
        "  (thought)\n  | r\n  | c",
        "exited 0 after 0.0 s",
        "the reply is no action",
        "5 messages gave way to a summary; 1 results archived",
        "end: done",
    ):
        assert said in done.out
    shown = json.loads(klein_bench("show", path, "--json").out)
    assert [entry["event"]["event"] for entry in shown["entries"]][:2] == ["contract", "message"]


def test_show_says_what_is_torn(klein_bench: Run, tmp_path: Path) -> None:
    """Whoever looks at it should know that something is missing."""
    path = written(tmp_path / "t.jsonl", EVENTS[-1])
    with path.open("ab") as file:
        file.write(b'{"se')
    assert "the last line is torn: 4 bytes" in klein_bench("show", path).out
    assert json.loads(klein_bench("show", path, "--json").out)["torn_bytes"] == 4


def test_show_refuses_a_broken_transcript_in_one_line(klein_bench: Run, tmp_path: Path) -> None:
    """With the file and the line, and exit status 2."""
    path = tmp_path / "t.jsonl"
    path.write_text("{}\n")
    done = klein_bench("show", path)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"error: {path}: line 1: field 'kind'")


def test_memory_stays_within_bounds_while_a_long_transcript_is_written(tmp_path: Path) -> None:
    """A writer keeps nothing of what it has written."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with TranscriptWriter(tmp_path / "t.jsonl", HEAD, sync=Sync.CLOSE) as writer:
        for _ in range(300):
            writer.record(Note(text="x" * 200_000))
    grown_mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown_mib < 32
