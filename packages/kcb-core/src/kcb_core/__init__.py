"""The words that every part of Klein-Code-Bench shares.

Everything is imported from its one home, for instance ``from kcb_core.task import Task``.
This module holds only the marker with which a plug-in names its hook implementations.
"""

import pluggy

hookimpl = pluggy.HookimplMarker("kcb")
"""Marks a function as an implementation of one of the hooks in :mod:`kcb_core.hookspecs`."""
