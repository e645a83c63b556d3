"""The executor ``remote``, as the catalog knows it; what it needs is imported when it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kcb_core.codec import convert
from kcb_core.errors import DeclarationError
from kcb_core.execution import OpenExecutor, Setup
from kcb_core.provenance import revision
from kcb_experiments.remote.cluster_settings import Settings


class RemoteExecutor:
    """Runs each subject in a process of its own on some worker of a Dask cluster."""

    name = "remote"
    enforces_proxy = False

    @property
    def version(self) -> str:
        """The version of kcb-experiments."""
        return revision("kcb-experiments").version

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenExecutor]:
        """Ready it for a run; the cluster is looked for by the preflight.

        Raises:
            DeclarationError: a setting is wrong, or the extra is not installed.
        """
        settings = _settings(setup)
        try:
            from kcb_experiments.remote.dispatch import Dispatch  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise DeclarationError(
                f"the executor 'remote' needs {error.name}: pip install 'kcb-experiments[remote]'"
            ) from None
        with Dispatch(setup, settings) as opened:
            yield opened

    def check_setup(self, setup: Setup) -> None:
        """See whether its settings are right; errors as in the role."""
        _settings(setup)


def _settings(setup: Setup) -> Settings:
    return convert(dict(setup.settings), Settings, source="executor.settings")
