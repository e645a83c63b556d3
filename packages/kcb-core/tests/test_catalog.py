"""Loading plug-ins, and finding what they bring."""

import dataclasses
import re
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kcb_core import hookimpl
from kcb_core.catalog import Catalog, Plugin, load_catalog, open_source
from kcb_core.errors import DuplicateNameError, UnknownNameError
from kcb_core.health import Health, HealthCheck, Verdict
from kcb_core.roles import Command, DatasetSource, Reference
from kcb_core.testing.toy import AMOUNTS
from kcb_core.testing.values import plugin_giving

HELLO = dataclasses.replace(AMOUNTS, dataset="hello", number=2, slug="greeting")


def named(name: Any, **parts: Any) -> SimpleNamespace:
    """Something that fills every role of those that need no more than a name and functions."""
    roles = (
        *("confinement", "at_level", "slot", "close", "evaluate", "generate", "score"),
        *("prompt", "service", "examples", "scenarios"),
    )
    functions = dict.fromkeys(roles, print)
    rest = {
        "version": "1",
        "asks_model": True,
        "rank": 0,
        "target_model_parameters": "",
        "start": (),
    }
    return SimpleNamespace(name=name, **(functions | rest | parts))


NOUNS: list[tuple[str, Callable[[str], Any], Callable[[Catalog], Any]]] = [
    ("tiers", named, Catalog.tiers),
    ("dataset_sources", lambda n: DatasetSource(name=n, folder=Path()), Catalog.dataset_sources),
    ("references", lambda n: Reference(family=n, domain=Path()), Catalog.references),
    ("launchers", named, Catalog.launchers),
    ("runners", named, Catalog.runners),
    ("agents", named, Catalog.agents),
    ("scorers", named, Catalog.scorers),
    (
        "health_checks",
        lambda n: HealthCheck(name=n, check=lambda: Health(verdict=Verdict.OK, summary="")),
        Catalog.health_checks,
    ),
    ("commands", lambda n: Command(name=n, summary="", target="m:f"), Catalog.commands),
]


def failing(error: BaseException) -> SimpleNamespace:
    """A plug-in whose hook raises."""

    def kcb_register_commands() -> Any:
        raise error

    return SimpleNamespace(kcb_register_commands=hookimpl(kcb_register_commands))


@pytest.mark.parametrize(("noun", "make", "ask"), NOUNS, ids=[noun for noun, _, _ in NOUNS])
def test_what_plugins_bring_is_sorted_by_name(
    noun: str, make: Callable[[str], Any], ask: Callable[[Catalog], Any]
) -> None:
    """The order of installation says nothing, so it must not show."""
    values = {name: make(name) for name in ("a", "b", "c")}
    catalog = load_catalog(
        [
            ("z", plugin_giving(**{noun: (values["c"], values["a"])})),
            ("y", plugin_giving(**{noun: iter([values["b"]])})),
            ("x", plugin_giving()),
        ]
    )
    assert ask(catalog) == (values["a"], values["b"], values["c"])
    assert ask(catalog) == ask(catalog), "what an iterator gave is kept"
    assert catalog.failures == ()


@pytest.mark.parametrize(("noun", "make", "ask"), NOUNS, ids=[noun for noun, _, _ in NOUNS])
def test_one_name_of_two_plugins_names_both(
    noun: str, make: Callable[[str], Any], ask: Callable[[Catalog], Any]
) -> None:
    """Taking either would run something else than was asked for."""
    catalog = load_catalog(
        [("p", plugin_giving(**{noun: [make("a")]})), ("q", plugin_giving(**{noun: [make("a")]}))]
    )
    both = r"'a' is declared by both 'p' of .* and 'q' of"
    if noun == "commands":
        assert len(ask(catalog)) == 1
        (failure,) = catalog.failures
        assert re.search(both, failure.reason)
        return
    with pytest.raises(DuplicateNameError, match=both):
        ask(catalog)


