"""What a stranger does with the files of a release, in a folder without the repository."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from release.installing import Environment, Shelf, StepError, uv
from release.packages import Package
from snippets import Player, blocks, section

UMBRELLA = "klein-code-bench"

#: Distributions with answers in them, which are not installed by default.
ANSWERS = frozenset({"kcb-references", "kcb-suites"})

TIERS = ("easy", "intermediate", "hard", "max")


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody with built files, an interpreter, and one folder.

    Args:
        tree: the files of the commit; only what a stranger reads is taken out of it.
        shelf: where everything is installed from.
        folder: where everything happens.
    """

    tree: Path
    shelf: Shelf
    folder: Path

    def imports_each_alone(self, packages: Iterable[Package]) -> str:
        """Install each package in an empty environment and import all of its modules."""
        probe = shutil.copy(self.tree / "tests/alone/import_all.py", self.folder)
        counted = 0
        for package in packages:
            environment = Environment.make(self.folder / "alone" / package.name)
            environment.install(self.shelf, package.name)
            words = ("-I", "-W", "error", probe, package.name)
            said = environment.run("python", *words, folder=self.folder)
            counted += int(re.findall(r"(\d+) modules imported", said)[0])
        return f"{counted} modules imported, each package in an environment of its own"

    def installs_the_default_set(self, packages: Iterable[Package]) -> Environment:
        """Install the umbrella: all packages must come but those with answers."""
        environment = Environment.make(self.folder / "default")
        environment.install(self.shelf, UMBRELLA)
        require_installed(environment.distributions(), packages, without=ANSWERS)
        return environment

    def plays_the_quick_start(self, environment: Environment) -> str:
        """Type what stands in the README under *Quick start*; the module is the same program."""
        words = ("list", "--subset", "easy")
        named = environment.run("klein-bench", *words, folder=self.folder)
        if named != environment.run("python", "-m", "klein_code_bench", *words, folder=self.folder):
            raise StepError("python -m klein_code_bench is another program than klein-bench")
        text = section((self.tree / "README.md").read_text("utf-8"), "## Quick start")
        player = Player(environment.programs, self.folder)
        played = [block for block in blocks(text, self.tree) if block.language == "console"]
        for difference in player.play(played):
            raise StepError(f"the README shows otherwise:\n{difference}")
        return f"{len(played)} blocks of the README, played as they stand there"

    def makes_a_page(self, environment: Environment) -> str:
        """Make the page on what the quick start has judged; it must need nothing from outside."""
        environment.run(
            "klein-bench", "report", "html", "results", "-o", "page.html", folder=self.folder
        )
        page = (self.folder / "page.html").read_text("utf-8")
        if "kcb-easy-001-word-frequency" not in page:
            raise StepError("the page does not name the task that was judged")
        if outside := loaded_from_outside(page):
            raise StepError(f"the page loads {outside[0]}")
        return f"a page of {len(page.encode()):,} bytes that loads nothing"

    def installs_everything(self, packages: Iterable[Package]) -> Environment:
        """Install the umbrella with all packages."""
        environment = Environment.make(self.folder / "all")
        environment.install(self.shelf, f"{UMBRELLA}[all]")
        require_installed(environment.distributions(), packages)
        return environment

    def validates_all(self, environment: Environment, summary: Path) -> str:
        """Hold the installed data against their sources, and validate every task with cheats."""
        (data,) = environment.place.glob("lib/python*/site-packages/kcb_tasks/data")
        checked = ("build", "--check", f"--output={data}")  # an installed folder has to be named
        environment.run("klein-bench", *checked, folder=self.folder)
        words = ("validate", "--cheats", "--agreement=2000", f"--output={summary}")
        environment.run("klein-bench", *words, folder=self.folder)
        tiers = json.loads(summary.read_text("utf-8"))["tiers"]
        return f"{sum(tier['references_resolved'] for tier in tiers)} references resolved"

    def validates_a_few(self, environment: Environment) -> str:
        """Of one task in each tier, the reference must be resolved and an empty project fail."""
        empty = self.folder / "empty"
        empty.mkdir()
        for tier in TIERS:
            listed = environment.run("klein-bench", "list", "--subset", tier, folder=self.folder)
            task, right = listed.split()[0], self.folder / "reference" / tier
            environment.run("klein-bench", "reference", task, "-o", right, folder=self.folder)
            for solution, status in ((right, 0), (empty, 1)):
                words = (
                    "evaluate",
                    task,
                    "--solution",
                    solution,
                    "-o",
                    f"few/{tier}-{status}.json",
                )
                environment.run("klein-bench", *words, folder=self.folder, status=status)
        return "one reference resolved in each tier, and no summary written"

    def adds_a_plugin(self, environment: Environment) -> str:
        """Build the example plug-in, install it, and put it through the house's own gates."""
        made = self.folder / "plugin"
        uv(
            "build",
            "--quiet",
            "--wheel",
            f"--out-dir={made}",
            str(self.tree / "examples/kcb-hello"),
        )
        environment.install(self.shelf, *map(str, made.glob("*.whl")))
        listed = environment.run("klein-bench", "list", folder=self.folder).split()
        wanted = {f"hello-{tier}-001-greeting" for tier in TIERS}
        if missing := wanted - set(listed):
            raise StepError(f"the plug-in's tasks are not listed: {', '.join(sorted(missing))}")
        words = ("validate", "--plugin", "hello", "--cheats", "--agreement=100")
        environment.run("klein-bench", *words, folder=self.folder)
        return "the tasks of kcb-hello are listed, and pass the gates"


def require_installed(
    found: Mapping[str, str], packages: Iterable[Package], *, without: Iterable[str] = ()
) -> None:
    """Of our packages, those that belong together are there in these versions, and no others.

    Raises:
        StepError: a package is missing, of another version, or one too many.
    """
    left_out = set(without)
    known = {package.name: package.version for package in packages}
    wanted = {name: version for name, version in known.items() if name not in left_out}
    present = {name: version for name, version in found.items() if name in known}
    if present != wanted:
        raise StepError(f"installed are {present}, and should be {wanted}")


def loaded_from_outside(page: str) -> list[str]:
    """Addresses that a browser would load by itself; links that somebody may follow are none."""
    loads = r"(?:\bsrc\s*=\s*|<link\b[^>]*\bhref\s*=\s*|@import\s+|url\()"
    address = r"[a-z]*:?//[^\"')\s]+"
    return re.findall(rf"{loads}[\"']?({address})", page)
