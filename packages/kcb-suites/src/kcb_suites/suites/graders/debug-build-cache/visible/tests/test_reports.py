"""What users told us. They fail as long as it is not mended."""

import unittest

from tests.helpers import ProjectCase


class Reports(ProjectCase):
    def test_a_change_comes_through_at_once(self):
        self.project(
            {
                "copy": {"inputs": ["a"], "steps": ["cp a b"], "outputs": ["b"]},
                "again": {"needs": ["copy"], "steps": ["cp b c"], "outputs": ["c"]},
            }
        )
        self.write("a", "one")
        self.kiln("build")
        self.assertEqual(self.kiln("build"), (0, "fresh copy\nfresh again\n"))
        self.write("a", "two")
        self.assertEqual(self.kiln("build"), (0, "built copy\nbuilt again\n"))
        self.assertEqual(self.read("c"), "two")

    def test_a_line_moves_to_the_next_file(self):
        self.project({"join": {"inputs": ["t/*"], "steps": ["wc -l t/* > n"], "outputs": ["n"]}})
        self.write("t/a", "1\n2\n")
        self.write("t/b", "3\n")
        self.kiln("build")
        self.write("t/a", "1\n")
        self.write("t/b", "2\n3\n")
        self.assertEqual(self.kiln("build"), (0, "built join\n"))


if __name__ == "__main__":
    unittest.main()
