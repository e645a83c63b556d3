"""Every hook."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from kcb_core import hookimpl, hookspecs
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.commands.plugins import ask_everything

HOOKS = [
    (name, function)
    for name, function in inspect.getmembers(hookspecs, inspect.isfunction)
    if name.startswith("kcb_")
]


@pytest.mark.parametrize(("name", "function"), HOOKS)
def test_hooks_have_one_shape(name: str, function: Callable[[], Any]) -> None:
    """``kcb_register_<noun>s`` takes nothing and gives an iterable: there is nothing to look up."""
    assert name.startswith("kcb_register_")
    assert name.endswith("s")
    assert inspect.signature(function).parameters == {}
    assert str(inspect.signature(function).return_annotation).startswith("Iterable[")
    assert tuple(function()) == ()


@pytest.mark.parametrize(("name", "function"), HOOKS)
def test_hooks_say_who_asks_and_show_an_example(name: str, function: Callable[[], Any]) -> None:
    """The reference page is made of these words, and the example is copied from it."""
    words = inspect.getdoc(function) or ""
    assert "Asked " in words
    assert f"@hookimpl\n    def {name}():\n        return " in words


def test_every_hook_is_asked() -> None:
    """A hook that nobody asks is a promise that is not kept."""
    asked = []

    def implementation(name: str) -> Any:
        def give() -> list[object]:
            asked.append(name)
            return []

        return hookimpl(give)

    brings = type("P", (), {name: staticmethod(implementation(name)) for name, _ in HOOKS})
    catalog = load_catalog([("p", brings())])
    assert catalog.failures == ()
    ask_everything(catalog)
    assert sorted(asked) == sorted(name for name, _ in HOOKS)


def test_nothing_is_asked_before_it_is_needed() -> None:
    """``--help`` must not wait for the slowest plug-in."""

    class Slow:
        @hookimpl
        def kcb_register_families(self) -> list[object]:
            raise AssertionError("asked too early")

    catalog: Catalog = load_catalog([("slow", Slow())])
    assert catalog.commands() == ()
    assert catalog.failures == ()
