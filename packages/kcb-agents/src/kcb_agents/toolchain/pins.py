"""The fingerprints that are expected, kept in source: a tree never says its own."""

from __future__ import annotations

import re
from pathlib import Path

from kcb_core.codec import convert, parse_by_name
from kcb_core.errors import DataError
from kcb_core.storage import read_bounded, write_whole

PINS = Path(__file__).parent / "fingerprints.toml"

_HEAD = """\
# The fingerprint of each toolchain: the SHA-256 of its checksums.sha256.
# 'klein-bench agents toolchain build NAME --out DIR --write' writes them.

"""
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


def read_pins(path: Path | None = None) -> dict[str, str]:
    """The expected fingerprint of each toolchain that has one.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is malformed; the field is named.
    """
    path = path or PINS
    pins = convert(parse_by_name(read_bounded(path), source=str(path)), dict[str, str],
                   source=str(path))  # fmt: skip
    for name, value in pins.items():
        if not _FINGERPRINT.fullmatch(value):
            raise DataError(f"{path}: field '{name}': {value!r} is no SHA-256")
    return pins


def write_pin(name: str, fingerprint: str, path: Path | None = None) -> None:
    """Expect this fingerprint of a toolchain from now on.

    Raises:
        DeclarationError, DataError: as in :func:`read_pins`.
        MachineError: the file cannot be written.
    """
    path = path or PINS
    pins = read_pins(path) | {name: fingerprint}
    lines = (f'{name} = "{pins[name]}"\n' for name in sorted(pins))
    write_whole(path, (_HEAD + "".join(lines)).encode())
