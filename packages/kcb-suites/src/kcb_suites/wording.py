"""Ids and paths as manifests write them, and what may stand in them."""

from __future__ import annotations

import re

MAX_ID = 64

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_STEP = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def require_id(field: str, text: str) -> None:
    """See to it that a text is an id, such as ``fix-ledger-rounding``.

    Raises:
        ValueError: it is none; the message names the field.
    """
    if not _ID.fullmatch(text) or len(text) > MAX_ID:
        raise ValueError(
            f"field {field!r}: {text[:80]!r} is no id; one is words of small letters and digits "
            f"with '-' between them, at most {MAX_ID} characters"
        )


def require_path(field: str, text: str) -> None:
    """See to it that a text names something below a folder, without a way out of it.

    Raises:
        ValueError: it is absolute, has a step such as ``..``, or holds other characters than
            letters, digits, ``.``, ``_`` and ``-`` between its slashes.
    """
    if not all(_STEP.fullmatch(step) for step in text.split("/")):
        raise ValueError(
            f"field {field!r}: {text[:80]!r} is no path within the tree; write it as "
            "'fixtures/fix-ledger-rounding': relative, without '..', steps of letters, digits, "
            "'.', '_' and '-'"
        )


def require_text(field: str, text: str) -> None:
    """See to it that a text says something.

    Raises:
        ValueError: it is blank.
    """
    if not text.strip():
        raise ValueError(f"field {field!r} is empty")
