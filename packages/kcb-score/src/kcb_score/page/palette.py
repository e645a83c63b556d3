"""The colours of the charts, and the settings that all of them share.

A specification names a colour by its value on white. In a page the same value becomes a CSS
variable, so that one drawing serves the dark and the light theme.
"""

from __future__ import annotations

from typing import Any

INK = "#1b1e24"
MUTED = "#5c6370"
LINE = "#d8dbe1"
PAPER = "#ffffff"

RESOLVED = "#1f7a68"
SOME = "#7db8a9"
"""Some projects of several resolved it."""
NEAR = "#d9a441"
"""Not resolved, but with at least 95 % of the assertions right."""
FAILED = "#d6a294"
VOID = "#8d93a0"
MISSING = "#f1f2f4"

SUBJECTS = ("#2c5f94", "#b8612a", "#6a4c93", "#2f7d4f", "#a23b5c", "#6b6f1d")
"""One for each subject, in turn, told apart by people with any kind of colour vision."""

VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    LINE: "--line",
    PAPER: "--paper",
    RESOLVED: "--resolved",
    SOME: "--some",
    NEAR: "--near",
    FAILED: "--failed",
    VOID: "--void",
    MISSING: "--missing",
    **{colour: f"--subject-{n}" for n, colour in enumerate(SUBJECTS)},
}
"""The CSS variable that stands for each colour; ``page.css`` gives them values."""

FONT = "Liberation Sans, Arial, sans-serif"
"""Of exported figures, and to measure by; a page sets its own."""


def subject_colour(index: int) -> str:
    """The colour of a subject by its place among all."""
    return SUBJECTS[index % len(SUBJECTS)]


def config() -> dict[str, Any]:
    """What every chart is drawn with, unless its specification says otherwise."""
    text = {"labelFont": FONT, "titleFont": FONT, "labelColor": MUTED, "titleColor": MUTED}
    return {
        "background": "transparent",
        "font": FONT,
        "padding": {"left": 4, "right": 16, "top": 4, "bottom": 4},
        "view": {"stroke": None},
        "axis": {
            **text,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "domain": False,
            "ticks": False,
            "labelPadding": 6,
            "titlePadding": 8,
            "gridColor": LINE,
        },
        "legend": {**text, "labelFontSize": 11, "titleFontSize": 11},
        "text": {"font": FONT, "fontSize": 11, "color": INK},
        "rule": {"color": INK},
    }
