"""Renders templates with the engine of the workspace; see cases.py for the questions."""

from types import SimpleNamespace

from quill import DictLoader, Engine, Safe, TemplateError


def answer(question):
    """One text; or, for ``names``, a text for each, rendered by one engine."""
    shared = question.get("shared", {})
    loader = DictLoader(question.get("templates", {}))
    engine = Engine(loader, autoescape=question.get("autoescape", False), shared=shared)
    if "names" in question:
        variables = question.get("variables") or [{} for _ in question["names"]]
        pairs = zip(question["names"], variables, strict=True)
        return [rendered(engine.render, name, values) for name, values in pairs]
    variables = question.get("variables", {})
    for name in question.get("objects", ()):
        variables[name] = SimpleNamespace(**variables[name])
    for name in question.get("safe", ()):
        variables[name] = Safe(variables[name])
    text = rendered(engine.render_text, question["source"], variables)
    return [text, variables, shared] if question.get("leftovers") else text


def rendered(render, what, variables):
    """The text, or the kind and the text of the error."""
    try:
        return str(render(what, variables))
    except TemplateError as error:
        return f"{type(error).__name__} {error}"
