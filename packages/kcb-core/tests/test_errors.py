"""The one tree of errors."""

import inspect
import pickle

import pytest

from kcb_core import errors
from kcb_core.errors import (
    DataError,
    DeclarationError,
    DuplicateNameError,
    ExitStatus,
    KcbError,
    MachineError,
    MalformedJson,
    PluginLoadError,
    UnknownNameError,
)

EXAMPLES = [
    KcbError("message"),
    DeclarationError("message"),
    UnknownNameError("task", "toy", ["tory"], ["plug-in 'p'"]),
    DuplicateNameError("command", "list", ("a", "b")),
    PluginLoadError("'p' of kcb-p 1.0", "no module"),
    DataError("file: field"),
    MalformedJson("trailing data", "report.json"),
    MachineError("disk full"),
]


@pytest.mark.parametrize(
    ("kind", "status"),
    [(DeclarationError, 2), (DataError, 2), (MachineError, 3), (KcbError, 3)],
)
def test_each_branch_means_one_exit_status(kind: type[KcbError], status: int) -> None:
    """Scripts tell the caller's mistakes from this machine's failures by it."""
    assert kind.exit_status == status


def test_exit_statuses_are_what_scripts_rely_on() -> None:
    """Their numbers are part of the command line and never change."""
    assert {status.name: status.value for status in ExitStatus} == {
        "DONE": 0,
        "FAILED": 1,
        "INVALID": 2,
        "MACHINERY": 3,
        "CANNOT_TELL": 4,
        "INTERRUPTED": 130,
    }


def test_every_error_is_in_the_tree_and_in_its_drawing() -> None:
    """One clause can catch all that is raised on purpose; the drawing is what people read."""
    kinds = [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, Exception)
    ]
    assert all(issubclass(kind, KcbError) for kind in kinds)
    assert [kind for kind in kinds if kind.__name__ not in str(errors.__doc__)] == []
    assert {type(error) for error in EXAMPLES} == set(kinds)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_errors_cross_processes_whole(error: KcbError) -> None:
    """A worker's error that cannot be pickled breaks the whole pool instead of one task."""
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


@pytest.mark.parametrize(
    ("known", "broken", "message"),
    [
        (["word-frequency"], [], "unknown task 'wrd-frequency'; did you mean 'word-frequency'?"),
        (["a", "b"], [], "unknown task 'wrd-frequency'; known: a, b"),
        ([], [], "unknown task 'wrd-frequency'; no task is installed"),
        ([f"x{n}" for n in range(13)], [], "unknown task 'wrd-frequency'"),
        (
            ["a"],
            ["plug-in 'p': no", "plug-in 'q': no"],
            "unknown task 'wrd-frequency'; known: a "
            "(plug-ins that could not be loaded: plug-in 'p': no; plug-in 'q': no)",
        ),
    ],
    ids=["near", "few", "none", "many", "broken"],
)
def test_unknown_name_says_what_is_known(known: list[str], broken: list[str], message: str) -> None:
    """A mistyped name should cost one look; a broken plug-in may be why it is not there."""
    error = UnknownNameError("task", "wrd-frequency", known, broken)
    assert str(error) == message
    assert (error.noun, error.name) == ("task", "wrd-frequency")
    assert (error.known, error.broken) == (tuple(known), tuple(broken))


def test_duplicate_name_names_both_owners() -> None:
    """Whoever has to uninstall one needs to know which two there are."""
    error = DuplicateNameError("family", "kcb/x", ("'p' of kcb-p 1", "'q' of kcb-q 2"))
    assert "'p' of kcb-p 1 and 'q' of kcb-q 2" in str(error)
    assert error.owners == ("'p' of kcb-p 1", "'q' of kcb-q 2")


def test_plugin_load_error_names_the_plugin() -> None:
    """An experiment that needs a broken plug-in stops with its name."""
    error = PluginLoadError("'p' of kcb-p 1", "no module")
    assert str(error) == "plug-in 'p' of kcb-p 1 cannot be loaded: no module"
    assert error.plugin == "'p' of kcb-p 1"


def test_malformed_json_starts_with_its_file() -> None:
    """Of a folder full of reports the one at fault is named; a candidate's line has no file."""
    assert str(MalformedJson("NaN is not JSON", "r.json")) == "r.json: NaN is not JSON"
    assert str(MalformedJson("NaN is not JSON")) == "NaN is not JSON"
    assert MalformedJson("NaN is not JSON", "r.json").reason == "NaN is not JSON"
