"""The limits of a candidate."""

import pytest

from kcb_core.codec import decode, encode
from kcb_core.limits import LIMITS, Limits


def test_limits_are_those_of_the_protocol() -> None:
    """The same numbers stand in every prompt; one that changes is another protocol."""
    assert decode(encode(LIMITS), dict[str, float], source="limits") == {
        "session_s": 10,
        "stdout_bytes": 1_048_576,
        "stderr_bytes": 8_192,
        "memory_bytes": 1_073_741_824,
        "processes": 64,
        "open_files": 256,
        "file_bytes": 67_108_864,
        "written_bytes": 268_435_456,
        "submission_files": 2_000,
        "submission_bytes": 20_000_000,
        "submission_depth": 64,
        "line_bytes": 262_144,
    }


def test_limits_do_not_change() -> None:
    """They are shared by prompt, runner and report; nobody may change them for the others."""
    with pytest.raises(AttributeError):
        LIMITS.processes = 1  # type: ignore[misc]


def test_limits_round_trip() -> None:
    """A report holds the limits that were in force, and they are read back as they were."""
    limits = Limits(session_s=1.5, processes=3)
    assert decode(encode(limits), Limits, source="limits") == limits
