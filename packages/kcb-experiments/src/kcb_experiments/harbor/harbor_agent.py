"""The agent ``harbor``: one of Harbor's own, which only the executor of that name can run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kcb_core.codec import convert
from kcb_core.errors import DeclarationError
from kcb_core.roles import Generated, Generation, Needs

NAME = "harbor"

IDLE, ORACLE = "nop", "oracle"
"""Those of Harbor's agents that ask no model: one does nothing, one hands in a given project."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of the agent ``harbor``."""

    agent: str
    """What Harbor calls it: ``oracle`` or ``nop``."""

    def __post_init__(self) -> None:
        if self.agent not in (IDLE, ORACLE):
            raise ValueError(
                f"field 'agent' must be {ORACLE!r} or {IDLE!r}: nothing here counts or bounds what "
                "an agent of Harbor's asks a model"
            )


def read_options(given: Mapping[str, str]) -> Options:
    """Which of Harbor's agents it is.

    Raises:
        DataError: an option is missing, wrong or not known.
    """
    return convert(dict(given), Options, source=f"agent {NAME!r}")


class HarborAgent:
    """Names an agent of Harbor's, for subjects of cells that run there."""

    name = NAME
    version = "1"
    asks_model = False

    def check_told(
        self, settings: Mapping[str, Any], options: Mapping[str, str], names: Sequence[str]
    ) -> Needs:
        """See whether it is one of Harbor's agents that can be run here.

        Raises:
            DataError: an option is missing, wrong or not known.
        """
        read_options(options)
        return Needs()

    def generate(self, generation: Generation) -> Generated:
        """Refuse: Harbor's agents work in Harbor alone.

        Raises:
            DeclarationError: always.
        """
        raise DeclarationError(f"agent {NAME!r} works in Harbor alone, by the executor {NAME!r}")