@pytest.mark.parametrize(("noun", "make", "ask"), NOUNS, ids=[noun for noun, _, _ in NOUNS])
@pytest.mark.parametrize("wrong", ["text", None, 3])
def test_wrong_type_makes_its_plugin_a_broken_one(
    noun: str, make: Callable[[str], Any], ask: Callable[[Catalog], Any], wrong: object
) -> None:
    """It is found where it is given, and takes nobody else with it."""
    good = make("a")
    catalog = load_catalog(
        [
            ("bad", plugin_giving(**{noun: [make("b"), wrong]})),
            ("good", plugin_giving(**{noun: [good]})),
        ]
    )
    assert ask(catalog) == (good,)
    (failure,) = catalog.failures
    assert failure.plugin.name == "bad"
    assert f"kcb_register_{noun} gave no " in failure.reason
    assert f" but {wrong!r}" in failure.reason


@pytest.mark.parametrize("values", [None, 3, "text", {"a": 1}])
def test_hook_that_gives_no_values_makes_its_plugin_a_broken_one(values: object) -> None:
    """A forgotten ``return`` is the most common mistake."""
    catalog = load_catalog([("p", plugin_giving(commands=values))])
    assert catalog.commands() == ()
    assert [failure.plugin.name for failure in catalog.failures] == ["p"]


@pytest.mark.parametrize("name", [None, 3])
def test_name_that_is_no_string_makes_its_plugin_a_broken_one(name: object) -> None:
    """It could not be sorted among the others, nor asked for."""
    catalog = load_catalog(
        [
            ("p", plugin_giving(launchers=[named(name)])),
            ("q", plugin_giving(launchers=[named("b")])),
        ]
    )
    assert [launcher.name for launcher in catalog.launchers()] == ["b"]
    (failure,) = catalog.failures
    assert "kcb_register_launchers gave a name that is no string" in failure.reason


def test_name_that_raises_makes_its_plugin_a_broken_one() -> None:
    """A property is a stranger's code like any other."""

    class Moody:
        confinement = at_level = slot = close = print

        @property
        def name(self) -> str:
            raise ZeroDivisionError("no name today")

    catalog = load_catalog([("p", plugin_giving(launchers=[Moody()]))])
    assert catalog.launchers() == ()
    assert "ZeroDivisionError: no name today" in catalog.failures[0].reason


@pytest.mark.parametrize(
    "error",
    [ValueError("no\n such  thing"), SystemExit("no such thing"), ImportError("no such thing")],
    ids=lambda error: type(error).__name__,
)
def test_hook_that_raises_is_kept_as_a_failure(error: BaseException) -> None:
    """One line for people, the traceback for whoever asks, and the others go on."""
    command = Command(name="b", summary="", target="m:f")
    catalog = load_catalog([("a", failing(error)), ("b", plugin_giving(commands=[command]))])
    assert catalog.failures == ()
    assert catalog.commands() == (command,)
    (failure,) = catalog.failures
    assert failure.reason.startswith(f"{type(error).__name__}: no such thing (")
    assert failure.reason.rstrip(")").split(":")[-2].endswith("test_catalog.py")
    assert str(failure).startswith("plug-in 'a' of given: ")
    assert "Traceback" in failure.trace
    assert "Traceback" not in repr(failure)


def test_generator_that_fails_halfway_brings_nothing() -> None:
    """Half of a plug-in would be a benchmark with half of its tasks."""

    class Halfway:
        @hookimpl
        def kcb_register_commands(self) -> Iterator[Command]:
            yield Command(name="a", summary="", target="m:f")
            raise OSError

    catalog = load_catalog([("p", Halfway())])
    assert catalog.commands() == ()
    assert catalog.failures[0].reason.startswith("OSError: no message")


def test_interrupt_is_no_failure_of_a_plugin() -> None:
    """Ctrl-C while plug-ins load means stop."""
    catalog = load_catalog([("p", failing(KeyboardInterrupt()))])
    with pytest.raises(KeyboardInterrupt):
        catalog.commands()


def broken_plugins() -> list[tuple[str, Any, str]]:
    """Plug-in objects that cannot be registered, each with a part of the reason."""

    class UnknownHook:
        @hookimpl
        def kcb_register_famlies(self) -> list[object]:
            return []

    class UnknownArgument:
        @hookimpl
        def kcb_register_families(self, surprise: object) -> list[object]:
            return []

    return [
        ("name", UnknownHook(), "unknown hook 'kcb_register_famlies'"),
        ("argument", UnknownArgument(), "Argument(s) {'surprise'} are declared in the hookimpl"),
    ]


