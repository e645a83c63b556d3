"""Drafts in Markdown: hostile text stays text, and what a person wrote stays."""

import html
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from kcb_core.errors import MachineError
from kcb_core.testing.strategies import texts
from kcb_core.testing.values import small_check, small_trial
from kcb_core.trial import TOOL_HALLUCINATION, Channel
from kcb_score.trials.drafts import FileSink, draft_channel_work, draft_ticket, place_draft
from kcb_score.trials.inert import LONGEST_BLOCK, block, link, slug, span
from kcb_score.trials.routing import agent_faults, tool_faults
from kcb_score.trials.rows import Row

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "```\n# heading\n- list",
    "~~~\n````````",
    "`code` ``two``",
    "[link](http://example.test) http://example.test @somebody #1",
    "<!-- comment\n-->",
    "\n\n    indented\n\n> quote",
    "\x1b[31mred\x1b]8;;http://example.test\x07",
    "a\u2028b\u2029c\u0085d\u202eevil\u2066",
    "| a | b |\n| --- | --- |",
    "x" * 100_000,
    "",
    " ",
    "`",
)


def row(path: Path, **changes: Any) -> Row:
    """A trial report at a path."""
    return Row(path=path, report=small_trial(**changes))


def tokens(text: str) -> list[Token]:
    """Every token of a text in Markdown, those inside of lines too."""
    found = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    return [inner for one in found for inner in (one, *(one.children or ()))]


def kinds(text: str) -> set[str]:
    """The kinds of tokens in a text."""
    return {token.type for token in tokens(text)}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_hostile_text_is_code_and_nothing_else(text: str) -> None:
    """No link, no heading, no HTML, no comment, and no control character comes of it."""
    assert kinds(span(text)) <= {
        "paragraph_open",
        "inline",
        "paragraph_close",
        "code_inline",
        "text",
    }
    assert kinds(block(text)) == {"fence"}
    shown = MarkdownIt("commonmark").render(block(text))
    assert "<script" not in shown
    assert all(char.isprintable() or char in "\n\t" for char in shown)


@given(texts(60))
def test_any_text_is_shown_whole(text: str) -> None:
    """What is inert is still what was written, as far as it can be printed."""
    (fence,) = tokens(block(text))
    if text.isprintable():
        assert fence.content == f"{text}\n"
        shown = MarkdownIt("commonmark").render(span(text))
        if text.strip():
            assert html.unescape(shown) == f"<p><code>{text}</code></p>\n"


def test_long_text_is_cut_and_says_so() -> None:
    """A ticket is for people; the report has the rest."""
    shown = block("x" * (LONGEST_BLOCK + 7))
    assert shown.count("x") == LONGEST_BLOCK + 1  # and that of the language
    assert "… 7 more characters" in shown


@pytest.mark.parametrize(
    "name", ["a b.json", "a](x).json", "ä<b>.json", "a`b.json", "a\udcff.json"]
)
def test_link_leads_to_the_report(tmp_path: Path, name: str) -> None:
    """Whatever its name is, and from wherever the draft lies."""
    text = link(tmp_path / "reports" / name, start=tmp_path / "out" / "tickets")
    (opened,) = [token for token in tokens(text) if token.type == "link_open"]
    assert str(opened.attrs["href"]).startswith("../../reports/a") or "%C3" in str(opened.attrs)
    assert not {"html_inline", "image"} & kinds(text)


def test_names_are_safe_for_files() -> None:
    """And never empty, whatever a tool calls itself."""
    assert [slug(text) for text in ("A b/../c", "円", "", "-" * 99, "x" * 99)] == [
        *("a-b-c", "x", "x", "x", "x" * 40),
    ]


def drafted(folder: Path, text: str) -> str:
    """The ticket of a fault in whose names and reasons this text stands, as a file's content."""
    name = text.strip("\n") or "n"
    check = small_check(name, "tool", reason=text)
    hostile = row(folder / "r.json", tool=name, drill=name, model=name, checks=(check,),
                  tool_version=text)  # fmt: skip
    (fault,) = tool_faults([hostile])
    place = FileSink().put(draft_ticket(fault, folder / "out"), folder / "out")
    return Path(place).read_text()


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_ticket_of_a_hostile_report_is_inert(tmp_path: Path, text: str) -> None:
    """A model that names itself ``<script>`` must not run in a tracker."""
    shown = drafted(tmp_path, text)
    found = tokens(shown)
    assert [t.content for t in found if t.type in ("html_block", "html_inline")] == [
        shown[shown.rindex("<!-- draft") :],
    ]
    assert sum(t.type == "heading_open" for t in found) == 3
    assert [t.attrs["href"] for t in found if t.type == "link_open"] == ["../../r.json"]
    assert sum(t.type == "fence" for t in found) == 1


