"""Rules from JSON."""

import json

from till.errors import RuleError
from till.pricing.rules import RULE_KINDS


def load_rules(text):
    """The rules of a JSON text, checked."""
    try:
        rules = json.loads(text)
    except ValueError:
        raise RuleError("the rules are no JSON") from None
    if not isinstance(rules, list):
        raise RuleError("the rules are no list")
    loaded = []
    for number, data in enumerate(rules, 1):
        loaded.append(load_rule(number, data, {rule.name for rule in loaded}))
    return loaded


def load_rule(number, data, names):
    """One rule; ``names`` are those of the rules before."""
    if not isinstance(data, dict):
        raise RuleError(f"rule {number}: no object")
    for field in ("id", "kind"):
        if not isinstance(data.get(field), str) or not data[field]:
            raise RuleError(f"rule {number}: no {field}")
    try:
        if data["id"] in names:
            raise RuleError("id used twice")
        if data["kind"] not in RULE_KINDS:
            raise RuleError(f"unknown kind: {data['kind']}")
        return RULE_KINDS[data["kind"]](data)
    except RuleError as error:
        raise RuleError(f"rule {number} ({data['id']}): {error}") from None
