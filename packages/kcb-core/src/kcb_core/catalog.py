"""Loads plug-ins and finds what they bring by name.

A broken plug-in is never silently skipped and never stops a command that does not need it: it is
kept here as a failure, warned about, and an error when a name is asked for that it might own.
"""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

import pluggy

from kcb_core import hookspecs
from kcb_core.errors import DuplicateNameError, UnknownNameError
from kcb_core.execution import Executor, Verifier
from kcb_core.family import Family
from kcb_core.health import HealthCheck
from kcb_core.roles import (
    Agent,
    Command,
    DatasetSource,
    Launcher,
    Reference,
    ReportSection,
    Runner,
    Scorer,
    TicketSink,
)
from kcb_core.schemas import Published
from kcb_core.tasksets import TaskSource
from kcb_core.tier import Tier
from kcb_core.trial import FaultCode

T = TypeVar("T")

BUILT_IN = ("core", "tasks", "runner", "score", "references", "agents", "experiments", "suites")
"""Entry points of the house's own distributions, by which ``--no-plugins`` limits loading."""

_NOT_THE_PLUGIN = ("<frozen ", importlib.__path__[0], str(Path(pluggy.__file__).parent), __file__)
"""Starts of file names that stand in a traceback but are no place in the plug-in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One entry point of the group ``kcb``."""

    name: str
    """Name of the entry point."""
    distribution: str
    """Name of the distribution that declares it."""
    version: str
    """Version of that distribution."""

    def __str__(self) -> str:
        return f"{self.name!r} of {self.distribution} {self.version}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A plug-in that could not be loaded, or that failed when it was asked."""

    plugin: Plugin
    reason: str
    """One line: what went wrong, and where in the plug-in."""
    trace: str = field(repr=False)
    """The whole traceback, shown with ``--debug``."""

    def __str__(self) -> str:
        return f"plug-in {self.plugin}: {self.reason}"


