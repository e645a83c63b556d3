"""The kinds of rules: each knows its fields and what it takes off a basket."""


class Rule:
    """What all rules have."""

    def __init__(self, data):
        self.data = data
        self.name = data["id"]
        self.order = (-data.get("priority", 0), data["id"])
        self.exclusive = data.get("exclusive")

    def obstacle(self, customer, today):
        """Why the rule is not for this customer on this day, if it is not."""
        return None

    def apply(self, basket):
        """Take off the basket what this rule gives."""


class PercentOff(Rule):
    pass


class AmountOff(Rule):
    pass


class QuantityTiers(Rule):
    pass


class Multibuy(Rule):
    pass


class BundlePrice(Rule):
    pass


class BasketReward(Rule):
    pass


RULE_KINDS = {
    "percent-off": PercentOff,
    "amount-off": AmountOff,
    "multibuy": Multibuy,
    "bundle-price": BundlePrice,
    "quantity-tiers": QuantityTiers,
    "basket-reward": BasketReward,
}
