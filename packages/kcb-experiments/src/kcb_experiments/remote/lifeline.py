"""Speaks to the worker of one cell, without making anybody else wait for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

EVERY_S = 5.0
"""How often a worker is told that it may go on, in seconds."""

Tell = Callable[[str, str, str, str], None]
"""Tells a worker, by its address, of a try, by its token, a word and a line."""


class Lifeline:
    """Tells one worker of one cell what it is to do, and again and again that it may go on.

    A worker that has gone keeps only this thread waiting, and nobody else.
    """

    def __init__(self, tell: Tell, address: str, token: str, *, first: str) -> None:
        """Tell it a first word.

        Args:
            tell: reaches the worker; whatever it raises means that it did not.
            address: of the worker.
            token: of the try.
            first: that word.
        """
        self._words: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self.say(first)
        speak = partial(self._speak, tell, address, token)
        threading.Thread(target=speak, name="kcb-life", daemon=True).start()

    def say(self, word: str, line: str = "") -> None:
        """Tell it something, soon."""
        self._words.put((word, line))

    def close(self) -> None:
        """Tell it no more."""
        self._words.put(None)

    def _speak(self, tell: Tell, address: str, token: str) -> None:
        while True:
            try:
                said = self._words.get(timeout=EVERY_S)
            except queue.Empty:
                said = ("stay", "")
            if said is None:
                return
            with suppress(Exception):  # whoever follows the cell sees that its worker is gone
                tell(address, token, *said)
