"""Judges the promises of larder: by a frozen copy with callbacks, and by what the text may hold."""

import random
import re
from pathlib import Path

from scenes import operation, scenes
from steps import GRADER_DIR, Grader, Workspace, main

VISIBLE = ["tests/store.test.js", "tests/queue.test.js"]
SCENES = 260
SEED = 20260301
KEPT = ["index", "errors", "file-backend", "memory-backend", "open", "queue", "store", "journal"]

FORBIDDEN = {
    "callback, callbacks, cb or done": r"\b(callbacks?|cb|done)\b",
    "promisify or callbackify": r"\b(promisify|callbackify)\b",
    "a timer or a turn of the event loop": (
        r"\b(nextTick|setImmediate|setTimeout|setInterval|queueMicrotask)\b"
    ),
    ".then, .catch or .finally": r"\.(then|catch|finally)\b",
    "node:fs without /promises": r"""["'](node:)?fs["']""",
    "a function whose first of several parameters is an error": (
        r"\(\s*(error|err)\s*,[^()]*\)\s*(=>|\{)"
    ),
}


def grade(grader: Grader) -> None:
    """Compare with the frozen copy, look at the text, run the visible tests."""
    structure(grader)
    interface(grader)
    comparison(grader)
    grader.visible_tests(["node", "--test", *VISIBLE], VISIBLE)


def structure(grader: Grader) -> None:
    """What the prompt asks of the text of `src/` and of the README."""
    grader.check(not grader.work.path("src/flow.js").exists(), "src/flow.js is still there")
    for name in KEPT:
        grader.check(grader.work.has(f"src/{name}.js"), f"src/{name}.js is gone")
    for path in sources(grader.work.folder / "src"):
        name, text = path.name, path.read_text("utf-8", "replace")
        for what, pattern in FORBIDDEN.items():
            grader.check(not re.search(pattern, text), f"src/{name} has {what}")
        grader.check(name == "queue.js" or "new Promise" not in text, f"src/{name} has new Promise")
        deep = [line for line in text.split("\n") if re.match(r" {9}| *\t", line)]
        grader.check(not deep, f"src/{name} has lines indented by more than eight spaces")
    readme = grader.work.read("README.md")
    grader.check("put(" in readme and "callback" not in readme, "README.md speaks of callbacks")


def sources(folder: Path) -> list[Path]:
    """The files that may hold code."""
    return sorted(path for path in folder.rglob("*") if path.suffix in (".js", ".mjs", ".cjs"))


def interface(grader: Grader) -> None:
    """What is new: promises, rejections, options that may be missing, the queue."""
    calls = "put get update batch query attach attachments remove compact close"
    bad = {"error": "TypeError", "code": None, "message": "at once"}
    notes = ["a>", "<a", "bad>", "<bad", "c>", "<c"]
    cases = [
        ("promises", [True, *[[name, True] for name in calls.split()]]),
        ("rejections", [["TypeError"] * 11, 0]),
        ("queue", [4, 0, notes, ["a", "bad", "plain", "c"], bad]),
    ]
    grader.answers(
        "driver.mjs",
        [(name, {"question": name, "style": "promises"}, expected) for name, expected in cases],
    )


def comparison(grader: Grader) -> None:
    """The same scenes for the workspace and for the frozen copy."""
    questions = [{"question": "scene", **scene} for scene in scenes(SCENES, SEED)]
    questions += own_backends()
    frozen = Workspace(GRADER_DIR / "frozen").copy()
    expected = frozen.ask("driver.mjs", [{**each, "style": "callbacks"} for each in questions])
    actual = grader.work.ask("driver.mjs", [{**each, "style": "promises"} for each in questions])
    for number, (one, other) in enumerate(zip(actual, expected, strict=True), 1):
        if not isinstance(other, dict | list):
            raise AssertionError(f"the frozen copy fails in scene {number}: {other!r}")
        grader.check(one == other, f"scene {number}: {difference(one, other)}")


def own_backends():
    """Scenes on the backends that larder brings along."""
    rng = random.Random(SEED)
    for number in range(12):
        yield {
            "question": "own",
            "backend": "file" if number % 2 else "memory",
            "options": {"compactEvery": 6} if number % 3 == 0 else {},
            "waves": [
                [["put", "jam", {"n": number}, {}], ["attach", "jam", "a/b", "text"]],
                [operation(rng) for _ in range(8)],
            ],
        }


def difference(actual, expected) -> str:
    """Where two answers part, in few words."""
    if not isinstance(actual, dict) or not isinstance(expected, dict):
        return f"expected {expected!r}, received {actual!r}"
    for field, right in expected.items():
        if actual.get(field) != right:
            return f"{field}: expected {right!r}, received {actual.get(field)!r}"
    return "more fields than expected"


if __name__ == "__main__":
    main(grade)
