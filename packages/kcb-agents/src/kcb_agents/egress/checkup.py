"""What ``doctor`` asks of egress: whether a subject could be given a network here."""

from __future__ import annotations

from kcb_agents.egress.component import PIN
from kcb_agents.egress.passage import require_means
from kcb_core.errors import DeclarationError
from kcb_core.health import Health, Verdict


def egress_check() -> Health:
    """See whether this machine can keep a subject to a proxy; most subjects need none."""
    try:
        require_means(PIN)
    except DeclarationError as error:
        summary = f"none, and only subjects with a network need it: {error}"
        return Health(verdict=Verdict.OK, summary=summary)
    return Health(verdict=Verdict.OK, summary=f"namespaces take rules, and there is {PIN}")
