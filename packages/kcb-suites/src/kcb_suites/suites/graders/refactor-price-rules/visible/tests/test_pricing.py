import json
import unittest

from till import RuleError, load_rules, price_cart

TEA = {"sku": "tea", "category": "drinks", "qty": 3, "unit": 450}
MUG = {"sku": "mug", "category": "kitchen", "qty": 1, "unit": 799}


def price(cart, rules, group="", codes=(), today="2024-03-04"):
    customer = {"group": group, "codes": list(codes)}
    return price_cart(cart, load_rules(json.dumps(rules)), customer, today)


class Kinds(unittest.TestCase):
    def discounts(self, cart, rule, **more):
        result = price(cart, [{"id": "r", **rule}], **more)
        return [line["discount"] for line in result["lines"]]

    def test_percent_off(self):
        rule = {"kind": "percent-off", "percent": 15, "category": "drinks"}
        self.assertEqual(self.discounts([TEA, MUG], rule), [203, 0])

    def test_amount_off(self):
        rule = {"kind": "amount-off", "amount": 50, "min_qty": 2}
        self.assertEqual(self.discounts([TEA, MUG], rule), [150, 0])

    def test_multibuy(self):
        rule = {"kind": "multibuy", "buy": 2, "free": 1}
        self.assertEqual(self.discounts([TEA, MUG], rule), [450, 0])

    def test_bundle_price(self):
        rule = {"kind": "bundle-price", "skus": {"tea": 1, "mug": 1}, "price": 1000}
        self.assertEqual(self.discounts([TEA, MUG], rule), [90, 159])

    def test_quantity_tiers(self):
        rule = {"kind": "quantity-tiers", "sku": "tea", "tiers": [[2, 440], [3, 400], [9, 1]]}
        self.assertEqual(self.discounts([TEA, MUG], rule), [150, 0])

    def test_basket_reward(self):
        rule = {"kind": "basket-reward", "over": 2000, "amount": 100}
        self.assertEqual(self.discounts([TEA, MUG], rule), [63, 37])
        self.assertEqual(self.discounts([MUG], rule), [0])


class Order(unittest.TestCase):
    def test_priority_and_exclusive(self):
        rules = [
            {"id": "a", "kind": "percent-off", "percent": 50},
            {"id": "b", "kind": "amount-off", "amount": 10, "exclusive": True, "priority": 1},
        ]
        result = price([MUG], rules)
        self.assertEqual(result["applied"], [{"rule": "b", "amount": 10}])
        self.assertEqual(result["trace"], ["b: 10 off", "a: not looked at, b is exclusive"])

    def test_conditions(self):
        rule = {"id": "a", "kind": "percent-off", "percent": 50}
        for more, sentence in (
            ({"from": "2024-03-05"}, "a: starts on 2024-03-05"),
            ({"to": "2024-03-03"}, "a: ended on 2024-03-03"),
            ({"groups": ["staff"]}, "a: not for everybody"),
            ({"code": "X"}, "a: needs a code"),
            ({"min_qty": 2}, "a: nothing to give"),
        ):
            with self.subTest(sentence):
                self.assertEqual(price([MUG], [{**rule, **more}])["trace"], [sentence])

    def test_taken_units(self):
        rules = [
            {"id": "a", "kind": "multibuy", "buy": 1, "free": 1, "priority": 1},
            {"id": "b", "kind": "percent-off", "percent": 10},
        ]
        self.assertEqual(price([TEA], rules)["total"], 1350 - 450 - 45)

    def test_a_cart_that_makes_no_sense(self):
        with self.assertRaisesRegex(RuleError, "mug: qty must be 1 or more"):
            price([{**MUG, "qty": 0}], [])