def test_ticket_links_every_report_and_gives_each_reason_once(tmp_path: Path) -> None:
    """It links the reports, and says what they show and what not."""
    rows = [
        row(tmp_path / f"{n}.json", repetition=n, contrived=True,
            checks=(small_check(fault="tool", reason=("first", "second")[n == 2]),))
        for n in range(3)
    ]  # fmt: skip
    rows.append(row(tmp_path / "good.json", repetition=3))
    (fault,) = tool_faults(rows)
    draft = draft_ticket(fault, tmp_path / "out")
    assert draft.reports == tuple(tmp_path / f"{n}.json" for n in range(3))
    assert [draft.body.count(f"](../../{n}.json)") for n in range(3)] == [1, 1, 1]
    assert (draft.body.count("\nfirst\n"), draft.body.count("\nsecond\n")) == (1, 1)
    assert "failed in 3 of 4 trials by a fault of the tool" in draft.body
    assert "no estimate of how often they happen" in draft.body
    assert "good.json" not in draft.body


def test_same_fault_has_the_same_name_and_others_another(tmp_path: Path) -> None:
    """A sink sees by the name that it has a ticket already."""

    def name(*models: str, **changes: Any) -> str:
        rows = [row(tmp_path / m, model=m, **({"checks": (small_check(fault="tool"),)} | changes))
                for m in models]  # fmt: skip
        return draft_ticket(tool_faults(rows)[0], tmp_path).name

    assert name("a") == name("a", "b") == "toytool-broken-config-exit-status-" + name("a")[-8:]
    assert name("a", drill="broken config") != name("a")
    assert name("a", tool="TOYTOOL") != name("a")


def test_draft_that_was_edited_is_left_as_it_is(tmp_path: Path) -> None:
    """What a person wrote is worth more than what can be made again."""
    path = tmp_path / "a.md"
    assert place_draft(path, "t", "one") == str(path)
    written = path.read_bytes()
    assert place_draft(path, "t", "one") == str(path)
    assert path.read_bytes() == written
    assert place_draft(path, "t", "two") == str(path)
    assert b"two" in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(b"two", b"mine"))
    assert "edited since" in place_draft(path, "t", "three")
    assert b"mine" in path.read_bytes()
    path.write_text("a page of my own\n")
    assert "edited since" in place_draft(path, "t", "three")
    assert path.read_text() == "a page of my own\n"


def test_draft_that_cannot_be_written_is_a_fault_of_the_machine(tmp_path: Path) -> None:
    """And nothing else is said."""
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError):
        place_draft(tmp_path / "file" / "a.md", "t", "b")


def test_channel_work_names_models_drills_and_the_rule(tmp_path: Path) -> None:
    """Whoever works on the channel should not have to ask who misses it, and where."""
    check = small_check("hint", "agent", TOOL_HALLUCINATION, channel=Channel.SUGGESTIONS)
    rows = [row(tmp_path / f"{m}.json", model=m, checks=(check,)) for m in "abc"]
    (fault,) = agent_faults(rows, set("abc"))
    path, title, body = draft_channel_work(fault, tmp_path / "out")
    assert path.parent == tmp_path / "out" / "channel-work"
    assert path.name.startswith("err-tool-execution-hallucination-suggestions-")
    assert "`suggestions`" in title
    assert "3 models show it, 3 are enough" in body
    assert [body.count(f"- `{m}`\n") for m in "abc"] == [1, 1, 1]
    assert "- `broken-config` of `toytool`" in body


@given(st.lists(texts(10), min_size=1, max_size=3))
def test_names_of_drafts_are_file_names(words: list[str]) -> None:
    """Of small letters, digits and hyphens alone, and never too long."""
    name = "-".join(map(slug, words))
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(name) <= 41 * len(words)
