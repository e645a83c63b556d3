"""The one builder of environments for code that is not ours.

It starts from nothing and adds what is listed: nothing is inherited, so no credential can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

SEARCH_PATH = "/usr/bin:/bin"
LOCALE = "C.UTF-8"


def clean_environment(
    *, home: Path, scratch: Path, extra: Mapping[str, str] | None = None
) -> dict[str, str]:
    """An environment of exactly PATH, LANG, HOME and TMPDIR, and what is named besides.

    Args:
        home: an empty folder of its own.
        scratch: where temporary files go.
        extra: variables that a declaration names; a candidate gets none.
    """
    return {
        "PATH": SEARCH_PATH,
        "LANG": LOCALE,
        "HOME": str(home),
        "TMPDIR": str(scratch),
        **(extra or {}),
    }
