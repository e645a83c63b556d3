"""The string by which leaked data is found."""

from kcb_core.canary import CANARY
from kcb_core.dataset import encode_record
from kcb_core.testing.values import small_task


def test_canary_stands_in_every_record_and_in_no_prompt() -> None:
    """Whoever finds it in a training set or a context knows that the data has leaked."""
    assert encode_record(small_task()).count(CANARY.encode()) == 1
    assert CANARY not in small_task().prompt


def test_canary_never_changes() -> None:
    """It is searched for in data of years ago."""
    assert CANARY.endswith("Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21")
