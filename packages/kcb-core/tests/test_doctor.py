"""``klein-bench doctor``."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from kcb_core.health import Health, HealthCheck, Verdict
from kcb_core.testing.values import plugin_giving

Run = Callable[..., Any]


def asking(**answers: Health | Exception) -> list[tuple[str, object]]:
    """A plug-in with health checks that answer so."""

    def check(answer: Health | Exception) -> Callable[[], Health]:
        def answered() -> Health:
            if isinstance(answer, Exception):
                raise answer
            return answer

        return answered

    checks = [HealthCheck(name=f"p.{name}", check=check(a)) for name, a in answers.items()]
    return [("p", plugin_giving(health_checks=checks))]


@pytest.mark.parametrize(
    ("verdict", "status"),
    [(Verdict.OK, 0), (Verdict.WARNING, 0), (Verdict.BROKEN, 3)],
)
def test_only_what_is_needed_and_broken_fails(
    klein_bench: Run, verdict: Verdict, status: int
) -> None:
    """A script asks before a long run; a warning does not stop it."""
    health = Health(verdict=verdict, summary="disk", remedy="buy one")
    done = klein_bench("doctor", plugins=asking(disk=health))
    assert done.status == status
    assert done.out.splitlines() == [
        "check\tverdict\tsummary\tremedy",
        f"p.disk\t{verdict}\tdisk\tbuy one",
    ]


def test_check_that_fails_has_found_something_broken(klein_bench: Run) -> None:
    """The others are asked all the same."""
    done = klein_bench(
        "doctor", plugins=asking(a=OSError("no disk"), b=Health(verdict=Verdict.OK, summary="fine"))
    )
    assert done.status == 3
    assert done.out.splitlines()[1:] == ["p.a\tbroken\tOSError: no disk\t", "p.b\tok\tfine\t"]


def test_broken_plugins_are_warned_about(klein_bench: Run) -> None:
    """They may be why something is missing; the remedy names the distribution."""
    done = klein_bench("doctor", "--json", plugins=[("moody", plugin_giving(scorers=3))])
    assert done.status == 0
    (row,) = json.loads(done.out)
    assert row["name"] == "plug-in moody"
    assert row["verdict"] == "warning"
    assert row["remedy"] == "upgrade or uninstall given"
    assert "TypeError: 'int' object is not iterable" in row["summary"]


def test_machine_without_questions_is_well(klein_bench: Run) -> None:
    """kcb-core alone needs nothing that could be missing."""
    done = klein_bench("doctor", "--json")
    assert (done.status, json.loads(done.out)) == (0, [])


def test_verdicts_are_three() -> None:
    """Programs that read the JSON rely on these words."""
    assert list(Verdict) == ["ok", "warning", "broken"]
