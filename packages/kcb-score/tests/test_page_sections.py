"""What the page's own sections show, and sections of other packages beside them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from kcb_core.errors import MachineError
from kcb_core.page import (
    Block,
    Fact,
    Facts,
    Figure,
    PageData,
    Paragraph,
    Table,
    Tone,
)
from kcb_core.report import TaskReport
from kcb_score.collect import collect
from kcb_score.compare.assembling import Terms, compared
from kcb_score.compare.comparison import Mark
from kcb_score.compare.loading import arms_of
from kcb_score.page.assembly import ask
from kcb_score.page.expense import Costs
from kcb_score.page.failures import Failures
from kcb_score.page.families import Families
from kcb_score.page.headline import Headline
from kcb_score.page.origin import Origin
from kcb_score.page.sections import own_sections
from kcb_score.page.task_rows import State, task_rows
from kcb_score.page.versus import Versus
from kcb_score.statistics.proportions import wilson


def easy(bench: Any, outcomes: str, **changes: Any) -> list[TaskReport]:
    """Reports of the first easy tasks: ``r`` resolved, ``f`` failed, ``v`` void."""
    names = {"r": "resolved", "f": "failed", "v": "void"}
    tasks = bench.tasks("easy")
    return [bench.report(t, names[o], **changes) for t, o in zip(tasks, outcomes, strict=False)]


def of(kind: type[Any], blocks: Iterable[Block]) -> list[Any]:
    """The blocks of one kind."""
    return [block for block in blocks if isinstance(block, kind)]


def cells(table: Table, first: str) -> dict[str, str]:
    """The row of a table that begins so, by column."""
    return next(dict(zip(table.columns, r, strict=True)) for r in table.rows if r[0] == first)


def test_the_headline_counts_over_all_tasks(bench: Any) -> None:
    """Tasks without a project lower the share, on the page as everywhere."""
    blocks = list(Headline().render(bench.page_data(*easy(bench, "r" * 13))))
    (facts,) = of(Facts, blocks)
    assert facts.items[0] == Fact(name="easy", value="20.0 %", note="13 of 65")
    row = cells(of(Table, blocks)[0], "easy")
    assert row["resolve@1"] == "20.0 %"
    assert row["95 % interval"] == "12.1 – 31.3"
    assert row["missing"] == "52"


def test_void_tasks_make_the_result_a_pair_and_the_interval_cover_both(bench: Any) -> None:
    """What a reader quotes must not claim to know what came of a void task."""
    blocks = list(Headline().render(bench.page_data(*easy(bench, "r" * 13 + "v" * 13))))
    row = cells(of(Table, blocks)[0], "easy")
    assert row["resolve@1"] == "20.0 – 40.0 %"
    low, high = wilson(13, 65).low, wilson(26, 65).high
    assert row["95 % interval"] == f"{100 * low:.1f} – {100 * high:.1f}"
    warned = " ".join(p.text for p in of(Paragraph, blocks) if p.tone is Tone.WARNING)
    assert "is a pair" in warned
    assert "234 missing and 13 void" in warned


def test_an_incomplete_or_mixed_set_is_flagged(bench: Any) -> None:
    """The flags come before the numbers."""
    tasks = bench.tasks("easy")
    blocks = list(
        Headline().render(
            bench.page_data(bench.report(tasks[0]), bench.report(tasks[1], launcher="container"))
        )
    )
    assert isinstance(blocks[0], Paragraph)
    assert blocks[0].text == "The reports mix several of launcher: container (1), interpreter (1)."


def test_a_task_is_a_near_miss_from_95_percent_on(bench: Any) -> None:
    """The share alone decides, and it still counts as not resolved."""
    tasks = bench.tasks("easy")
    given = bench.page_data(
        bench.report(tasks[0], "failed", passed=95, total=100),
        bench.report(tasks[1], "failed", passed=94, total=100),
    )
    assert [row.cells[0].state for row in task_rows(given)[:3]] == [
        State.NEAR,
        State.FAILED,
        State.MISSING,
    ]
    tables = of(Table, Failures().render(given))
    (table,) = [table for table in tables if table.caption.startswith("Near")]
    assert table.rows[0][1] == "1"


def test_a_project_that_was_corrected_by_hand_is_not_resolved(bench: Any) -> None:
    """The page counts as the score does, and names why."""
    given = bench.page_data(*easy(bench, "r", run_record={"hand_corrected": True}))
    cell = task_rows(given)[0].cells[0]
    assert (cell.state, cell.why) == (State.FAILED, "corrected by hand")
    warned = [p.text for p in of(Paragraph, Headline().render(given)) if p.tone is Tone.WARNING]
    assert "no subject named: 1 corrected by hand, which count as not resolved." in warned


def test_every_known_task_has_a_square_that_leads_to_it(bench: Any) -> None:
    """Missing ones too: what was not tried is part of the picture."""
    blocks = list(Families().render(bench.page_data(*easy(bench, "rf"))))
    (figure,) = of(Figure, blocks)
    values = [v for panel in figure.panels for v in panel.spec["data"]["values"]]
    assert len(values) == 260
    assert {v["link"][1:] for v in values} == {t for f in bench.whole.files for t in f.tasks}


def test_cost_comes_from_the_records_alone(bench: Any) -> None:
    """Without a record nothing is guessed; with one, dollars and tokens a second are means."""
    (nothing,) = Costs().render(bench.page_data(*easy(bench, "rf")))
    assert "no run record" in nothing.text
    record = {"wall_s": 10.0, "usage": {"output_tokens": 500}}
    blocks = list(Costs().render(bench.page_data(*easy(bench, "rf", run_record=record))))
    row = cells(of(Table, blocks)[0], "no subject named")
    assert row["tokens a second"] == "50.0"
    assert row["time"] == "10 s"
    assert row["time a resolved task"] == "20 s"


def test_a_cost_with_an_unpriced_part_is_a_lower_bound(bench: Any) -> None:
    """A sum without some of its parts must not pass for the sum."""
    record = {"cost": {"dollars": 0.5, "lower_bound": True}}
    blocks = list(Costs().render(bench.page_data(*easy(bench, "rf", run_record=record))))
    assert cells(of(Table, blocks)[0], "no subject named")["dollars"] == "≥ 0.5000"


def test_a_record_of_another_shape_does_not_break_the_page(bench: Any) -> None:
    """A record is whatever the caller wrote."""
    record = {"sampling": {"a": [None]}, "tools": "x", "agent": 7, "seed": [1.5]}
    given = bench.page_data(*easy(bench, "rf", run_record=record))
    assert list(Costs().render(given))
    assert list(Origin().render(given))


def test_claim_limits_and_missing_fields_are_on_the_page(bench: Any) -> None:
    """Numbers travel with what they do not say."""
    given = bench.page_data(*easy(bench, "rf", missing_fields=("seed",)))
    text = " ".join(p.text for p in of(Paragraph, Origin().render(given)))
    assert "quantization" in text
    assert "Not known of no subject named: seed." in text


def test_a_comparison_says_which_is_better_and_whether_it_is_noise(bench: Any) -> None:
    """One sentence first, then the differences tier by tier, as a chart and as numbers."""
    reports = [*easy(bench, "r" * 65, subject="good"), *easy(bench, "f" * 65, subject="bad")]
    collection = collect(bench.filed(*reports))
    terms = Terms(manifest=bench.whole, allowed=frozenset(Mark))
    data = bench.page_data(*reports)
    blocks = list(Versus().render(replace(data, beside=(compared(arms_of(collection), terms),))))
    (sentence,) = [b for b in of(Paragraph, blocks) if b.tone is Tone.PLAIN]
    assert "more than noise" in sentence.text
    (figure,) = of(Figure, blocks)
    points = {p["tier"]: p["difference"] for p in figure.panels[0].spec["data"]["values"]}
    assert points["easy"] == 1.0
    assert points["all tiers"] == 0.25
    assert list(Versus().render(data)) == []


@dataclass(frozen=True)
class Given:
    """A section that gives what it was made with."""

    blocks: tuple[Any, ...]
    name: str = "Energy"
    order: int = 450

    def render(self, data: PageData) -> Iterable[Block]:
        """The blocks, or the error."""
        for block in self.blocks:
            if isinstance(block, Exception):
                raise block
            yield block


def test_a_section_without_blocks_is_left_out(bench: Any) -> None:
    """A page has no empty headings."""
    given = bench.page_data(*easy(bench, "r"))
    assert ask([Given(())], given) == ()
    assert [s.name for s in ask([Given((Paragraph(text="hot"),))], given)] == ["Energy"]


@pytest.mark.parametrize("block", ["<b>raw</b>", KeyError("x")])
def test_a_section_that_fails_or_gives_markup_is_named(bench: Any, block: Any) -> None:
    """Raw HTML is no block; whoever brought the section is told."""
    with pytest.raises(MachineError, match="report section 'Energy'"):
        ask([Given((block,))], bench.page_data(*easy(bench, "r")))


def test_the_pages_own_sections_leave_room_between_them() -> None:
    """A section of another package can stand anywhere."""
    orders = [section.order for section in own_sections()]
    assert orders == sorted(set(orders))
    assert all(order % 50 == 0 for order in orders)


def test_a_table_needs_a_cell_for_every_column() -> None:
    """A row that is too short would put numbers under the wrong heading."""
    with pytest.raises(ValueError, match="one cell for every column"):
        Table(caption="x", columns=("a", "b"), rows=(("1",),))
