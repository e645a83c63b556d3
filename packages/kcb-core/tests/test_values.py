"""The small values are whole."""

from pathlib import Path

from kcb_core.catalog import load_catalog
from kcb_core.dataset import open_dataset
from kcb_core.report import Outcome
from kcb_core.testing.toy import AMOUNTS
from kcb_core.testing.values import plugin_giving, small_report, small_task, write_dataset


def test_small_values_take_any_field() -> None:
    """A test names the one field that it is about."""
    assert small_task(title="x").title == "x"
    assert small_task("kcb-max-002-a-b").family == "a-b"
    assert small_task("kcb-max-002-a-b").durable
    assert small_report(wall_s=1.5).wall_s == 1.5
    assert small_report().outcome is Outcome.RESOLVED


def test_dataset_is_one_that_can_be_opened(tmp_path: Path) -> None:
    """It is read back through the same door as a real one."""
    written = write_dataset(tmp_path / "d", small_task(), small_task("toy-max-001-amounts"))
    assert open_dataset(tmp_path / "d") == written
    assert written.manifest.totals == {"easy": 1, "max": 1}


def test_plugins_of_equal_content_are_two_plugins() -> None:
    """Two strangers may bring the same by accident."""
    catalog = load_catalog([("p", plugin_giving()), ("q", plugin_giving(families=[AMOUNTS]))])
    assert catalog.failures == ()
    assert catalog.families() == (AMOUNTS,)
    assert plugin_giving() != plugin_giving()
