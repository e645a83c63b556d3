"""What the documentation shows is what happens: pages are played in an empty folder."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from snippets import Player, blocks

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    "docs/tutorial/first-task.md",
    "docs/how-to/evaluate-a-project.md",
    "docs/how-to/compare-two-models.md",
    pytest.param(
        "docs/how-to/read-the-page.md",
        marks=pytest.mark.skipif(find_spec("vl_convert") is None, reason="needs kcb-score[pages]"),
    ),
    "docs/how-to/reward-a-training-loop.md",
    "docs/how-to/route-faults.md",
    "docs/how-to/run-a-suite.md",
    "docs/how-to/write-a-drill.md",
    "docs/how-to/write-a-family.md",
    "docs/how-to/write-a-suite-task.md",
)
pytestmark = pytest.mark.flow


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_happens(page: str, tmp_path: Path) -> None:
    """A reader who types along should meet no difference."""
    player = Player(Path(sys.executable).parent, tmp_path)
    differences = [*player.play(blocks((ROOT / page).read_text(), ROOT))]
    assert differences == [], differences[0]
