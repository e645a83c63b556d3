"""Making targets."""

import unittest

from kiln.globs import find

from tests.helpers import ProjectCase

JOIN = {"inputs": ["text/*.txt"], "steps": ["cat $KILN_INPUTS > out/all"], "outputs": ["out/all"]}
COUNT = {"needs": ["join"], "steps": ["wc -l < out/all > out/count"], "outputs": ["out/count"]}


class Building(ProjectCase):
    def setUp(self):
        super().setUp()
        self.project({"join": JOIN, "count": COUNT})
        self.write("text/a.txt", "one\n")
        self.write("text/b.txt", "two\n")

    def test_built_then_fresh(self):
        self.assertEqual(self.kiln("build"), (0, "built join\nbuilt count\n"))
        self.assertEqual(self.read("out/all"), "one\ntwo\n")
        self.assertEqual(self.kiln("build", "join"), (0, "fresh join\n"))

    def test_restored(self):
        self.kiln("build")
        self.assertEqual(self.kiln("clean"), (0, ""))
        self.assertEqual(self.kiln("build"), (0, "restored join\nrestored count\n"))
        self.assertEqual(self.read("out/all"), "one\ntwo\n")

    def test_changed_input(self):
        self.kiln("build")
        self.write("text/a.txt", "three\n")
        self.assertEqual(self.kiln("why", "join"), (0, "input changed: text/a.txt\n"))
        self.assertEqual(self.kiln("build", "join"), (0, "built join\n"))

    def test_only_what_is_named(self):
        self.assertEqual(self.kiln("build", "join"), (0, "built join\n"))

    def test_failure(self):
        self.project({"bad": {"steps": ["exit 3"]}, "next": {"steps": ["true"]}})
        self.assertEqual(
            self.kiln("build"), (1, "failed bad: step 1 exited with 3\nskipped next\n")
        )

    def test_never_made(self):
        self.assertEqual(self.kiln("why", "join"), (0, "never made\n"))

    def test_wrong_projects(self):
        self.project({"a": {"steps": ["true"], "needs": ["b"]}})
        self.assertEqual(self.kiln("build")[0], 2)
        self.project({"a": {"steps": ["true"], "needs": ["a"]}})
        self.assertEqual(self.kiln("build")[0], 2)


class Globs(ProjectCase):
    def test_one_folder(self):
        for name in ("src/b.c", "src/a.c", "src/a.h", "src/.a.c"):
            self.write(name, "")
        self.assertEqual(find(self.folder, ["src/*.c"]), ["src/a.c", "src/b.c"])
        self.assertEqual(find(self.folder, ["src/a.?"]), ["src/a.c", "src/a.h"])

    def test_folders(self):
        for name in ("src/x/a.c", "src/x/y/b.c"):
            self.write(name, "")
        self.assertEqual(find(self.folder, ["src/**/*.c"]), ["src/x/a.c", "src/x/y/b.c"])


if __name__ == "__main__":
    unittest.main()
