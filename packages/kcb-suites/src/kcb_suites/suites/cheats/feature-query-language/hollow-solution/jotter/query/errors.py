"""What is wrong with a query, and where."""

class QuerySyntaxError(ValueError):
    """``position`` is in characters from the beginning of the query, from 0."""

    def __init__(self, message, position):
        return None
