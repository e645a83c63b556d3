"""Loaded by the workers of a local cluster, which stand in the terminal's foreground too.

Ctrl-C reaches every process there. A worker that it ended would leave its candidates running; the
client stops the run in good order instead.
"""

from __future__ import annotations

import signal
import threading

if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
