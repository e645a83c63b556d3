"""Import every module of one installed distribution: ``python -I import_all.py kcb-core``.

Run in an environment that holds the distribution and what it declares, and nothing else, so that
an undeclared dependency is an import error.
A module that needs an extra of the distribution is named and passed over, ``__main__`` is run
with ``--version``; any other failure ends the program with a traceback.
"""

import importlib
import importlib.metadata
import pkgutil
import re
import subprocess
import sys


def extra_imports(distribution: str) -> set[str]:
    """Import names of what the extras of a distribution, and no plain dependency, bring."""
    lines = importlib.metadata.requires(distribution) or []
    names = (re.match(r"[A-Za-z0-9._-]+", line)[0] for line in lines if "extra ==" in line)
    return {name.replace("-", "_").lower() for name in names}


def import_all(distribution: str) -> tuple[list[str], list[str]]:
    """The names of the modules that were imported, and of those that need an extra."""
    optional = extra_imports(distribution)
    package = importlib.import_module(distribution.replace("-", "_"))
    imported, passed_over = [package.__name__], []
    pending = list(pkgutil.iter_modules(package.__path__, f"{package.__name__}."))
    while pending:
        found = pending.pop(0)
        if found.name.endswith(".__main__"):  # made to be run, so importing it may run it
            command = [sys.executable, "-I", "-m", package.__name__, "--version"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            continue
        try:
            module = importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] not in optional:
                raise
            passed_over.append(f"{found.name} (needs {error.name})")
            continue
        imported.append(found.name)
        if found.ispkg:
            pending.extend(pkgutil.iter_modules(module.__path__, f"{found.name}."))
    return imported, passed_over


def main() -> None:
    """Import what is named on the command line and print what was found."""
    imported, passed_over = import_all(sys.argv[1])
    lines = [f"{sys.argv[1]}: {len(imported)} modules imported"]
    lines += [f"  passed over: {name}" for name in passed_over]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
