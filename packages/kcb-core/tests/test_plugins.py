"""``klein-bench plugins``."""

import json
from collections.abc import Callable
from typing import Any

from kcb_core import hookimpl
from kcb_core.testing.toy import AMOUNTS
from kcb_core.testing.values import plugin_giving

Run = Callable[..., Any]


class Moody:
    """A plug-in that fails only when it is asked for one thing."""

    @hookimpl
    def kcb_register_scorers(self) -> list[object]:
        """Never give anything."""
        raise ZeroDivisionError("bad day")


def test_plugins_are_listed_with_what_is_broken(klein_bench: Run) -> None:
    """Also one that fails only when it is asked: here it is asked for everything."""
    plugins = [("moody", Moody()), ("good", plugin_giving(families=[AMOUNTS]))]
    done = klein_bench("plugins", plugins=plugins)
    assert (done.status, done.err) == (0, "")
    lines = [line.split("\t") for line in done.out.splitlines()]
    assert lines[:3] == [
        ["name", "distribution", "version", "status", "reason"],
        ["core", "given", "", "ok", ""],
        ["good", "given", "", "ok", ""],
    ]
    assert lines[3][:4] == ["moody", "given", "", "broken"]
    assert lines[3][4].startswith("ZeroDivisionError: bad day (")


def test_json_leaves_out_what_there_is_not(klein_bench: Run) -> None:
    """A plug-in that works has no reason."""
    done = klein_bench("plugins", "--json", plugins=[("moody", Moody())])
    core, moody = json.loads(done.out)
    assert core == {"name": "core", "distribution": "given", "version": "", "status": "ok"}
    assert moody["status"] == "broken"
    assert moody["reason"].startswith("ZeroDivisionError: bad day")


def test_traceback_is_shown_on_request_only(klein_bench: Run) -> None:
    """It is for the plug-in's author; everybody else wants one line."""
    assert "Traceback" not in klein_bench("plugins", plugins=[("moody", Moody())]).err
    done = klein_bench("--debug", "plugins", plugins=[("moody", Moody())])
    assert done.err.startswith("Traceback (most recent call last):")
    assert "test_plugins.py" in done.err
