"""What the documentation shows is what happens: pages are played in an empty folder."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from snippets import DRAWN, PLAYED, Player, blocks

ROOT = Path(__file__).parent.parent
PAGES = [
    pytest.param(
        page,
        marks=pytest.mark.skipif(
            page in DRAWN and find_spec("vl_convert") is None, reason="needs kcb-score[pages]"
        ),
    )
    for page in PLAYED
]

pytestmark = pytest.mark.flow


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_happens(page: str, tmp_path: Path) -> None:
    """A reader who types along should meet no difference."""
    player = Player(Path(sys.executable).parent, tmp_path)
    differences = [*player.play(blocks((ROOT / page).read_text(), ROOT))]
    assert differences == [], differences[0]
