"""Queries: see docs/QUERY.md."""
from jotter.query.errors import QuerySyntaxError
from jotter.query.parser import parse
__all__ = ['QuerySyntaxError', 'explain', 'parse']

def explain(text):
    """The query as it was understood, with all the parentheses."""
    return None
