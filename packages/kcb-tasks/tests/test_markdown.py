"""Tables of generated pages."""

from __future__ import annotations

from kcb_tasks.markdown import table


def test_a_table_has_its_numbers_to_the_right_and_its_bars_escaped() -> None:
    """A bar in a title would begin another cell."""
    assert table(("name", "n"), [("a|b", "1"), ("c", "2")], numeric=1) == (
        "| name | n |\n| --- | ---: |\n| a\\|b | 1 |\n| c | 2 |"
    )


def test_a_table_may_have_no_rows() -> None:
    """Its headings still say what would be there."""
    assert table(("name",), []) == "| name |\n| --- |"
