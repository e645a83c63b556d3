"""Rules from JSON."""

import json
import re

from till.errors import RuleError

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def load_rules(text):
    """The rules of a JSON text, checked."""
    try:
        rules = json.loads(text)
    except ValueError:
        raise RuleError("the rules are no JSON") from None
    if not isinstance(rules, list):
        raise RuleError("the rules are no list")
    seen = []
    for number, rule in enumerate(rules, 1):
        if not isinstance(rule, dict):
            raise RuleError(f"rule {number}: no object")
        for field in ("id", "kind"):
            if not isinstance(rule.get(field), str) or not rule[field]:
                raise RuleError(f"rule {number}: no {field}")
        where = f"rule {number} ({rule['id']})"
        if rule["id"] in seen:
            raise RuleError(f"{where}: id used twice")
        seen.append(rule["id"])
        known = {"id", "kind", "priority", "from", "to", "groups", "code", "exclusive"}
        if rule["kind"] == "percent-off":
            known |= {"sku", "category", "percent", "min_qty"}
            if "percent" not in rule:
                raise RuleError(f"{where}: no percent")
            if not _whole(rule["percent"], 1) or rule["percent"] > 100:
                raise RuleError(f"{where}: percent must be 1 to 100")
            if not _whole(rule.get("min_qty", 1), 1):
                raise RuleError(f"{where}: min_qty must be a whole number from 1")
        elif rule["kind"] == "amount-off":
            known |= {"sku", "category", "amount", "min_qty"}
            if "amount" not in rule:
                raise RuleError(f"{where}: no amount")
            if not _whole(rule["amount"], 1):
                raise RuleError(f"{where}: amount must be a whole number from 1")
            if not _whole(rule.get("min_qty", 1), 1):
                raise RuleError(f"{where}: min_qty must be a whole number from 1")
        elif rule["kind"] == "multibuy":
            known |= {"sku", "category", "buy", "free", "limit"}
            for field in ("buy", "free"):
                if field not in rule:
                    raise RuleError(f"{where}: no {field}")
                if not _whole(rule[field], 1):
                    raise RuleError(f"{where}: {field} must be a whole number from 1")
            if not _whole(rule.get("limit", 1), 1):
                raise RuleError(f"{where}: limit must be a whole number from 1")
        elif rule["kind"] == "bundle-price":
            known |= {"skus", "price", "limit"}
            for field in ("skus", "price"):
                if field not in rule:
                    raise RuleError(f"{where}: no {field}")
            skus = rule["skus"]
            if not isinstance(skus, dict) or not skus:
                raise RuleError(f"{where}: skus must be an object of numbers")
            if not all(_whole(n, 1) for n in skus.values()):
                raise RuleError(f"{where}: skus must be an object of numbers")
            if not _whole(rule["price"], 0):
                raise RuleError(f"{where}: price must be a whole number from 0")
            if not _whole(rule.get("limit", 1), 1):
                raise RuleError(f"{where}: limit must be a whole number from 1")
        elif rule["kind"] == "quantity-tiers":
            known |= {"sku", "category", "tiers"}
            if "tiers" not in rule:
                raise RuleError(f"{where}: no tiers")
            tiers = rule["tiers"]
            if not isinstance(tiers, list) or not tiers:
                raise RuleError(f"{where}: tiers must be a list of [qty, price]")
            for tier in tiers:
                if not isinstance(tier, list) or len(tier) != 2:
                    raise RuleError(f"{where}: tiers must be a list of [qty, price]")
                if not _whole(tier[0], 1) or not _whole(tier[1], 0):
                    raise RuleError(f"{where}: tiers must be a list of [qty, price]")
            if [t[0] for t in tiers] != sorted({t[0] for t in tiers}):
                raise RuleError(f"{where}: tiers must rise")
        elif rule["kind"] == "basket-reward":
            known |= {"over", "amount", "percent", "cap"}
            if "over" not in rule:
                raise RuleError(f"{where}: no over")
            if not _whole(rule["over"], 0):
                raise RuleError(f"{where}: over must be a whole number from 0")
            if ("amount" in rule) == ("percent" in rule):
                raise RuleError(f"{where}: either amount or percent")
            if "amount" in rule and not _whole(rule["amount"], 1):
                raise RuleError(f"{where}: amount must be a whole number from 1")
            if "percent" in rule and (not _whole(rule["percent"], 1) or rule["percent"] > 100):
                raise RuleError(f"{where}: percent must be 1 to 100")
            if not _whole(rule.get("cap", 1), 1):
                raise RuleError(f"{where}: cap must be a whole number from 1")
        else:
            raise RuleError(f"{where}: unknown kind: {rule['kind']}")
        for field in rule:
            if field not in known:
                raise RuleError(f"{where}: unknown field: {field}")
        if "sku" in rule and "category" in rule:
            raise RuleError(f"{where}: either sku or category")
        if not _whole(rule.get("priority", 0), None):
            raise RuleError(f"{where}: priority must be a whole number")
        for field in ("from", "to"):
            if field in rule and not DATE.fullmatch(str(rule[field])):
                raise RuleError(f"{where}: {field} must be a date")
        if not isinstance(rule.get("groups", []), list):
            raise RuleError(f"{where}: groups must be a list")
    return rules


def _whole(value, least):
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return least is None or value >= least
