"""What is heard of cells on a cluster: each word once, and none that comes too late."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
import pytest

from kcb_core.run_record import StatedUsage
from kcb_experiments.remote.ear import LATE_NAME, Ear, Ears
from kcb_experiments.remote.lifeline import Lifeline
from kcb_experiments.remote.message import Word
from kcb_experiments.testing.executor_conformance import Watch

PATIENCE_S = 10.0


def word(number: int, event: str, **more: object) -> Word:
    """A word of the one try."""
    return Word(token="t", number=number, event=event, **more)  # type: ignore[arg-type]


@pytest.fixture
def watch() -> Watch:
    """Whoever follows."""
    return Watch()


def test_each_word_counts_once_whatever_way_it_comes(watch: Watch, tmp_path: Path) -> None:
    """Those that were lost while it ran come home with it; a budget is charged once for each."""
    ear = Ear(watch, tmp_path)
    used = StatedUsage(input_tokens=5)
    words = [word(1, "asked"), word(2, "answered", usage=used), word(3, "told", line="waits")]
    ear.hear([words[2], words[0]])
    ear.hear(words)
    assert (watch.requests, watch.usages, watch.lines) == (1, [used], ["waits"])


def test_only_the_first_worker_may_begin(watch: Watch, tmp_path: Path) -> None:
    """A cluster runs a task again whose worker it takes for lost; the model is asked once."""
    ear = Ear(watch, tmp_path)
    for address in ("tcp://a", "tcp://b", "tcp://a"):
        ear.hear([word(0, "here", address=address)])
    assert ear.address == "tcp://a"
    assert ear.take_strangers() == ["tcp://b", "tcp://a"]
    assert ear.take_strangers() == []


def test_what_comes_too_late_is_kept_and_nobody_is_told(watch: Watch, tmp_path: Path) -> None:
    """An attempt that is over has been charged and recorded; what follows is evidence only."""
    folder = tmp_path / "nothing-came-home"
    ear = Ear(watch, folder)
    ear.hear([word(1, "asked")])
    ear.close()
    ear.hear([word(1, "asked"), word(2, "asked"), word(2, "asked")])
    assert watch.requests == 1
    late = (folder / LATE_NAME).read_bytes().splitlines()
    assert [msgspec.json.decode(line, type=Word).number for line in late] == [2]


def test_noise_and_words_of_others_are_passed_over(watch: Watch, tmp_path: Path) -> None:
    """A cluster may serve several experiments, of several versions."""
    ears = Ears()
    ears.open("t", watch, tmp_path)
    stranger = msgspec.json.encode(Word(token="other", number=1, event="asked")).decode()
    mine = msgspec.json.encode(word(1, "asked")).decode()
    for line in ("no json", stranger, mine):
        ears.take((0.0, line))
    ears.close(PATIENCE_S)
    assert watch.requests == 1


def test_a_worker_that_never_answers_keeps_nobody_waiting() -> None:
    """Only the thread that speaks to it."""
    asked, go_on = threading.Event(), threading.Event()

    def tell(address: str, token: str, said: str, line: str) -> None:
        asked.set()
        go_on.wait(PATIENCE_S)

    life = Lifeline(tell, "tcp://a", "t", first="begin")
    assert asked.wait(PATIENCE_S)
    life.say("stop")
    life.close()
    go_on.set()


def test_a_worker_hears_again_and_again_that_it_may_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it could not tell an experiment that is silent from one that is dead."""
    monkeypatch.setattr("kcb_experiments.remote.lifeline.EVERY_S", 0.01)
    heard: list[str] = []
    enough = threading.Event()

    def tell(address: str, token: str, said: str, line: str) -> None:
        heard.append(said)
        if len(heard) == 3:
            enough.set()
        if said == "begin":
            raise OSError("nobody there yet")

    life = Lifeline(tell, "tcp://a", "t", first="begin")
    assert enough.wait(PATIENCE_S)
    life.close()
    assert heard[:3] == ["begin", "stay", "stay"]
