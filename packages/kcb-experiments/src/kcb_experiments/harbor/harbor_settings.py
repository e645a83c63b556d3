"""What a spec may set of the executor ``harbor``, and where this machine has what it needs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec

from kcb_core.errors import DeclarationError

COMMAND_VARIABLE = "KCB_HARBOR"
"""Names Harbor's command, where the spec does not."""

WHEELS_VARIABLE = "KCB_HARBOR_WHEELS"
"""Names the folder of wheels, where the spec does not."""

ENVIRONMENTS = ("docker", "podman")


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a spec may set of the executor ``harbor``."""

    command: str = ""
    """Path of Harbor's command, in an environment of its own; if not given, what ``KCB_HARBOR``
    names, or ``harbor`` on the path."""
    environment: str = "docker"
    """What Harbor makes containers with: ``docker`` or ``podman``."""
    image: str = ""
    """Name of an image with Python 3.11 or newer to work and judge in; without one, an environment
    is built."""
    wheels: str = ""
    """Folder with wheels of kcb-core, kcb-runner and all they need, as for ``experiment export``;
    if not given, what ``KCB_HARBOR_WHEELS`` names."""
    solutions: str = ""
    """Folder with projects that resolve the tasks, each named by its task id, for Harbor's agent
    ``oracle``."""

    def __post_init__(self) -> None:
        if self.environment not in ENVIRONMENTS:
            raise ValueError(f"field 'environment' must be one of {', '.join(ENVIRONMENTS)}")

    @property
    def program(self) -> Path:
        """Harbor's command.

        Raises:
            DeclarationError: there is none.
        """
        wanted = self.command or os.environ.get(COMMAND_VARIABLE) or "harbor"
        if found := shutil.which(wanted):
            return Path(found).absolute()
        raise DeclarationError(
            f"{wanted!r} is no command here; install Harbor into an environment of its own, and "
            f"name its command in 'executor.settings.command' or {COMMAND_VARIABLE}"
        )

    @property
    def wheels_folder(self) -> Path:
        """The folder of wheels.

        Raises:
            DeclarationError: nobody has named it.
        """
        if wanted := self.wheels or os.environ.get(WHEELS_VARIABLE):
            return Path(wanted)
        raise DeclarationError(
            f"name a folder of wheels in 'executor.settings.wheels' or {WHEELS_VARIABLE}"
        )