class Catalog:
    """What the installed plug-ins bring, by name.

    Nothing is asked of a plug-in before it is needed. Build one with :func:`load_catalog`.
    """

    def __init__(
        self,
        entries: Iterable[tuple[Plugin, Callable[[], object]]],
        *,
        third_party: bool | None = None,
    ) -> None:
        self.third_party = third_party
        """Whether installed plug-ins of others are in it, which is all that another process must
        know to load the same; None where plug-ins were given as objects, and none can."""
        self._manager = pluggy.PluginManager(hookspecs.PROJECT)
        self._manager.add_hookspecs(hookspecs)
        self._plugins: dict[str, Plugin] = {}
        self._failures: dict[str, Failure] = {}
        self._brought: dict[str, tuple[tuple[Plugin, Any], ...]] = {}
        for plugin, load in entries:
            self._register(plugin, load)

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """Every plug-in that was found, broken ones too, by name."""
        return tuple(plugin for _, plugin in sorted(self._plugins.items()))

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Plug-ins that could not be loaded or failed when asked, by name."""
        return tuple(failure for _, failure in sorted(self._failures.items()))

    def families(self) -> tuple[Family, ...]:
        """All families, by dataset and number."""
        found = self._named("family", "kcb_register_families", Family, lambda f: f.name)
        numbers: dict[str, str] = {}
        for plugin, family in found:
            place = f"{family.dataset} number {family.number}"
            if place in numbers:
                raise DuplicateNameError("family", place, (numbers[place], str(plugin)))
            numbers[place] = str(plugin)
        ordered = sorted((f for _, f in found), key=lambda f: (f.dataset, f.number))
        return tuple(ordered)

    def tiers(self) -> tuple[Tier, ...]:
        """All tiers, the lowest first."""
        found = self._named("tier", "kcb_register_tiers", Tier, lambda tier: tier.name)
        return tuple(sorted((tier for _, tier in found), key=lambda tier: (tier.rank, tier.name)))

    def dataset_sources(self) -> tuple[DatasetSource, ...]:
        """All datasets that installed distributions hold, by name."""
        return self._values(
            "dataset", "kcb_register_dataset_sources", DatasetSource, lambda d: d.name
        )

    def sources_of(self, plugin: str) -> tuple[DatasetSource, ...]:
        """The datasets that one plug-in brings.

        Raises:
            UnknownNameError: there is no such plug-in.
        """
        self.find("plug-in", plugin, self.plugins, lambda found: found.name)
        hook = "kcb_register_dataset_sources"
        brought = self._bring(hook, DatasetSource, lambda source: source.name)
        return tuple(source for owner, source in brought if owner.name == plugin)

    def references(self) -> tuple[Reference, ...]:
        """All references, by family."""
        return self._values("reference", "kcb_register_references", Reference, lambda r: r.family)

    def launchers(self) -> tuple[Launcher, ...]:
        """All launchers, by name."""
        return self._values("launcher", "kcb_register_launchers", Launcher, lambda v: v.name)

    def runners(self) -> tuple[Runner, ...]:
        """All runners, by name."""
        return self._values("runner", "kcb_register_runners", Runner, lambda v: v.name)

    def agents(self) -> tuple[Agent, ...]:
        """All agents, by name."""
        return self._values("agent", "kcb_register_agents", Agent, lambda v: v.name)

    def task_sources(self) -> tuple[TaskSource, ...]:
        """All kinds of sets of tasks for experiments, by name."""
        return self._values(
            "task source", "kcb_register_task_sources", TaskSource, lambda v: v.name
        )

    def executors(self) -> tuple[Executor, ...]:
        """All executors, by name."""
        return self._values("executor", "kcb_register_executors", Executor, lambda v: v.name)

    def verifiers(self) -> tuple[Verifier, ...]:
        """All verifiers, by name."""
        return self._values("verifier", "kcb_register_verifiers", Verifier, lambda v: v.name)

    def scorers(self) -> tuple[Scorer, ...]:
        """All scorers, by name."""
        return self._values("scorer", "kcb_register_scorers", Scorer, lambda v: v.name)

    def fault_codes(self) -> tuple[FaultCode, ...]:
        """All codes of agents' faults, by code."""
        return self._values("fault code", "kcb_register_fault_codes", FaultCode, lambda v: v.code)

    def ticket_sinks(self) -> tuple[TicketSink, ...]:
        """All ticket sinks, by name."""
        return self._values(
            "ticket sink", "kcb_register_ticket_sinks", TicketSink, lambda v: v.name
        )

    def report_sections(self) -> tuple[ReportSection, ...]:
        """All sections of a page, in the order in which they stand."""
        found = self._values(
            "report section", "kcb_register_report_sections", ReportSection, lambda v: v.name
        )
        return tuple(sorted(found, key=lambda section: (section.order, section.name)))

    def documents(self) -> tuple[Published, ...]:
        """All published kinds of stored documents, by kind."""
        return self._values(
            "kind of document", "kcb_register_documents", Published, lambda v: v.kind
        )

    def health_checks(self) -> tuple[HealthCheck, ...]:
        """All health checks, by name."""
        return self._values(
            "health check", "kcb_register_health_checks", HealthCheck, lambda v: v.name
        )

    def commands(self) -> tuple[Command, ...]:
        """All commands, by name.

        A command that is there already makes the later plug-in a broken one, and no more: every
        start asks for all commands, and one stranger must not bar the way to the others.
        """
        owners: dict[str, tuple[Plugin, Command]] = {}
        brought = self._bring("kcb_register_commands", Command, lambda v: v.name)
        for plugin, command in sorted(brought, key=lambda pair: pair[0].name not in BUILT_IN):
            if command.name in owners:
                names = (str(owners[command.name][0]), str(plugin))
                self._fail(plugin, DuplicateNameError("command", command.name, names))
            else:
                owners[command.name] = (plugin, command)
        return tuple(owners[name][1] for name in sorted(owners))

    def find(self, noun: str, name: str, values: Iterable[T], key: Callable[[T], str]) -> T:
        """The one of some values that has a name.

        Raises:
            UnknownNameError: none has it; broken plug-ins that might own it are named.
        """
        by_name = {key(value): value for value in values}
        if name not in by_name:
            raise UnknownNameError(noun, name, by_name, [str(f) for f in self.failures])
        return by_name[name]

    def _values(
        self, noun: str, hook: str, type_: type[T], key: Callable[[T], str]
    ) -> tuple[T, ...]:
        return tuple(value for _, value in self._named(noun, hook, type_, key))

    def _named(
        self, noun: str, hook: str, type_: type[T], key: Callable[[T], str]
    ) -> list[tuple[Plugin, T]]:
        """What all plug-ins bring by one hook, sorted by name, each name only once."""
        owners: dict[str, tuple[Plugin, T]] = {}
        for plugin, value in self._bring(hook, type_, key):
            name = key(value)
            if name in owners:
                raise DuplicateNameError(noun, name, (str(owners[name][0]), str(plugin)))
            owners[name] = (plugin, value)
        return [owners[name] for name in sorted(owners)]

    def _bring(
        self, hook: str, type_: type[T], key: Callable[[T], str]
    ) -> tuple[tuple[Plugin, T], ...]:
        if hook not in self._brought:
            self._brought[hook] = tuple(self._ask(hook, type_, key))
        return self._brought[hook]

    def _ask(
        self, hook: str, type_: type[T], key: Callable[[T], str]
    ) -> Iterator[tuple[Plugin, T]]:
        """Asks each plug-in by itself, so that one that fails takes no other with it."""
        for implementation in sorted(
            getattr(self._manager.hook, hook).get_hookimpls(), key=lambda i: str(i.plugin_name)
        ):
            plugin = self._plugins[implementation.plugin_name]
            try:
                values = tuple(implementation.function())
                for value in values:
                    if not isinstance(value, type_):
                        raise TypeError(f"{hook} gave no {type_.__name__} but {value!r}")
                    if not isinstance(key(value), str):
                        raise TypeError(f"{hook} gave a name that is no string, of {value!r}")
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's fault is its own
                self._fail(plugin, error)
                continue
            yield from ((plugin, value) for value in values)

    def _register(self, plugin: Plugin, load: Callable[[], object]) -> None:
        if plugin.name in self._plugins:
            names = (str(self._plugins[plugin.name]), str(plugin))
            error = DuplicateNameError("plug-in", plugin.name, names)
            plugin = replace(plugin, name=f"{plugin.name} ({plugin.distribution})")
            self._plugins[plugin.name] = plugin
            self._fail(plugin, error)
            return
        self._plugins[plugin.name] = plugin
        try:
            module = load()
            self._manager.register(module, name=plugin.name)
            self._manager.check_pending()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plug-in may fail in any way
            if self._manager.has_plugin(plugin.name):
                self._manager.unregister(name=plugin.name)
            self._fail(plugin, error)

    def _fail(self, plugin: Plugin, error: BaseException) -> None:
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if not frame.filename.startswith(_NOT_THE_PLUGIN)
        ]
        place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
        summary = " ".join(str(error).split()) or "no message"
        self._failures[plugin.name] = Failure(
            plugin=plugin,
            reason=f"{type(error).__name__}: {summary[:400]}{place}",
            trace="".join(traceback.format_exception(error)),
        )


