"""Makes the self-contained project of a reference program.

The project is flat and needs nothing but the standard library. Inside this package the shells name
each other by their full names, so that the type checker, the linter and the tests see them as what
they are; in the project they are neighbours. That prefix is the only thing that an export changes.
"""

from importlib.resources import files

TIERS = ("easy", "intermediate", "hard", "max")
SHELLS = ("easy", "intermediate", "hard", "durable")

_PACKAGED = "from kcb_references.service."
_FLAT = "from "
_MAIN = '''"""Answers the requests on standard input until it ends."""

from domain import answer
from {shell} import run

if __name__ == "__main__":
    run(answer)
'''


def project_files(tier: str, domain_source: str) -> dict[str, str]:
    """Give the files of the project that answers one contract at one tier.

    Args:
        tier: One of `TIERS`.
        domain_source: The text of a module with a function `answer`. That takes the object given as
            `input` and gives `{"result": ...}`, or `{"error": {"code": ...}}` where the error has
            `field` too if the contract says so.

    Returns:
        For each path, relative to the directory of the project, the text of the file: `main.py`,
        `domain.py`, and the shells of this tier and of those below it.

    Raises:
        ValueError: There is no such tier.
    """
    if tier not in TIERS:
        raise ValueError(f"no tier is called {tier!r}")
    shells = SHELLS[: TIERS.index(tier) + 1]
    return {
        "main.py": _MAIN.format(shell=shells[-1]),
        "domain.py": domain_source,
        **{f"{shell}.py": _shell_source(shell) for shell in shells},
    }


def _shell_source(shell: str) -> str:
    """Read a shell as it is to be in the project."""
    source = files("kcb_references.service").joinpath(f"{shell}.py").read_text(encoding="utf-8")
    return source.replace(_PACKAGED, _FLAT)
