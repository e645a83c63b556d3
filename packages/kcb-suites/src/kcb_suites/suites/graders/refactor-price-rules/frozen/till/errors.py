class RuleError(ValueError):
    """A rule, or a cart, that makes no sense."""
