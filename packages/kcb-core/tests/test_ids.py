"""Names of tasks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.errors import DeclarationError
from kcb_core.ids import WHOLE, TaskId
from kcb_core.testing.strategies import task_ids


@given(task_ids())
def test_ids_print_and_parse(task_id: TaskId) -> None:
    """Reports and selections hold ids as text; one that changes on the way names another task."""
    assert TaskId.parse(str(task_id)) == task_id


@given(st.from_regex(r"[a-z0-9-]{1,30}\n?", fullmatch=True))
def test_what_parses_prints_as_it_was(text: str) -> None:
    """Two spellings of one id would be two files of one task."""
    try:
        task_id = TaskId.parse(text)
    except DeclarationError:
        return
    assert str(task_id) == text


def test_id_has_four_parts() -> None:
    """The slug is the last part, so it alone may hold hyphens."""
    assert TaskId.parse("kcb-easy-001-word-frequency") == TaskId("kcb", "easy", 1, "word-frequency")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kcb",
        "kcb-easy-001",
        "kcb-easy-001-",
        "kcb-easy-1-slug",
        "kcb-easy-0001-slug",
        "kcb-easy-000-slug",
        "kcb-easy-\u0661\u0662\u0663-slug",
        "KCB-easy-001-slug",
        "kcb-easy-001-Slug",
        "kcb-easy-001-a--b",
        "kcb-easy-001-a-",
        "kcb-easy2-001-a",
        "1kcb-easy-001-a",
        " kcb-easy-001-a",
        "kcb-easy-001-a\n",
        "kcb-easy-001-a/../b",
        "kcb-easy-001-" + "a" * 120,
    ],
)
def test_other_shapes_are_refused(text: str) -> None:
    """An id becomes a file name and a path; nothing may slip through it."""
    with pytest.raises(DeclarationError, match="is no task id; one looks like kcb-easy-001"):
        TaskId.parse(text)


def test_message_about_a_long_text_is_short() -> None:
    """The argument may be a whole file by mistake."""
    with pytest.raises(DeclarationError) as caught:
        TaskId.parse("x" * 10_000)
    assert len(str(caught.value)) < 250


def test_ids_sort_by_dataset_tier_and_number() -> None:
    """Lists of tasks are in one order everywhere."""
    names = ["kcb-easy-010-a", "kcb-easy-002-b", "abc-max-001-z", "kcb-max-001-a"]
    found = [str(task_id) for task_id in sorted(map(TaskId.parse, names))]
    assert found == ["abc-max-001-z", "kcb-easy-002-b", "kcb-easy-010-a", "kcb-max-001-a"]


def test_a_task_of_a_suite_has_a_plain_name() -> None:
    """It is a family of its own, in the one tier of a set without tiers."""
    plain = TaskId.read("fix-ledger-rounding")
    assert (plain.dataset, plain.tier, plain.slug) == ("", WHOLE, "fix-ledger-rounding")
    assert str(plain) == "fix-ledger-rounding"
    assert TaskId.read("kcb-easy-001-word-frequency").tier == "easy"


@pytest.mark.parametrize("text", ["", "Fix", "fix--it", "fix_it", "a/b", "x" * 121, "../a", "é"])
def test_what_is_no_name_of_a_task_is_refused(text: str) -> None:
    """As strictly as ever: it becomes the name of a file."""
    with pytest.raises(DeclarationError):
        TaskId.read(text)