@pytest.mark.parametrize(("kind", "bad", "reason"), broken_plugins())
@pytest.mark.parametrize("place", ["first", "last"])
def test_unknown_hook_or_argument_makes_its_plugin_a_broken_one(
    kind: str, bad: object, reason: str, place: str
) -> None:
    """A misspelt hook that is silently never called is a family that is silently missing."""
    good = ("good", plugin_giving(families=[AMOUNTS]))
    entries = [("bad", bad), good] if place == "first" else [good, ("bad", bad)]
    catalog = load_catalog(entries)
    (failure,) = catalog.failures
    assert failure.plugin.name == "bad"
    assert reason in failure.reason
    assert "pluggy" not in failure.reason.partition(reason)[2], f"{kind}: that is no place of it"
    assert catalog.families() == (AMOUNTS,)
    assert [plugin.name for plugin in catalog.plugins] == ["bad", "good"]


def test_several_broken_plugins_are_all_kept() -> None:
    """What one leaves behind must not make another look broken."""
    bad = [(f"{kind}{n}", plugin) for n in (1, 2) for kind, plugin, _ in broken_plugins()]
    catalog = load_catalog([*bad, ("good", plugin_giving(families=[AMOUNTS]))])
    assert sorted(failure.plugin.name for failure in catalog.failures) == sorted(n for n, _ in bad)
    assert catalog.families() == (AMOUNTS,)


def test_plugins_of_one_name_are_refused() -> None:
    """It is the name by which people switch it off."""
    catalog = load_catalog([("p", plugin_giving()), ("p", plugin_giving())])
    (failure,) = catalog.failures
    assert failure.plugin.name == "p (given)"
    assert "plug-in 'p' is declared by both 'p' of given" in failure.reason


def test_one_object_under_two_names_is_a_failure_of_the_second() -> None:
    """What it brings would otherwise be there twice."""
    brings = plugin_giving(families=[AMOUNTS])
    catalog = load_catalog([("p", brings), ("q", brings)])
    assert [failure.plugin.name for failure in catalog.failures] == ["q"]
    assert catalog.families() == (AMOUNTS,)


def test_families_are_sorted_by_dataset_and_number() -> None:
    """Task numbers run through a dataset in this order."""
    second = dataclasses.replace(AMOUNTS, number=2, slug="a-later-one")
    catalog = load_catalog([("p", plugin_giving(families=[second, HELLO, AMOUNTS]))])
    assert catalog.families() == (HELLO, AMOUNTS, second)


def test_one_number_in_one_dataset_names_both_plugins() -> None:
    """Number and slug stand in the id together, so two families must not share a number."""
    other = dataclasses.replace(AMOUNTS, slug="other")
    catalog = load_catalog(
        [("p", plugin_giving(families=[AMOUNTS])), ("q", plugin_giving(families=[other]))]
    )
    with pytest.raises(DuplicateNameError, match=r"family 'toy number 1' .* 'p' of .* 'q' of"):
        catalog.families()


def test_one_number_in_two_datasets_is_fine() -> None:
    """A stranger numbers their own dataset from 1."""
    other = dataclasses.replace(AMOUNTS, dataset="hello")
    catalog = load_catalog([("p", plugin_giving(families=[AMOUNTS, other]))])
    assert catalog.families() == (other, AMOUNTS)


def test_tiers_are_sorted_by_rank() -> None:
    """The lowest tier comes first in lists, files and tables."""
    tiers = [named("b", rank=1), named("a", rank=1), named("z", rank=0)]
    catalog = load_catalog([("p", plugin_giving(tiers=tiers))])
    assert [tier.name for tier in catalog.tiers()] == ["z", "a", "b"]


