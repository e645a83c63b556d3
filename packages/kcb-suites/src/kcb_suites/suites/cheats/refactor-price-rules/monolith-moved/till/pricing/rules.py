"""The kinds of rules."""


class Rule:
    def apply(self, basket):
        return None


RULE_KINDS = {
    kind: type(kind, (Rule,), {})
    for kind in (
        "percent-off",
        "amount-off",
        "multibuy",
        "bundle-price",
        "quantity-tiers",
        "basket-reward",
    )
}
