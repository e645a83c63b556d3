"""No test is loaded."""

import unittest


def load_tests(loader, standard_tests, pattern):
    return unittest.TestSuite()
