"""The checkpoint: whole at any time, believed only with the host's seal."""

import json
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from kcb_agents import swap
from kcb_agents.proxy.checkpoint import (
    MAX_CHECKPOINT_BYTES,
    Checkpoint,
    ModelUsage,
    checkpoint_path,
    recover_checkpoint,
    write_checkpoint,
)
from kcb_core.run_record import Usage

KEY = b"issued by the host"
FACTS = Checkpoint(
    profile="toy",
    requests=3,
    in_flight=1,
    admitted=2,
    usage_bearing=1,
    models=(
        ModelUsage(
            model="a/b:free",
            usage=Usage(input_tokens=5, output_tokens=0),
            largest_prompt_tokens=5,
        ),
    ),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A checkpoint that the host has written."""
    path = checkpoint_path(tmp_path, "toy")
    write_checkpoint(FACTS, path, KEY)
    return path


def test_what_was_written_is_recovered(path: Path) -> None:
    """Zero stays zero, and what was not stated stays unset."""
    assert path.name == "toy.provider-usage.json"
    assert recover_checkpoint(path, KEY) == FACTS
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("umask", [0o077, 0o000])
def test_the_mode_does_not_hang_on_the_umask(tmp_path: Path, umask: int) -> None:
    """Whoever runs beside it may read the counts."""
    before = os.umask(umask)
    try:
        write_checkpoint(FACTS, tmp_path / "c", KEY)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "c").stat().st_mode) == 0o644


def test_a_symlink_is_ignored(path: Path) -> None:
    """Recovery follows no link, even to a checkpoint that is genuine."""
    link = path.with_name("link")
    link.symlink_to(path)
    assert recover_checkpoint(link, KEY) is None


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_only_a_regular_file_is_read(tmp_path: Path, make: Any) -> None:
    """A FIFO that nobody writes to would hang whoever opens it."""
    make(tmp_path / "odd")
    assert recover_checkpoint(tmp_path / "odd", KEY) is None
    assert recover_checkpoint(tmp_path / "absent", KEY) is None


def test_an_oversized_write_is_ignored(path: Path) -> None:
    """Even a genuine checkpoint, if blanks after it make it larger than 64 KiB."""
    data = path.read_bytes()
    path.write_bytes(data.ljust(MAX_CHECKPOINT_BYTES))
    assert recover_checkpoint(path, KEY) == FACTS
    path.write_bytes(data.ljust(MAX_CHECKPOINT_BYTES + 1))
    assert recover_checkpoint(path, KEY) is None


def forged(path: Path, **members: Any) -> bytes:
    """The checkpoint with some members changed and the rest, seal included, as it was."""
    return json.dumps(json.loads(path.read_bytes()) | members).encode()


@pytest.mark.parametrize(
    "members",
    [{"requests": 2}, {"settled": True}, {"hmac": "0" * 64}, {"hmac": 7}, {"hmac": "\ud800"}],
)
def test_forged_json_of_the_right_form_is_ignored(path: Path, members: Any) -> None:
    """Without the host's key nothing can be changed."""
    path.write_bytes(forged(path, **members))
    assert recover_checkpoint(path, KEY) is None


def test_an_added_member_breaks_the_seal_too(path: Path) -> None:
    """The seal is of all that stands there."""
    path.write_bytes(forged(path, note="x"))
    assert recover_checkpoint(path, KEY) is None


def test_another_key_is_another_host(path: Path) -> None:
    """Each subject has a key of its own, so that one's checkpoint is never another's."""
    assert recover_checkpoint(path, b"another") is None


def test_a_changed_order_or_spacing_is_no_forgery(path: Path) -> None:
    """The seal is of the facts, not of their spelling."""
    document = json.loads(path.read_bytes())
    path.write_text(json.dumps(dict(reversed(document.items())), indent=3))
    assert recover_checkpoint(path, KEY) == FACTS


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"hmac": ""}', b"[" * 999])
def test_what_is_no_checkpoint_is_ignored(path: Path, data: bytes) -> None:
    """Nothing that a subject writes there can stop recovery."""
    path.write_bytes(data)
    assert recover_checkpoint(path, KEY) is None


def test_a_link_in_the_way_is_not_written_through(tmp_path: Path) -> None:
    """A subject that can write there cannot have another file overwritten."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path = tmp_path / "c"
    path.symlink_to(victim)
    (tmp_path / f".c.{os.getpid()}").symlink_to(victim)
    write_checkpoint(FACTS, path, KEY)
    assert recover_checkpoint(path, KEY) == FACTS
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("plain", [False, True])
def test_every_read_finds_a_whole_snapshot(
    tmp_path: Path, plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old or new, never a part, with either way of renaming."""
    if plain:
        monkeypatch.setattr(swap, "_renameat2", lambda: None)
    path = tmp_path / "c"
    write_checkpoint(FACTS, path, KEY)
    done = threading.Event()

    def write() -> None:
        for number in range(400):
            state = Checkpoint(profile="toy" * (number % 50), requests=number)
            write_checkpoint(state, path, KEY)
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    reads = 0
    while not done.is_set():
        assert recover_checkpoint(path, KEY) is not None
        reads += 1
    thread.join()
    assert reads > 10
    assert [each.name for each in tmp_path.iterdir()] == ["c"]