def test_name_is_found_among_what_was_brought() -> None:
    """An unknown one says what is known, and which plug-ins might have had it."""
    source = DatasetSource(name="toy", folder=Path())
    catalog = load_catalog(
        [("p", plugin_giving(dataset_sources=[source])), ("q", broken_plugins()[0][1])]
    )
    assert open_source(catalog, "toy") is source
    with pytest.raises(UnknownNameError) as caught:
        open_source(catalog, "tay")
    assert "unknown dataset 'tay'; did you mean 'toy'?" in str(caught.value)
    assert "(plug-ins that could not be loaded: plug-in 'q' of given: " in str(caught.value)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, in which distributions can be installed."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def install(site: Path, entry: str, module: str, distribution: str, source: str) -> None:
    """Install a distribution with one entry point, as an installer leaves it."""
    (site / f"{module}.py").write_text(source)
    folder = site / f"{distribution.replace('-', '_')}-1.5.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n")
    (folder / "entry_points.txt").write_text(f"[kcb]\n{entry} = {module}\n")


def test_installed_plugins_are_found(site: Path) -> None:
    """A distribution with an entry point is all that is needed."""
    install(site, "made", "made_plugin", "kcb-made", "")
    found = {plugin.name: plugin for plugin in load_catalog().plugins}
    assert found["made"] == Plugin(name="made", distribution="kcb-made", version="1.5")
    assert str(found["made"]) == "'made' of kcb-made 1.5"
    core = Plugin(name="core", distribution="kcb-core", version=metadata.version("kcb-core"))
    assert found["core"] == core


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import nowhere_at_all", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("def f(:", "SyntaxError: invalid syntax"),
        ("raise RuntimeError('bad\\nday')", "RuntimeError: bad day"),
        ("import sys; sys.exit(7)", "SystemExit: 7"),
    ],
    ids=["import", "syntax", "error", "exit"],
)
def test_plugin_that_cannot_be_imported_is_kept_as_a_failure(
    site: Path, source: str, reason: str
) -> None:
    """One broken installation must not make the whole tool unusable."""
    install(site, "made", "made_broken", "kcb-made", source)
    failures = [f for f in load_catalog().failures if f.plugin.name == "made"]
    assert len(failures) == 1
    assert failures[0].reason.startswith(reason)
    assert str(failures[0]).startswith(f"plug-in 'made' of kcb-made 1.5: {reason}")


def test_without_third_parties_nothing_of_theirs_is_imported(site: Path) -> None:
    """``--no-plugins`` is how somebody gets out of whatever a plug-in does."""
    install(site, "made", "made_unwanted", "kcb-made", "")
    install(site, "core2", "made_lookalike", "kcb-core", "")
    catalog = load_catalog(third_party=False)
    assert "made_unwanted" not in sys.modules
    assert "made" not in [plugin.name for plugin in catalog.plugins]
    assert all(plugin.distribution == f"kcb-{plugin.name}" for plugin in catalog.plugins)


def test_built_in_name_cannot_be_claimed(site: Path) -> None:
    """Whoever asks for no plug-ins trusts the built-in names."""
    install(site, "core", "made_impostor", "kcb-made", "")
    assert "core (kcb-made)" in [failure.plugin.name for failure in load_catalog().failures]
    assert "core" in [plugin.name for plugin in load_catalog(third_party=False).plugins]
    assert "made_impostor" not in sys.modules


def test_distribution_without_metadata_is_shown_as_unknown(site: Path) -> None:
    """An installation that was broken off leaves such a folder, and must not break everything."""
    install(site, "made", "made_half", "kcb-made", "")
    (site / "kcb_made-1.5.dist-info" / "METADATA").unlink()
    found = [plugin for plugin in load_catalog().plugins if plugin.name == "made"]
    assert found == [Plugin(name="made", distribution="unknown", version="")]


@pytest.mark.parametrize("raises", [KeyError("Name"), TypeError("None")])
def test_distribution_that_cannot_name_itself_is_shown_as_unknown(
    monkeypatch: pytest.MonkeyPatch, raises: Exception
) -> None:
    """What a broken distribution does when it is asked depends on the version of Python."""

    class Broken:
        @property
        def name(self) -> str:
            raise raises

    entry = SimpleNamespace(name="made", value="m", dist=Broken(), load=lambda: plugin_giving())
    lone = SimpleNamespace(name="lone", value="m", dist=None, load=lambda: plugin_giving())
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry, lone])
    assert load_catalog().plugins == (
        Plugin(name="lone", distribution="unknown", version=""),
        Plugin(name="made", distribution="unknown", version=""),
    )
    assert load_catalog().failures == ()
