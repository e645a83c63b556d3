"""What users told us."""

import unittest

from tests.helpers import ProjectCase


class Reports(ProjectCase):
    def test_a_change_comes_through_at_once(self):
        self.project({"copy": {"inputs": ["a"], "steps": ["cp a b"], "outputs": ["b"]}})
        self.write("a", "one")
        self.assertEqual(self.kiln("build")[0], 0)

    def test_a_line_moves_to_the_next_file(self):
        self.project({"join": {"inputs": ["t/*"], "steps": ["wc -l t/* > n"], "outputs": ["n"]}})
        self.write("t/a", "1\n2\n")
        self.assertIn(self.kiln("build")[1], ("built join\n", "fresh join\n"))


if __name__ == "__main__":
    unittest.main()
