"""Prices. It grew over the years; every rule is in here somewhere."""

from till.errors import RuleError

HOOKS = []

_trace = []
_applied = []
_lines = []


def add_hook(callback):
    """Have ``callback`` called with each sentence of the trace."""
    HOOKS.append(callback)


def remove_hook(callback):
    HOOKS.remove(callback)


def _say(text):
    _trace.append(text)
    for hook in HOOKS:
        hook(text)


def price_cart(cart, rules, customer, today):
    """What the cart costs; see README.md."""
    global _trace, _applied, _lines
    _trace = []
    _applied = []
    _lines = []
    for item in cart:
        if item["qty"] < 1:
            raise RuleError(f"{item['sku']}: qty must be 1 or more")
        if item["unit"] < 0:
            raise RuleError(f"{item['sku']}: unit must not be negative")
        _lines.append({**item, "off": 0, "taken": 0})
    stopped_by = None
    for rule in sorted(rules, key=lambda r: (-r.get("priority", 0), r["id"])):
        name = rule["id"]
        if stopped_by is not None:
            _say(f"{name}: not looked at, {stopped_by} is exclusive")
            continue
        if "from" in rule and today < rule["from"]:
            _say(f"{name}: starts on {rule['from']}")
            continue
        if "to" in rule and today > rule["to"]:
            _say(f"{name}: ended on {rule['to']}")
            continue
        if rule.get("groups") and customer.get("group") not in rule["groups"]:
            _say(f"{name}: not for {customer.get('group') or 'everybody'}")
            continue
        if "code" in rule and rule["code"] not in customer.get("codes", []):
            _say(f"{name}: needs a code")
            continue
        before = sum(line["off"] for line in _lines)
        if rule["kind"] == "percent-off":
            for line in _lines:
                if "sku" in rule and line["sku"] != rule["sku"]:
                    continue
                if "category" in rule and line["category"] != rule["category"]:
                    continue
                n = line["qty"] - line["taken"]
                if n < rule.get("min_qty", 1):
                    continue
                amount = (n * line["unit"] * rule["percent"] + 50) // 100
                left = line["qty"] * line["unit"] - line["off"]
                line["off"] += min(amount, left)
        elif rule["kind"] == "amount-off":
            for line in _lines:
                if "sku" in rule and line["sku"] != rule["sku"]:
                    continue
                if "category" in rule and line["category"] != rule["category"]:
                    continue
                n = line["qty"] - line["taken"]
                if n < rule.get("min_qty", 1):
                    continue
                amount = n * min(rule["amount"], line["unit"])
                left = line["qty"] * line["unit"] - line["off"]
                line["off"] += min(amount, left)
        elif rule["kind"] == "multibuy":
            units = []
            for index, line in enumerate(_lines):
                if "sku" in rule and line["sku"] != rule["sku"]:
                    continue
                if "category" in rule and line["category"] != rule["category"]:
                    continue
                units += [index] * (line["qty"] - line["taken"])
            units.sort(key=lambda i: -_lines[i]["unit"])
            size = rule["buy"] + rule["free"]
            groups = len(units) // size
            if "limit" in rule:
                groups = min(groups, rule["limit"])
            for g in range(groups):
                group = units[g * size : (g + 1) * size]
                for index in group:
                    _lines[index]["taken"] += 1
                for index in group[rule["buy"] :]:
                    line = _lines[index]
                    left = line["qty"] * line["unit"] - line["off"]
                    line["off"] += min(line["unit"], left)
        elif rule["kind"] == "bundle-price":
            sets = None
            for sku, n in rule["skus"].items():
                have = 0
                for line in _lines:
                    if line["sku"] == sku:
                        have += line["qty"] - line["taken"]
                if sets is None or have // n < sets:
                    sets = have // n
            if "limit" in rule:
                sets = min(sets, rule["limit"])
            values = [0] * len(_lines)
            takes = [0] * len(_lines)
            for sku, n in rule["skus"].items():
                need = n * sets
                for index, line in enumerate(_lines):
                    if line["sku"] == sku and need:
                        take = min(need, line["qty"] - line["taken"])
                        need -= take
                        takes[index] += take
                        values[index] += take * line["unit"]
            saving = sum(values) - sets * rule["price"]
            if saving > 0:
                for index, take in enumerate(takes):
                    _lines[index]["taken"] += take
                _spread(saving, values)
        elif rule["kind"] == "quantity-tiers":
            for line in _lines:
                if "sku" in rule and line["sku"] != rule["sku"]:
                    continue
                if "category" in rule and line["category"] != rule["category"]:
                    continue
                n = line["qty"] - line["taken"]
                price = line["unit"]
                for least, tier_price in rule["tiers"]:
                    if n >= least:
                        price = tier_price
                if price < line["unit"]:
                    left = line["qty"] * line["unit"] - line["off"]
                    line["off"] += min(n * (line["unit"] - price), left)
        elif rule["kind"] == "basket-reward":
            values = [line["qty"] * line["unit"] - line["off"] for line in _lines]
            worth = sum(values)
            if worth >= rule["over"]:
                if "percent" in rule:
                    amount = (worth * rule["percent"] + 50) // 100
                else:
                    amount = rule["amount"]
                if "cap" in rule:
                    amount = min(amount, rule["cap"])
                _spread(min(amount, worth), values)
        else:
            raise RuleError(f"unknown kind: {rule['kind']}")
        got = sum(line["off"] for line in _lines) - before
        if got:
            _applied.append({"rule": name, "amount": got})
            _say(f"{name}: {got} off")
            if rule.get("exclusive"):
                stopped_by = name
        else:
            _say(f"{name}: nothing to give")
    subtotal = sum(line["qty"] * line["unit"] for line in _lines)
    discount = sum(line["off"] for line in _lines)
    return {
        "lines": [
            {
                "sku": line["sku"],
                "qty": line["qty"],
                "unit": line["unit"],
                "discount": line["off"],
                "total": line["qty"] * line["unit"] - line["off"],
            }
            for line in _lines
        ],
        "subtotal": subtotal,
        "discount": discount,
        "total": subtotal - discount,
        "applied": _applied,
        "trace": _trace,
    }


def _spread(amount, values):
    """Take ``amount`` off the lines in proportion to ``values``."""
    whole = sum(values)
    if not whole or amount <= 0:
        return
    parts = [amount * value // whole for value in values]
    rests = [amount * value % whole for value in values]
    for index in sorted(range(len(values)), key=lambda i: -rests[i])[: amount - sum(parts)]:
        parts[index] += 1
    for line, part in zip(_lines, parts, strict=True):
        left = line["qty"] * line["unit"] - line["off"]
        line["off"] += min(part, left)
