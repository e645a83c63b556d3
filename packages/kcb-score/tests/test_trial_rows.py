"""Trial reports as rows: which files are read, which are passed over, which are refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kcb_core.plugin
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.codec import encode, parse
from kcb_core.errors import DataError, DeclarationError
from kcb_core.report import write_report
from kcb_core.testing.values import plugin_giving, small_check, small_report, small_trial
from kcb_core.trial import FaultCode, TrialReport, write_trial
from kcb_score.trials.rows import read_rows

OWN = FaultCode(code="ERR_HINT_IGNORED", summary="A hint was not followed.")
Rows = Callable[..., Path]


@pytest.fixture
def catalog() -> Catalog:
    """The codes of kcb-core alone."""
    return load_catalog([("core", kcb_core.plugin)])


def fill(folder: Path, *reports: TrialReport) -> Path:
    """A folder with these reports, named by their place."""
    for number, report in enumerate(reports):
        write_trial(report, folder / f"{number:03d}.json")
    return folder


def test_other_documents_of_the_house_are_passed_over_in_a_folder(
    catalog: Catalog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run keeps all that it made in one place; what is not read is counted in one line."""
    fill(tmp_path, small_trial())
    write_report(small_report(), tmp_path / "task.json")
    for kind in ("routing", "trial-summary", "stale-checks", "attempt"):
        (tmp_path / f"{kind}.json").write_text(f'{{"kind": "{kind}"}}')
    rows = read_rows(catalog, [tmp_path])
    assert [row.path.name for row in rows] == ["000.json"]
    skipped = capsys.readouterr().err
    assert skipped.count("\n") == 1
    assert "5 files are no trial report and skipped: " in skipped
    assert f"{tmp_path / 'attempt.json'} (attempt), " in skipped
    assert skipped.endswith(" and 2 more\n")
    with pytest.raises(DataError, match="'routing' is not 'trial-report'"):
        read_rows(catalog, [tmp_path / "routing.json"])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"kind": "trial-report", "report_version": 1}', "missing required field 'drill'"),
        (b'{"kind": "trial-report", "report_version": 2}', "field 'report_version': 2 is not"),
        (b'{"kind": "holiday-photo"}', "field 'kind'"),
        (b'{"kind": ["trial-report"]}', "field 'kind'"),
        (b'{"wall_s": NaN}', "field 'wall_s': NaN is not JSON"),
        (b'{"a": 1, "a": 2}', "stands twice"),
        (b'{"kind": "trial-rep', "Unterminated string"),
        (b"[7]", "must be a JSON object"),
        (b"", "Expecting value"),
    ],
)
def test_one_bad_file_among_good_ones_is_named(
    catalog: Catalog, tmp_path: Path, data: bytes, message: str
) -> None:
    """It is never left out quietly: the numbers would be of other files than are there."""
    fill(tmp_path, *(small_trial(repetition=n) for n in range(20)))
    (tmp_path / "bad.json").write_bytes(data)
    with pytest.raises(DataError) as caught:
        read_rows(catalog, [tmp_path])
    assert str(caught.value).startswith(f"{tmp_path / 'bad.json'}: ")
    assert message in str(caught.value)


def test_code_of_a_plug_in_is_known_while_it_is_installed(catalog: Catalog, tmp_path: Path) -> None:
    """A code that nobody explains is refused, and the remedy is named."""
    fill(tmp_path, small_trial(checks=(small_check(fault="agent", code=OWN.code),)))
    with pytest.raises(DataError, match=r"'checks\[0\].code'.*install the plug-in that brings it"):
        read_rows(catalog, [tmp_path])
    wider = load_catalog([("core", kcb_core.plugin), ("p", plugin_giving(fault_codes=[OWN]))])
    assert len(read_rows(wider, [tmp_path])) == 1


def test_code_that_two_plug_ins_bring_is_refused(tmp_path: Path) -> None:
    """It would have two meanings."""
    both = [(name, plugin_giving(fault_codes=[OWN])) for name in "pq"]
    with pytest.raises(DeclarationError, match="declared by both"):
        read_rows(load_catalog(both), [fill(tmp_path, small_trial())])


def test_a_trial_that_is_reported_twice_is_refused(catalog: Catalog, tmp_path: Path) -> None:
    """One row a repetition; a copied file would count as a second trial."""
    fill(tmp_path, small_trial(finished="monday"), small_trial(finished="tuesday"))
    assert len(read_rows(catalog, [tmp_path])) == 2
    fill(tmp_path / "copy", small_trial(finished="monday"))
    with pytest.raises(DeclarationError, match="both report drill 'broken-config' of toytool"):
        read_rows(catalog, [tmp_path])


def test_rows_without_a_model_may_be_alike(catalog: Catalog, tmp_path: Path) -> None:
    """They need no repetition, so two runs of one replay may look the same."""
    replay = small_trial(level=1, model="", repetition=msgspec.UNSET, steps=())
    assert len(read_rows(catalog, [fill(tmp_path, replay, replay)])) == 2


def test_byte_order_mark_and_unknown_fields_are_let_be(catalog: Catalog, tmp_path: Path) -> None:
    """An editor, and a writer of a newer version of another tool."""
    document: Any = parse(encode(small_trial())) | {"mood": "bright"}
    (tmp_path / "r.json").write_bytes(b"\xef\xbb\xbf" + encode(document))
    assert read_rows(catalog, [tmp_path])[0].report == small_trial()


def test_nothing_to_read_is_said(catalog: Catalog, tmp_path: Path) -> None:
    """No row at all is no result."""
    with pytest.raises(DeclarationError, match=r"no \*\.json file in or below"):
        read_rows(catalog, [tmp_path])
    other = tmp_path / "other"
    other.mkdir()
    (other / "score.json").write_text('{"kind": "score"}')
    with pytest.raises(DeclarationError, match="no trial report found"):
        read_rows(catalog, [other])
    with pytest.raises(DeclarationError, match="given twice"):
        read_rows(catalog, [fill(tmp_path, small_trial()), tmp_path / "000.json"])
