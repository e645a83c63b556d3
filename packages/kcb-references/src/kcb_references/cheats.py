"""Programs that do not do what they are asked for, and must fail every task.

None of them is subtle: each is what somebody writes who wants the score and not the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kcb_core.catalog import Catalog
from kcb_core.codec import ascii_line
from kcb_core.submission import Submission, SubmittedFile
from kcb_core.task import Task
from kcb_core.vocabulary import Vocabulary, permutation
from kcb_references.catalogue import solution

_QUOTED = re.compile(r"""(["'])(\w+)\1""")

_LOOP = """\
import json
import sys

{setup}

for line in sys.stdin.buffer:
    try:
        request = json.loads(line)
    except ValueError:
        request = None
    identity = request.get("id") if isinstance(request, dict) else None
{answer}
    sys.stdout.buffer.write(json.dumps(response).encode() + b"\\n")
    sys.stdout.buffer.flush()
"""


def empty(task: Task, catalog: Catalog, vocabulary: Vocabulary) -> Submission:
    """Nothing at all."""
    return Submission(files=())


def constant(task: Task, catalog: Catalog, vocabulary: Vocabulary) -> Submission:
    """The same success for every line."""
    return _program(vocabulary, '    response = {"id": identity, "ok": True, "result": {}}')


def echo(task: Task, catalog: Catalog, vocabulary: Vocabulary) -> Submission:
    """Every object comes back as it is."""
    return _program(
        vocabulary, '    response = request if isinstance(request, dict) else {"id": None}'
    )


def refusal(task: Task, catalog: Catalog, vocabulary: Vocabulary) -> Submission:
    """The same error for every line."""
    return _program(
        vocabulary,
        '    response = {"id": identity, "ok": False, "error": {"code": "bad_request"}}',
    )


def examples(task: Task, catalog: Catalog, vocabulary: Vocabulary) -> Submission:
    """The prompt's examples by heart, and an error for everything else."""
    names = permutation(vocabulary.protocol)
    asked, identity = (names.get(name, name) for name in ("input", "id"))
    known = {
        ascii_line(request.get(asked)): {k: v for k, v in expected.items() if k != identity}
        for request, expected in _public(task)
    }
    error = _spoken(vocabulary, "{'ok': False, 'error': {'code': 'bad_request'}}")
    return _program(
        vocabulary,
        "    asked = json.dumps(request.get('input'), separators=(',', ':'))"
        " if isinstance(request, dict) else ''\n"
        "    response = {'id': identity, **KNOWN.get(asked, ERROR)}",
        setup=f"KNOWN = json.loads({ascii_line(known)!r})\nERROR = {error}",
    )


def identities(task: Task, catalog: Catalog, vocabulary: Vocabulary) -> Submission:
    """Answers chosen by the id of the request, as learnt from the prompt's examples."""
    name = permutation(vocabulary.protocol).get("id", "id")
    known = {ascii_line(request.get(name)): expected for request, expected in _public(task)}
    first = next(iter(known.values()))
    return _program(
        vocabulary,
        "    asked = json.dumps(identity, separators=(',', ':'))\n"
        "    response = {**KNOWN.get(asked, FIRST), 'id': identity}",
        setup=f"KNOWN = json.loads({ascii_line(known)!r})\n"
        f"FIRST = json.loads({ascii_line(first)!r})",
    )


def lenient(task: Task, catalog: Catalog, vocabulary: Vocabulary) -> Submission:
    """Right in everything but malformed lines, which it takes for wrong requests."""
    return _with_main(
        task,
        catalog,
        vocabulary,
        before="import os",
        around="""\
    import sys
    class Mended:
        def __iter__(self):
            import json
            for line in sys.__stdin__.buffer:
                try:
                    json.loads(line)
                except ValueError:
                    line = b"null\\n"
                yield line
    class Input:
        buffer = Mended()
    sys.stdin = Input()
""",
    )


def forgetful(task: Task, catalog: Catalog, vocabulary: Vocabulary) -> Submission:
    """Right in everything, with a state that dies with the process."""
    return _with_main(
        task,
        catalog,
        vocabulary,
        before="import sys\nimport tempfile",
        around="""\
    at = sys.argv.index("--state-dir") + 1
    sys.argv[at] = tempfile.mkdtemp()
""",
    )


CHEATS: Mapping[str, Callable[[Task, Catalog, Vocabulary], Submission]] = {
    "empty": empty,
    "constant": constant,
    "echo": echo,
    "refusal": refusal,
    "examples": examples,
    "identities": identities,
    "lenient": lenient,
    "forgetful": forgetful,
}
"""Every cheat by its name."""


def cheats_for(task: Task) -> tuple[str, ...]:
    """Names of the cheats that a task can be tried with: only a durable one can be forgotten."""
    return tuple(name for name in CHEATS if name != "forgetful" or task.durable)


def _public(task: Task) -> list[tuple[dict[str, object], dict[str, object]]]:
    """Requests and responses of the prompt's examples."""
    sessions = [session for scenario in task.public_tests for session in scenario.sessions]
    return [
        (request, expected)
        for session in sessions
        for request, expected in zip(session.requests, session.expected, strict=True)
    ]


def _program(vocabulary: Vocabulary, answer: str, setup: str = "") -> Submission:
    loop = _spoken(vocabulary, _LOOP)
    text = loop.format(answer=_spoken(vocabulary, answer), setup=setup)
    return Submission(files=(SubmittedFile("main.py", text.encode()),))


def _spoken(vocabulary: Vocabulary, source: str) -> str:
    """A piece of a program with its names on the wire as the vocabulary has them."""
    names = permutation(vocabulary.protocol)
    return _QUOTED.sub(lambda found: found[1] + names.get(found[2], found[2]) + found[1], source)


def _with_main(
    task: Task, catalog: Catalog, vocabulary: Vocabulary, *, before: str, around: str
) -> Submission:
    """The reference of a task with something done before its main function runs."""
    files = {file.path: file.data for file in solution(catalog, task, vocabulary).files}
    main = files["main.py"].decode()
    start = 'if __name__ == "__main__":\n'
    files["main.py"] = main.replace(start, f"{before}\n\n{start}{around}").encode()
    return Submission(files=tuple(SubmittedFile(p, data) for p, data in sorted(files.items())))
