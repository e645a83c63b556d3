"""Compiles the modules of a project, and prints them; nothing of the project is run.

It runs where the project's sessions run, confined like them, since a compiler can be attacked too.
Each file is printed as a line with the lengths of its path and its content, and then both.
"""

import os
import sys
from importlib import _bootstrap_external as external
from importlib.util import cache_from_source, source_hash


def compiled(path: str) -> bytes:
    """A module's bytecode as Python keeps it, valid only for exactly this source."""
    with open(path, "rb") as file:
        source = file.read()
    code = compile(source, path, "exec", dont_inherit=True)
    made: bytes = external._code_to_hash_pyc(code, source_hash(source), True)  # type: ignore[attr-defined]
    return made


def main() -> None:
    """Print the bytecode of every module below the working directory."""
    top = os.getcwd()
    for folder, _, names in os.walk(top):
        for name in sorted(names):
            if not name.endswith(".py"):
                continue
            path = os.path.join(folder, name)
            try:
                content = compiled(path)
            except Exception:  # noqa: BLE001 - whoever imports it gets the same error
                continue
            where = os.fsencode(os.path.relpath(cache_from_source(path), top))
            sys.stdout.buffer.write(b"%d %d\n" % (len(where), len(content)) + where + content)


if __name__ == "__main__":
    main()
