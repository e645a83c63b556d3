"""The contract of graders: what they print and exit with has one meaning or none."""

from __future__ import annotations

import pytest

from kcb_suites.contract import BrokenContract, reasons_of


@pytest.mark.parametrize(
    ("status", "stdout", "reasons"),
    [
        pytest.param(0, b"PASS\n", (), id="pass"),
        pytest.param(0, b"PASS", (), id="without a line end"),
        pytest.param(1, b"FAIL one\nFAIL two words\nFAIL\n", ("one", "two words"), id="fail"),
    ],
)
def test_a_verdict_is_read(status: int, stdout: bytes, reasons: tuple[str, ...]) -> None:
    """These are the only ways to say one."""
    assert reasons_of(status, stdout) == reasons


@pytest.mark.parametrize(
    ("status", "stdout", "words"),
    [
        pytest.param(0, b"", "no verdict", id="nothing"),
        pytest.param(1, b"Traceback\n", "no verdict", id="crash"),
        pytest.param(0, b"PASS\nmore\n", "no verdict", id="goes on after it"),
        pytest.param(0, b"PASS \n", "no verdict", id="a blank behind"),
        pytest.param(1, b"PASS\n", "exit status 1", id="pass, but status 1"),
        pytest.param(0, b"FAIL x\nPASS\n", "1 problems", id="pass, but problems"),
        pytest.param(0, b"FAIL x\nFAIL\n", "exit status 0", id="fail, but status 0"),
        pytest.param(1, b"FAIL\n", "no problem", id="fail without a problem"),
        pytest.param(1, b"FAIL \nFAIL\n", "none of its", id="a problem without words"),
        pytest.param(1, b"note\nFAIL x\nFAIL\n", "none of its", id="other lines"),
        pytest.param(0, b"\xff\nPASS\n", "UTF-8", id="no text"),
    ],
)
def test_anything_else_is_no_verdict(status: int, stdout: bytes, words: str) -> None:
    """A grader that says two things at once must never be read as the better of them."""
    with pytest.raises(BrokenContract, match=words):
        reasons_of(status, stdout)
