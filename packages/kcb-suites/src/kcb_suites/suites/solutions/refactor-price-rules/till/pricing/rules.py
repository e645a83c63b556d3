"""The kinds of rules: each knows its fields and what it takes off a basket."""

from till.errors import RuleError
from till.pricing import fields

COMMON = {"id", "kind", "priority", "from", "to", "groups", "code", "exclusive"}
TARGET = {"sku", "category"}


class Rule:
    """What all rules have; ``data`` is the object of the JSON file."""

    own_fields: set[str] = set()

    def __init__(self, data):
        self.check(data)
        fields.common(data, COMMON | self.own_fields)
        self.data = data
        self.name = data["id"]
        self.order = (-data.get("priority", 0), data["id"])
        self.exclusive = data.get("exclusive")

    def check(self, data):
        """Raise ``RuleError`` if a field of this kind is missing or wrong."""
        raise NotImplementedError

    def apply(self, basket):
        """Take off the basket what this rule gives."""
        raise NotImplementedError

    def obstacle(self, customer, today):
        """Why the rule is not for this customer on this day, if it is not."""
        data = self.data
        if "from" in data and today < data["from"]:
            return f"starts on {data['from']}"
        if "to" in data and today > data["to"]:
            return f"ended on {data['to']}"
        if data.get("groups") and customer.get("group") not in data["groups"]:
            return f"not for {customer.get('group') or 'everybody'}"
        if "code" in data and data["code"] not in customer.get("codes", []):
            return "needs a code"
        return None

    def is_for(self, line):
        """Whether the line is among those that the rule is for."""
        return all(
            self.data.get(name, getattr(line, name)) == getattr(line, name) for name in TARGET
        )


class LineRule(Rule):
    """A rule that looks at each line by itself."""

    def apply(self, basket):
        for line in basket.lines:
            if self.is_for(line) and line.free >= self.data.get("min_qty", 1):
                line.take_off(self.amount(line))

    def amount(self, line):
        """What the free units of the line become cheaper by."""
        raise NotImplementedError


class PercentOff(LineRule):
    own_fields = TARGET | {"percent", "min_qty"}

    def check(self, data):
        fields.required(data, "percent")
        fields.percentage(data, "percent")
        fields.whole(data, "min_qty", 1)

    def amount(self, line):
        return (line.free * line.unit * self.data["percent"] + 50) // 100


class AmountOff(LineRule):
    own_fields = TARGET | {"amount", "min_qty"}

    def check(self, data):
        fields.required(data, "amount")
        fields.whole(data, "amount", 1)
        fields.whole(data, "min_qty", 1)

    def amount(self, line):
        return line.free * min(self.data["amount"], line.unit)


class QuantityTiers(LineRule):
    own_fields = TARGET | {"tiers"}

    def check(self, data):
        fields.required(data, "tiers")
        fields.rising_tiers(data)

    def amount(self, line):
        prices = [price for least, price in self.data["tiers"] if line.free >= least]
        return line.free * max(0, line.unit - prices[-1]) if prices else 0


class Multibuy(Rule):
    own_fields = TARGET | {"buy", "free", "limit"}

    def check(self, data):
        for name in ("buy", "free"):
            fields.required(data, name)
            fields.whole(data, name, 1)
        fields.whole(data, "limit", 1)

    def apply(self, basket):
        units = [line for line in basket.lines if self.is_for(line) for _ in range(line.free)]
        units.sort(key=lambda line: -line.unit)
        size = self.data["buy"] + self.data["free"]
        groups = len(units) // size
        for start in range(0, size * min(groups, self.data.get("limit", groups)), size):
            group = units[start : start + size]
            for line in group:
                line.taken += 1
            for line in group[self.data["buy"] :]:
                line.take_off(line.unit)


class BundlePrice(Rule):
    own_fields = {"skus", "price", "limit"}

    def check(self, data):
        for name in ("skus", "price"):
            fields.required(data, name)
        fields.sku_numbers(data)
        fields.whole(data, "price", 0)
        fields.whole(data, "limit", 1)

    def apply(self, basket):
        sets = self._sets(basket)
        takes = [0] * len(basket.lines)
        for sku, number in self.data["skus"].items():
            need = number * sets
            for index, line in enumerate(basket.lines):
                if line.sku == sku:
                    takes[index] = min(need, line.free)
                    need -= takes[index]
        values = [take * line.unit for take, line in zip(takes, basket.lines, strict=True)]
        saving = sum(values) - sets * self.data["price"]
        if saving > 0:
            for line, take in zip(basket.lines, takes, strict=True):
                line.taken += take
            basket.spread(saving, values)

    def _sets(self, basket):
        """How many sets there are among the free units."""
        sets = min(
            sum(line.free for line in basket.lines if line.sku == sku) // number
            for sku, number in self.data["skus"].items()
        )
        return min(sets, self.data.get("limit", sets))


class BasketReward(Rule):
    own_fields = {"over", "amount", "percent", "cap"}

    def check(self, data):
        fields.required(data, "over")
        fields.whole(data, "over", 0)
        if ("amount" in data) == ("percent" in data):
            raise RuleError("either amount or percent")
        fields.whole(data, "amount", 1)
        fields.percentage(data, "percent")
        fields.whole(data, "cap", 1)

    def apply(self, basket):
        values = [line.left for line in basket.lines]
        worth = sum(values)
        if worth < self.data["over"]:
            return
        amount = self.data.get("amount")
        if amount is None:
            amount = (worth * self.data["percent"] + 50) // 100
        basket.spread(min(amount, self.data.get("cap", amount), worth), values)


RULE_KINDS = {
    "percent-off": PercentOff,
    "amount-off": AmountOff,
    "multibuy": Multibuy,
    "bundle-price": BundlePrice,
    "quantity-tiers": QuantityTiers,
    "basket-reward": BasketReward,
}
