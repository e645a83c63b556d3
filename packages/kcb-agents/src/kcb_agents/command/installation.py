"""The folder that a program is installed in, and what of it is vouched for."""

from __future__ import annotations

import os
from pathlib import Path

from kcb_agents.command.choices import NAME, CommandOptions
from kcb_agents.toolchain.checksums import LIST
from kcb_agents.toolchain.recipe import toolchain_names
from kcb_agents.toolchain.verification import verify
from kcb_core.errors import DeclarationError


def vouched(options: CommandOptions) -> str:
    """The fingerprint of the toolchain, or nothing if it was not to be held against one.

    Raises:
        UnknownNameError: it is to be verified, and there is no toolchain of this program.
        DeclarationError: nothing is pinned, or no folder is named.
        DataError: it differs from what was pinned.
        MachineError: it cannot be read.
    """
    folder = Path(options.toolchain).absolute()
    if options.verify == "built":
        built = options.program in toolchain_names() and os.path.lexists(folder / LIST)
        if not options.toolchain or not built:
            return ""
    elif not options.toolchain:
        raise DeclarationError(f"agent {NAME!r}: field 'verify' needs the option toolchain=...")
    return verify(options.program, folder, closed=options.verify == "closed")
