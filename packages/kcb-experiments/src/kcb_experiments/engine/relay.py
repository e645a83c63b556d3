"""Joins connections to one place with connections to another, byte for byte.

The worker's end in a container and the experiment's end outside are the same thing. This module is
imported in the container before anything else, and needs the standard library alone.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import BoundedSemaphore, Lock, Thread

MOST = 64
"""Connections at once; a further one is closed again."""

_PIECE = 1 << 16


class Relay:
    """Serves a listener until it is closed, each connection in threads of its own."""

    def __init__(self, listener: socket.socket, connect: Callable[[], socket.socket]) -> None:
        """Begin at once.

        Args:
            listener: where connections come in; closed with this.
            connect: makes the other end of one; an OSError of it closes the first end.
        """
        self._listener = listener
        self._connect = connect
        self._room = BoundedSemaphore(MOST)
        self._open: set[socket.socket] = set()
        self._lock = Lock()
        self._closed = False
        Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """End it, and every connection."""
        with self._lock:
            self._closed = True
            left = tuple(self._open)
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in left:
            _hang_up(end)

    def _serve(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                near, _ = self._listener.accept()
                if not self._room.acquire(blocking=False):
                    near.close()
                    continue
                Thread(target=self._joined, args=(near,), daemon=True).start()

    def _joined(self, near: socket.socket) -> None:
        """Join one connection with its other end, until both sides have said all."""
        try:
            with near, self._connect() as far:
                if not self._keep(near, far):
                    return
                back = Thread(target=_pump, args=(far, near), daemon=True)
                back.start()
                _pump(near, far)
                back.join()
        except OSError:
            pass
        finally:
            with self._lock:
                self._open = {end for end in self._open if end.fileno() >= 0}
            self._room.release()

    def _keep(self, *ends: socket.socket) -> bool:
        with self._lock:
            if not self._closed:
                self._open.update(ends)
            return not self._closed


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Carry what one end says to the other, and tell that it has said all."""
    try:
        while piece := source.recv(_PIECE):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        _hang_up(source)
        _hang_up(target)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
