"""Tidies one file and says all of the result."""

from csvtidy import Options, tidy


def answer(question):
    result = tidy(question["text"], Options(**question.get("options", {})))
    said = {"text": result.text, "problems": result.problems, "summary": result.summary}
    return {key: said[key] for key in question["asked"]}
