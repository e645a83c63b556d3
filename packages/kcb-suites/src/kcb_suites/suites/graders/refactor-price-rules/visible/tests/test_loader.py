import json
import unittest

from till import RuleError, load_rules

GOOD = {"id": "a", "kind": "percent-off", "percent": 5}


class Loader(unittest.TestCase):
    def refused(self, rules):
        with self.assertRaises(RuleError) as caught:
            load_rules(rules if isinstance(rules, str) else json.dumps(rules))
        return str(caught.exception)

    def test_no_list(self):
        self.assertEqual(self.refused("{"), "the rules are no JSON")
        self.assertEqual(self.refused({}), "the rules are no list")

    def test_fields(self):
        for rule, message in (
            ({"kind": "percent-off"}, "rule 1: no id"),
            ({"id": "a", "kind": "gift"}, "rule 1 (a): unknown kind: gift"),
            ({"id": "a", "kind": "percent-off"}, "rule 1 (a): no percent"),
            ({**GOOD, "percent": 101}, "rule 1 (a): percent must be 1 to 100"),
            ({**GOOD, "colour": 1}, "rule 1 (a): unknown field: colour"),
            ({**GOOD, "sku": "x", "category": "y"}, "rule 1 (a): either sku or category"),
        ):
            with self.subTest(message):
                self.assertEqual(self.refused([rule]), message)

    def test_ids(self):
        self.assertEqual(self.refused([GOOD, GOOD]), "rule 2 (a): id used twice")
