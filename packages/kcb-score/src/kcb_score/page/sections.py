"""The page's own sections, which enter by the same hook as everybody's."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core.page import Block, PageData, TaskTable
from kcb_core.roles import ReportSection
from kcb_score.page.expense import Costs
from kcb_score.page.failures import Failures
from kcb_score.page.families import Families
from kcb_score.page.headline import Headline
from kcb_score.page.origin import Origin
from kcb_score.page.versus import Versus
from kcb_score.page.weeks import Weeks


class Tasks:
    """The table of tasks."""

    name = "Tasks"
    order = 600

    def render(self, data: PageData) -> Iterable[Block]:
        """The table alone."""
        return (TaskTable(),) if data.reports else ()


def own_sections() -> tuple[ReportSection, ...]:
    """All of them, in their order."""
    return Headline(), Versus(), Weeks(), Families(), Failures(), Costs(), Tasks(), Origin()
