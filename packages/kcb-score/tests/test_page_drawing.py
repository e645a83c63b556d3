"""Charts as drawings: themed, with links inside the page only, and nothing that acts or loads."""

import re
from typing import Any

import pytest

from kcb_core.errors import DeclarationError
from kcb_core.page import Figure, Panel
from kcb_score.page.drawing import ImageFormat, drawn, exported, panel_spec
from kcb_score.page.palette import RESOLVED

pytest.importorskip("vl_convert", reason="needs kcb-score[pages]")

HOSTILE = "</text></svg><script>alert(1)</script>"


def figure(spec: Any) -> Figure:
    """A figure of one chart."""
    return Figure(name="test", caption="A test", panels=(Panel(spec=spec),))


def bars(**encoding: Any) -> Any:
    """A chart of one bar with a hostile name and link."""
    values = [{"name": HOSTILE, "n": 1, "link": "https://elsewhere.example/a", "here": "#kcb-task"}]
    return panel_spec(
        data={"values": values},
        mark={"type": "bar", "color": RESOLVED},
        encoding={
            "x": {"field": "n", "type": "quantitative"},
            "y": {"field": "name", "type": "nominal"},
            **encoding,
        },
    )


def draw(spec: Any) -> str:
    """What a page gets of a chart."""
    made = figure(spec)
    return drawn(made, made.panels[0])


def test_text_in_a_chart_stays_text() -> None:
    """A name that a candidate chose cannot end the drawing and begin a script."""
    svg = draw(bars())
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg


def test_a_link_leads_into_the_page_or_nowhere() -> None:
    """What a chart names as a link is never followed elsewhere."""
    assert 'href="#kcb-task"' in draw(bars(href={"field": "here"}))
    outside = draw(bars(href={"field": "link"}))
    assert set(re.findall(r'href="([^"]*)"', outside)) == {"#"}


def test_nothing_is_styled_or_loaded() -> None:
    """The page's policy forbids both, so a drawing that needed them would be broken."""
    svg = draw(bars(href={"field": "here"}))
    assert not re.search(r"<style|style=|<image|<use|<foreignObject|on\w+=|xlink", svg)
    assert set(re.findall(r"https?://[^\"]+", svg)) == {"http://www.w3.org/2000/svg"}


def test_a_colour_of_the_palette_follows_the_theme() -> None:
    """One drawing serves dark and light."""
    svg = draw(bars())
    assert 'fill="var(--resolved)"' in svg
    assert RESOLVED not in svg


def test_an_exported_chart_has_plain_colours_and_needs_no_page() -> None:
    """A paper knows no CSS variables."""
    made = figure(bars())
    svg = exported(made, made.panels[0], ImageFormat.SVG).decode()
    assert RESOLVED in svg
    assert "var(" not in svg
    assert exported(made, made.panels[0], ImageFormat.PNG).startswith(b"\x89PNG\r\n")


def test_a_chart_that_cannot_be_drawn_is_named() -> None:
    """A section of another package may give anything; its author is told which figure it was."""
    with pytest.raises(DeclarationError, match="figure 'test' cannot be drawn"):
        draw({"mark": 7})


def test_a_chart_loads_no_data_from_elsewhere() -> None:
    """A page is made of what is given, with no network."""
    with pytest.raises(DeclarationError, match="figure 'test' cannot be drawn"):
        draw({**bars(), "data": {"url": "http://127.0.0.1:9/data.json"}})
