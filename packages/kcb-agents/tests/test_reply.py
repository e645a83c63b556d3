"""Files out of replies, in every form that models are known to give them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_agents.fences import fenced_blocks
from kcb_agents.preamble import ONE_SHOT
from kcb_agents.reply import read_reply, split_thinking

F = "```"


@pytest.mark.parametrize(
    "reply",
    [
        f"### main.py\n{F}python\nX\n{F}",
        f"### main.py\n\n{F}python\nX\n{F}",
        f"# main.py:\n{F}\nX\n{F}",
        f"#### 1. `main.py`\n{F}py\nX\n{F}",
        f"### File: main.py\n{F}python\nX\n{F}",
        f"### `main.py` (the program)\n{F}python\nX\n{F}",
        f"### `main.py` - the program itself\n{F}python\nX\n{F}",
        f"**main.py**\n{F}python\nX\n{F}",
        f"**main.py**:\n{F}python\nX\n{F}",
        f"**File:** `main.py`\n{F}python\nX\n{F}",
        f"1. **main.py**\n   {F}python\n   X\n   {F}",
        f"`main.py`\n{F}python\nX\n{F}",
        f"main.py\n{F}\nX\n{F}",
        f"Filename: main.py\n{F}\nX\n{F}",
        f"./main.py\n{F}\nX\n{F}",
        f"### main.py\nThis is the program. It reads lines.\n\n{F}python\nX\n{F}",
        f"{F}python main.py\nX\n{F}",
        f"{F}main.py\nX\n{F}",
        f"{F}python:main.py\nX\n{F}",
        f'{F}python title="main.py"\nX\n{F}',
        f'{F}{{.python filename="main.py"}}\nX\n{F}',
        f"{F}python\nX\n{F}",
        f"Sure! Here is the code:\n{F}python\nX\n{F}\nRun it:\n{F}bash\npython main.py\n{F}",
        f"{F}\nX\n{F}",
        "~~~python\nX\n~~~",
        f"````python\nX\n````\n{F}json\n{{}}\n{F}",
        f"### main.py\r\n{F}python\r\nX\r\n{F}\r\n",
        f"### main.py\n{F}python\nX\n",
    ],
)
def test_one_program_is_found_in_any_usual_form(reply: str) -> None:
    """A benchmark of programs should not be one of Markdown."""
    assert read_reply(reply).files == {"main.py": "X\n"}


@pytest.mark.parametrize("fence", [f"{F}{{.python}}", "https://example.org/a.py\n" + F])
def test_a_block_that_is_cut_is_the_program_all_the_same(fence: str) -> None:
    """Its end is missing, which the record says."""
    reply = read_reply(f"{fence}\nX\n\n")
    assert reply.files == {"main.py": "X\n"}
    assert reply.notes == (
        "the only block without a name is taken for main.py",
        "the block of main.py is not closed",
    )


@pytest.mark.parametrize("comment", ["# main.py", "# File: main.py", "#main.py"])
def test_a_comment_in_the_first_line_can_name_the_file(comment: str) -> None:
    """And it stays in the file."""
    reply = f"{F}python\n{comment}\nX\n{F}\n{F}python\n# parts/b.py\nY\n{F}"
    assert read_reply(reply).files == {
        "main.py": f"{comment}\nX\n",
        "parts/b.py": "# parts/b.py\nY\n",
    }


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I am sorry, I cannot do that.",
        "import sys\nprint(1)",
        f"{F}bash\npip install x\n{F}",
        f"{F}python\nX\n{F}\n{F}python\nY\n{F}",
        f"{F}\nX\n{F}\n{F}\nY\n{F}",
        f"{F}python\n\n{F}",
        f"Use `{F}python` here.",
    ],
)
def test_what_is_no_project_holds_no_files(reply: str) -> None:
    """Guessing which of two blocks was meant would be an opinion."""
    assert read_reply(reply).files == {}


def test_examples_beside_a_named_program_are_ignored() -> None:
    """Models like to show how it is used."""
    reply = (
        f"### main.py\n{F}python\nX\n{F}\n### Input/Output\n{F}json\n{{}}\n{F}\n"
        f"### Usage\n{F}python\nexample\n{F}\n{F}bash\npython main.py\n{F}"
    )
    assert read_reply(reply).files == {"main.py": "X\n"}


def test_a_heading_names_only_the_block_after_it() -> None:
    """What follows that has no name."""
    reply = f"### main.py\n{F}python\nX\n{F}\nFor example:\n{F}python\nY\n{F}"
    assert read_reply(reply).files == {"main.py": "X\n"}


def test_a_shell_block_after_a_heading_and_words_is_not_the_file() -> None:
    """The program comes after it."""
    reply = f"### main.py\nRun it with\n{F}bash\npython main.py\n{F}\n{F}python\nX\n{F}"
    assert read_reply(reply).files == {"main.py": "X\n"}


def test_the_last_of_two_texts_for_one_path_counts() -> None:
    """Models correct themselves, and the record says that it happened."""
    reply = read_reply(f"### main.py\n{F}\nX\n{F}\nBetter:\n### main.py\n{F}\nY\n{F}")
    assert reply.files == {"main.py": "Y\n"}
    assert reply.notes == ("main.py is given more than once; the last one counts",)


def test_a_block_of_markdown_may_hold_blocks() -> None:
    """A README that shows commands must not swallow the program behind it."""
    readme = f"Run:\n{F}bash\npython main.py\n{F}\nDone.\n"
    reply = f"### README.md\n{F}markdown\n{readme}{F}\n### main.py\n{F}python\nX\n{F}"
    assert read_reply(reply).files == {"README.md": readme, "main.py": "X\n"}


def test_a_longer_fence_holds_shorter_ones() -> None:
    """The preamble tells models to do so."""
    reply = f"### main.py\n````python\nX = '''\n{F}\n'''\n````"
    assert read_reply(reply).files == {"main.py": f"X = '''\n{F}\n'''\n"}


def test_an_indented_fence_in_a_program_does_not_end_it() -> None:
    """Docstrings hold fences."""
    text = f'def f():\n    """\n    {F}\n    f()\n    {F}\n    """\n'
    assert read_reply(f"### main.py\n{F}python\n{text}{F}").files == {"main.py": text}


def test_an_empty_file_with_a_name_is_a_file() -> None:
    """Packages have an empty ``__init__.py``."""
    reply = f"### main.py\n{F}\nX\n{F}\n**pkg/__init__.py**\n{F}python\n{F}"
    assert read_reply(reply).files == {"main.py": "X\n", "pkg/__init__.py": ""}


@pytest.mark.parametrize("path", ["../x.py", "/etc/passwd", "~/x", "C:\\x.py", ".env.py", "a/../x"])
def test_a_path_that_is_not_allowed_is_still_read_as_one(path: str) -> None:
    """Or the reply would be judged without the file that the model meant to write."""
    assert path in read_reply(f"### {path}\n{F}\nX\n{F}\n### main.py\n{F}\nY\n{F}").files


@pytest.mark.parametrize(
    ("text", "thought", "said"),
    [
        ("<think>a</think>b", "a", "b"),
        ("\n<thinking>a</thinking>b", "a", "b"),
        ("a\n</think>\n\nb", "a\n", "\n\nb"),
        ("<think>a", "a", ""),
        ("b", "", "b"),
        ("say `</think>` twice", "", "say `</think>` twice"),
    ],
)
def test_thinking_is_told_from_saying(text: str, thought: str, said: str) -> None:
    """Whether the server marks its start or not."""
    assert split_thinking(text) == (thought, said)


@given(st.text(alphabet="ab \n`~#*:./\\<>(){}-\t\r\u2028", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    """A reply is whatever a model says."""
    files = read_reply(text).files
    assert all(path and "\n" not in path for path in files)


@given(
    st.lists(
        st.text(st.characters(exclude_characters="`~\n\r", exclude_categories=["Cs"])), max_size=9
    )
)
def test_the_form_of_the_preamble_keeps_every_byte(lines: list[str]) -> None:
    """What the model is told to do must work, whatever is in the file."""
    text = "".join(f"{line}\n" for line in lines)
    assert read_reply(f"### main.py\n{F}python\n{text}{F}").files == {"main.py": text}


@pytest.mark.parametrize(
    "text",
    [
        "`" * 1_000_000,
        (f"{F}\n" * 100_000),
        "# " + " " * 500_000 + f"x\n{F}\nX\n{F}",
        f"a{' ' * 500_000}(b\n{F}{' ' * 500_000}x\n#{' ' * 500_000}x\n{F}",
        "<think>" * 100_000,
        f"{F}markdown\n" + f"{F}x\n" * 100_000,
    ],
)
def test_a_hostile_reply_costs_no_time(text: str) -> None:
    """Patterns must not go over a long line again and again: a quadratic one takes minutes here."""
    begun = time.process_time()
    split_thinking(text)
    read_reply(text)
    assert time.process_time() - begun < 30


def test_the_example_of_the_preamble_is_in_the_form_that_it_asks_for() -> None:
    """Small models copy the example and not the rule."""
    assert read_reply(ONE_SHOT.text).files == {"main.py": "import sys\n"}


def test_a_block_knows_its_language() -> None:
    """And a path is none."""
    infos = ("python", "python:a.py", "main.py", "{.python}", "", "c++")
    found = [next(fenced_blocks(f"{F}{info}\n{F}")).language for info in infos]
    assert found == ["python", "python", "", "python", "", "c++"]
