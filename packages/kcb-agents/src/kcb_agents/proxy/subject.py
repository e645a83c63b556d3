"""Who is served by a proxy, and for what."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from kcb_agents.proxy.admission import Admission, Unbounded
from kcb_core.errors import DeclarationError

_PROFILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ONLINE = ":online"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A program that asks models: who it is, and what it may ask for.

    Raises:
        DeclarationError: it cannot be served as it is declared.
    """

    profile: str
    """Its name, which its checkpoint bears too."""
    models: tuple[str, ...]
    """The only models that it may ask for, verbatim."""
    folder: Path
    """Where its checkpoint goes; a folder that is there."""
    key: bytes = field(repr=False)
    """The host's key for its checkpoint; the subject never gets it."""
    admission: Admission = field(default_factory=Unbounded)
    """Who may refuse a request for want of a budget."""

    def __post_init__(self) -> None:
        if not _PROFILE.fullmatch(self.profile):
            raise DeclarationError(
                f"{self.profile!r} names no file: a profile has letters, digits, '.', '_' and '-'"
            )
        if not self.models:
            raise DeclarationError(f"{self.profile}: a subject needs a model that it may ask for")
        if not self.key:
            raise DeclarationError(f"{self.profile}: the key for the checkpoint is empty")
        for model in self.models:
            if model.endswith(_ONLINE):
                raise DeclarationError(
                    f"{self.profile}: {model} searches the web; leave out {_ONLINE!r}"
                )
