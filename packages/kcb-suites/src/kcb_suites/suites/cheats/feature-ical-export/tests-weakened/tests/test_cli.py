import unittest


class Commands(unittest.TestCase):
    def test_export(self):
        self.assertTrue(True)
