"""Plays what happens to one project, and says what was seen on the way."""

import contextlib
import io
import json
import os
import shutil
import tempfile
from pathlib import Path

from kiln.cli import main

PATH = os.environ["PATH"]


def kiln(folder, variables, arguments):
    out, err = io.StringIO(), io.StringIO()
    os.environ.clear()
    os.environ.update({"PATH": PATH, **variables})
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["--project", str(folder), *arguments])
    said = out.getvalue().splitlines()
    return [status, *said, *(err.getvalue().splitlines() if status == 2 else [])]


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def edit_in_place(folder, name, text):
    with open(folder / name, "r+", encoding="utf-8") as file:
        file.truncate()
        file.write(text)


def damage(folder, kind):
    for path in sorted((folder / ".kiln").rglob("*")):
        if path.is_file() and path.parent.name == kind:
            os.chmod(path, 0o644)
            path.write_text("damaged", encoding="utf-8")


class Play:
    """One project."""

    def __init__(self, folder):
        self.folder = folder
        self.variables = {}
        self.seen = []

    def project(self, targets, *env):
        write(self.folder, "kiln.json", json.dumps({"env": env, "targets": targets}))

    def text(self, name, text):
        write(self.folder, name, text)

    def edit(self, name, text):
        edit_in_place(self.folder, name, text)

    def remove(self, name):
        (self.folder / name).unlink()

    def mode(self, name, mode):
        os.chmod(self.folder / name, int(mode, 8))

    def env(self, variables):
        self.variables = variables

    def damage(self, kind):
        damage(self.folder, kind)

    def move(self):
        target = self.folder.with_name("elsewhere")
        shutil.move(str(self.folder), str(target))
        self.folder = target

    def run(self, *arguments):
        self.seen.append(kiln(self.folder, self.variables, arguments))

    def read(self, *names):
        for name in names:
            path = self.folder / name
            self.seen.append(path.read_text("utf-8") if path.is_file() else None)

    def executable(self, name):
        self.seen.append(bool((self.folder / name).stat().st_mode & 0o100))


def answer(question):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        folder.mkdir()
        play = Play(folder)
        for name, *arguments in question:
            getattr(play, name)(*arguments)
        return play.seen
