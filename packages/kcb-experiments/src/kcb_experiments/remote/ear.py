"""Hears what workers say of cells, in whatever order and how often it comes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from kcb_core.execution import Observer
from kcb_experiments.remote.message import Word

LATE_NAME = "late.jsonl"
"""The file with what was said of an attempt that was over: evidence, and never counted."""


class Ear:
    """What is heard of one try at a cell; any thread may ask."""

    def __init__(self, observer: Observer, folder: Path) -> None:
        """Nothing is heard yet.

        Args:
            observer: is told of it, each word once.
            folder: of the attempt, for what comes too late.
        """
        self.address = ""
        """The worker that asked first whether it may begin."""
        self.strangers: list[str] = []
        """Workers that ask for what another one has begun already."""
        self._observer = observer
        self._folder = folder
        self._heard: set[int] = set()
        self._over = False
        self._lock = threading.Lock()

    def hear(self, words: Iterable[Word]) -> None:
        """Take in some words; those that were heard before are nothing new."""
        with self._lock:
            for word in words:
                if word.event == "here":
                    self._comes(word.address)
                elif word.number not in self._heard:
                    self._heard.add(word.number)
                    self._pass_on(word)

    def close(self) -> None:
        """The attempt is over: what comes from now on is kept, and nobody is told."""
        with self._lock:
            self._over = True

    def take_strangers(self) -> list[str]:
        """Those that came since this was last asked."""
        with self._lock:
            found, self.strangers = self.strangers, []
        return found

    def _comes(self, address: str) -> None:
        if not self.address and not self._over:
            self.address = address
        elif 0 in self._heard:
            self.strangers.append(address)
        self._heard.add(0)

    def _pass_on(self, word: Word) -> None:
        if self._over:
            self._keep(word)
            return
        match word.event:
            case "asked":
                self._observer.asked()
            case "answered":
                self._observer.answered(word.usage, word.dollars)
            case "told":
                self._observer.told(word.line)

    def _keep(self, word: Word) -> None:
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with (self._folder / LATE_NAME).open("ab") as file:
                file.write(msgspec.json.encode(word) + b"\n")


class Ears:
    """The ears of one run. What the cluster says is passed on in a thread of its own.

    The cluster's own thread must not wait for whoever is told: it also says that this client lives.
    """

    def __init__(self) -> None:
        self._ears: dict[str, Ear] = {}
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._listen, name="kcb-ears", daemon=True)
        self._thread.start()

    def open(self, token: str, observer: Observer, folder: Path) -> Ear:
        """An ear for a new try at a cell."""
        ear = self._ears[token] = Ear(observer, folder)
        return ear

    def take(self, event: tuple[float, str]) -> None:
        """What the cluster calls with each thing that is said."""
        self._lines.put(event[1])

    def close(self, seconds: float) -> None:
        """Hear out what was said by now."""
        self._lines.put(None)
        self._thread.join(seconds)

    def _listen(self) -> None:
        for line in iter(self._lines.get, None):
            with suppress(msgspec.DecodeError, KeyError):
                word = msgspec.json.decode(line, type=Word)
                self._ears[word.token].hear([word])
