"""The executor ``process``: an agent in a process of its own, which can always be ended."""

from __future__ import annotations

import os
import site
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kcb_core.codec import convert
from kcb_core.environment import clean_environment
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.execution import Casting, Errand, Left, Setup
from kcb_core.provenance import revision
from kcb_experiments.engine.castings import (
    FIXED,
    order_of,
    require_credentials,
    require_installed,
    secrets_of,
    tried_out,
)
from kcb_experiments.engine.following import followed
from kcb_experiments.engine.local_worker import LocalWorker
from kcb_experiments.engine.network import Network, witnessed
from kcb_experiments.engine.start import laid_out

MACHINE_LOCAL = ("PATH", "XDG_RUNTIME_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "KCB_EGRESS_PROXY")
"""Variables that say where something is on this machine; a worker keeps them."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a spec may set of this executor."""

    check_endpoints: bool = True
    """Whether an agent that can try out its endpoint does so before the first cell."""
    egress_blocked: tuple[str, ...] = ()
    """Names that the egress proxy refuses besides those of its blocklist."""


class ProcessExecutor:
    """Runs each subject in a new process on this machine.

    The process has an environment of its own, with the credentials that its subject declares and no
    others. It ends with the experiment, however that ends.
    """

    name = "process"
    enforces_proxy = True

    @property
    def version(self) -> str:
        """The version of kcb-experiments."""
        return revision("kcb-experiments").version

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenProcesses]:
        """Ready it for a run; errors as in the role."""
        settings = _settings(setup)
        network = None
        if setup.egress_proxy:
            network = Network(proxy=setup.egress_proxy, blocked=settings.egress_blocked)
        yield OpenProcesses(setup=setup, settings=settings, network=network)

    def check_setup(self, setup: Setup) -> None:
        """See whether its settings are right; errors as in the role."""
        _settings(setup)


def _settings(setup: Setup) -> Settings:
    settings = convert(dict(setup.settings), Settings, source="executor.settings")
    if settings.egress_blocked and not setup.egress_proxy:
        raise DeclarationError(
            "'executor.settings.egress_blocked' is of no use without 'executor.egress_proxy'"
        )
    return settings


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProcesses:
    """The executor, open for a run."""

    setup: Setup
    settings: Settings
    network: Network | None = None
    """What subjects can reach besides their models, if anything."""

    def preflight(self, castings: Sequence[Casting], prompt: str) -> tuple[str, ...]:
        """See whether every subject can be run here; errors as in the role."""
        require_credentials(castings)
        if self.network:
            self.network.require(castings, self.setup.agents)
        require_installed(castings, self.setup.agents)
        if not self.settings.check_endpoints:
            return ()
        return tuple(tried_out(castings, self.setup.agents, prompt, self.setup.tell))

    def run(self, errand: Errand) -> Left:
        """Run one subject in a process of its own."""
        third_party = self.setup.third_party
        if self.network is None:
            return run_here(errand, third_party=third_party)
        left = run_here(self.network.told(errand), third_party=third_party)
        return witnessed(left, errand.folder)


def run_here(errand: Errand, *, third_party: bool) -> Left:
    """Run one subject in a process of its own on this machine.

    Args:
        errand: the subject and its task.
        third_party: whether its worker loads the plug-ins of others.
    """
    home = errand.folder / "home"
    home.mkdir(parents=True)
    with laid_out(errand):
        try:
            worker = LocalWorker(_environment(errand.casting, home))
        except MachineError as error:
            return Left(started=False, reason=str(error))
        order = order_of(errand, errand.folder.absolute(), third_party=third_party)
        return followed(worker, order, errand)


def _environment(casting: Casting, home: Path) -> Mapping[str, str]:
    given = {name: os.environ[name] for name in MACHINE_LOCAL if name in os.environ}
    user = {"PYTHONUSERBASE": site.getuserbase()} if site.ENABLE_USER_SITE else {}
    extra = {**FIXED, **given, **user, **secrets_of(casting)}
    # Temporary files lie where this process has its own, for the two to agree on locks.
    return clean_environment(home=home, scratch=Path(tempfile.gettempdir()), extra=extra)