def load_catalog(
    plugins: Iterable[tuple[str, object]] | None = None, *, third_party: bool = True
) -> Catalog:
    """A fresh catalog.

    Args:
        plugins: name and plug-in object of each plug-in; by default those that are installed.
        third_party: whether plug-ins that are not the house's own are imported at all.

    Raises:
        DuplicateNameError: two plug-ins have one name.
    """
    if plugins is None:
        return Catalog(_installed(third_party), third_party=third_party)
    return Catalog(
        (Plugin(name=name, distribution="given", version=""), partial(_itself, value))
        for name, value in plugins
    )


def open_source(catalog: Catalog, dataset: str) -> DatasetSource:
    """The installed source of a dataset.

    Raises:
        UnknownNameError: nothing installed holds it.
    """
    return catalog.find("dataset", dataset, catalog.dataset_sources(), lambda s: s.name)


def _itself(value: object) -> object:
    return value


def _installed(third_party: bool) -> Iterator[tuple[Plugin, Callable[[], object]]]:
    """The house's own plug-ins first, so that a stranger with one of their names is the later."""
    found = [(entry, *_origin(entry)) for entry in metadata.entry_points(group=hookspecs.PROJECT)]
    ordered = sorted(found, key=lambda e: (not _is_house(e[0], e[1]), e[0].name, e[1]))
    for entry, name, version in ordered:
        if third_party or _is_house(entry, name):
            yield Plugin(name=entry.name, distribution=name, version=version), entry.load


def _is_house(entry: metadata.EntryPoint, distribution: str) -> bool:
    return entry.name in BUILT_IN and distribution == f"kcb-{entry.name}"


def _origin(entry: metadata.EntryPoint) -> tuple[str, str]:
    """Name and version of the distribution; a half-removed one may know neither."""
    distribution = entry.dist
    try:
        name, version = (distribution.name, distribution.version) if distribution else ("", "")
    except Exception:  # noqa: BLE001 - what it raises depends on the Python version
        name, version = "", ""
    return name or "unknown", version or ""
