"""Makes the self-contained project of a reference program.

The project is flat and needs nothing but the standard library. Inside this package the shells name
each other by their full names, so that the type checker, the linter and the tests see them as what
they are; in the project they are neighbours. That prefix is the only thing that an export changes,
unless the project is to speak a dialect: then it gets a translator, and the lowest shell asks it.
"""

import json
from importlib.resources import files

from kcb_core.vocabulary import ERRORS, SHIPPED, FamilyNames, Vocabulary, permutation

TIERS = ("easy", "intermediate", "hard", "max")
SHELLS = ("easy", "intermediate", "hard", "durable")

_PACKAGED = "from kcb_references.service."
_FLAT = "from "
_MAIN = '''# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Answers the requests on standard input until it ends."""

from domain import answer
from {shell} import run

if __name__ == "__main__":
    run(answer)
'''

_MAIN_OF_DIALECT = '''"""Answers the requests on standard input until it ends."""

from dialect import in_dialect
from domain import answer
from {shell} import run

if __name__ == "__main__":
    run(in_dialect(answer))
'''

# What the lowest shell says where it reads a request and writes an answer, and says in a dialect.
_IMPORTS = "import Callable, Mapping\n"
_TRANSLATED = {
    _IMPORTS: f"{_IMPORTS}\nfrom dialect import canonical, spoken\n",
    "request = decode(line)": "request = canonical(decode(line))",
    'encode({"id": identity, **answer})': 'encode(spoken({"id": identity, **answer}, request))',
}


def project_files(
    tier: str, domain_source: str, *, vocabulary: Vocabulary = SHIPPED, slug: str = ""
) -> dict[str, str]:
    """Give the files of the project that answers one contract at one tier.

    Args:
        tier: One of `TIERS`.
        domain_source: The text of a module with a function `answer`. That takes the object given as
            `input` and gives `{"result": ...}`, or `{"error": {"code": ...}}` where the error has
            `field` too if the contract says so. It speaks in canonical names.
        vocabulary: What the names on the wire are called.
        slug: The slug of the family, under which the vocabulary lists the names of the contract.

    Returns:
        For each path, relative to the directory of the project, the text of the file: `main.py`,
        `domain.py`, and the shells of this tier and of those below it. In a dialect there are
        `dialect.py` and `names.py` too.

    Raises:
        ValueError: There is no such tier.
    """
    if tier not in TIERS:
        raise ValueError(f"no tier is called {tier!r}")
    shells = SHELLS[: TIERS.index(tier) + 1]
    main = _MAIN if vocabulary.canonical else _MAIN_OF_DIALECT
    project = {
        "main.py": main.format(shell=shells[-1]),
        "domain.py": domain_source,
        **{f"{shell}.py": _shell_source(shell) for shell in shells},
    }
    if not vocabulary.canonical:
        project["easy.py"] = _translated(project["easy.py"])
        project["dialect.py"] = _shell_source("dialect")
        project["names.py"] = _names(vocabulary, vocabulary.of_family(slug))
    return project


def _translated(easy: str) -> str:
    """Make the lowest shell ask the translator.

    Raises:
        ValueError: It does not say what it is expected to say.
    """
    for canonical, dialect in _TRANSLATED.items():
        if easy.count(canonical) != 1:
            raise ValueError(f"the shell 'easy' does not say {canonical!r} once")
        easy = easy.replace(canonical, dialect)
    return easy


def _names(vocabulary: Vocabulary, own: FamilyNames) -> str:
    """Fill in the tables of the module `names`."""
    codes = {name: word for name, word in vocabulary.protocol.items() if name in ERRORS}
    source = _shell_source("names")
    for table, renamed in (
        ("PROTOCOL", vocabulary.protocol),
        ("FIELDS", own.fields),
        ("CODES", {**codes, **own.errors}),
    ):
        filled = json.dumps(permutation(renamed), indent=4)
        start = f"{table}: dict[str, str] = "
        source = source.replace(f"{start}{{}}", f"{start}{filled}")
    return source


def _shell_source(shell: str) -> str:
    """Read a shell as it is to be in the project."""
    source = files("kcb_references.service").joinpath(f"{shell}.py").read_text(encoding="utf-8")
    return source.replace(_PACKAGED, _FLAT)
