"""Checks of the fields of a rule: each raises ``RuleError`` with what is wrong."""

import re

from till.errors import RuleError

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def is_whole(value, least=None):
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return least is None or value >= least


def required(data, *names):
    for name in names:
        if name not in data:
            raise RuleError(f"no {name}")


def whole(data, name, least):
    """A whole number; fields that are not there are no fault."""
    if name in data and not is_whole(data[name], least):
        raise RuleError(f"{name} must be a whole number from {least}")


def percentage(data, name):
    if name in data and (not is_whole(data[name], 1) or data[name] > 100):
        raise RuleError(f"{name} must be 1 to 100")


def sku_numbers(data):
    skus = data["skus"]
    if not isinstance(skus, dict) or not skus:
        raise RuleError("skus must be an object of numbers")
    if not all(is_whole(number, 1) for number in skus.values()):
        raise RuleError("skus must be an object of numbers")


def rising_tiers(data):
    tiers = data["tiers"]
    if not isinstance(tiers, list) or not tiers or not all(map(_is_tier, tiers)):
        raise RuleError("tiers must be a list of [qty, price]")
    quantities = [quantity for quantity, _ in tiers]
    if quantities != sorted(set(quantities)):
        raise RuleError("tiers must rise")


def common(data, known):
    """The fields that every rule may have, and that there are no others than ``known``."""
    for name in data:
        if name not in known:
            raise RuleError(f"unknown field: {name}")
    if "sku" in data and "category" in data:
        raise RuleError("either sku or category")
    if not is_whole(data.get("priority", 0)):
        raise RuleError("priority must be a whole number")
    for name in ("from", "to"):
        if name in data and not DATE.fullmatch(str(data[name])):
            raise RuleError(f"{name} must be a date")
    if not isinstance(data.get("groups", []), list):
        raise RuleError("groups must be a list")


def _is_tier(tier):
    if not isinstance(tier, list) or len(tier) != 2:
        return False
    return is_whole(tier[0], 1) and is_whole(tier[1], 0)
