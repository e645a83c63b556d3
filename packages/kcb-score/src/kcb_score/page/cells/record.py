"""How one project was made, on its own page: model, sampling, tokens, cost, time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kcb_core.page import Block, Fact, Facts, Paragraph, Table, Tone
from kcb_core.report import TaskReport
from kcb_core.run_record import RunRecord
from kcb_score.page.recorded import held, number, setting
from kcb_score.page.visible import shown
from kcb_score.page.wording import NOT_KNOWN, seconds

TOKENS = (
    *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"),
    "reasoning_tokens",
)
_WORD = 20
"""Characters of the stop reason, which is a word."""

_APART = frozenset({"usage", "cost", "wall_s"})
"""Fields that have a place of their own."""


def record_blocks(report: TaskReport) -> Iterator[Block]:
    """What the report's run record says, and what it leaves open."""
    record = report.run_record
    if not record:
        yield Paragraph(text="The report holds no run record.", tone=Tone.NOTE)
        return
    yield _facts(record)
    yield _tokens(record)
    names = [name for name in RunRecord.__struct_fields__ if name not in _APART and name in record]
    rows = tuple((name.replace("_", " "), shown(setting(record[name]), 400)) for name in names)
    yield Table(caption="What the run record states", columns=("setting", "value"), rows=rows)
    missing = ", ".join(field.replace("_", " ") for field in report.missing_fields)
    yield Paragraph(text=f"Not known: {shown(missing, 2_000) or 'nothing'}.", tone=Tone.NOTE)


def _facts(record: Mapping[str, Any]) -> Facts:
    wall, dollars = number(record, "wall_s"), number(record, "cost", "dollars")
    stop = shown(setting(record.get("stop_reason", NOT_KNOWN))[:_WORD])
    bound = "at least, since a part of it is not known"
    notes = (bound if held(record, "cost", "lower_bound") is True else "",
             shown(setting(held(record, "cost", "prices") or ""), 200))  # fmt: skip
    return Facts(
        items=(
            Fact(name="Wall time", value=NOT_KNOWN if wall is None else seconds(wall)),
            Fact(
                name="Cost",
                value=NOT_KNOWN if dollars is None else f"{dollars:.4f} dollars",
                note="; ".join(filter(None, notes)),
            ),
            Fact(name="Ended by", value=stop),
        )
    )


def _tokens(record: Mapping[str, Any]) -> Table:
    """Five classes that do not overlap; one that the provider did not state is no zero."""
    within = held(record, "usage", "includes_reasoning") is True
    counts = [(name, number(record, "usage", name)) for name in TOKENS]
    rows = tuple(
        (name.removesuffix("_tokens").replace("_", " "), "not stated" if n is None else f"{n:,.0f}")
        for name, n in counts
    )
    caption = "Tokens, as the provider states them"
    return Table(
        caption=f"{caption}; output holds reasoning" if within else caption,
        columns=("class", "tokens"),
        rows=rows,
        numeric=frozenset({"tokens"}),
    )
