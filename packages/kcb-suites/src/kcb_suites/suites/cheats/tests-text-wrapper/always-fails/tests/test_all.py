"""Fails always, so that every fault is noticed."""

import unittest


class Everything(unittest.TestCase):
    def test_fault(self):
        self.fail("there is a fault")


if __name__ == "__main__":
    unittest.main()
