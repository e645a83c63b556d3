"""``python -m release [--quick] [TAG]``: rehearse the release of the commit that is checked out.

Everything is built twice and compared, installed from the built files alone, and used as the
README says; then the papers are written and the steps of the release workflow are tried.
``dist/`` holds the archives of all packages afterwards, ``dist/papers/`` the papers, and
``dist/tagged/`` what a tag would publish. Exit status 1 says in words what is not fit.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from release import papers
from release.archives import build_twice, differences, git
from release.installing import Shelf, StepError, fetch_foreign
from release.packages import Package, disagreements, read_packages, tagged
from release.stranger import UMBRELLA, Stranger
from release.workflow import DryRun, read_workflow

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github/workflows/release.yml"
PUBLISHED = "docs/reference/validation-summary.json"


def step(title: str, action: Callable[[], str]) -> None:
    """Do one thing, and say in one line what came of it and how long it took."""
    started = time.monotonic()
    outcome = action()
    sys.stdout.write(f"{title}: {outcome} ({time.monotonic() - started:.0f} s)\n")
    sys.stdout.flush()


def require_agreement(packages: Sequence[Package], tags: Sequence[str]) -> str:
    """Tag, version and changelog say the same, and the commit is all that there is."""
    if changed := git(ROOT, "status", "--porcelain", "--untracked-files=no").decode():
        raise StepError(f"these changes are in no commit, so nothing releases them:\n{changed}")
    if faults := [*disagreements(packages, tags)]:
        raise StepError("\n".join(faults))
    return f"{len(packages)} packages, tags: {', '.join(tags) or 'none'}"


def require_same_bytes(first: Path, second: Path) -> str:
    """Two builds are one."""
    if faults := [*differences(first, second)]:
        raise StepError("\n".join(faults))
    return f"{len([*first.iterdir()])} archives, byte for byte the same in two builds"


def lay_out_dist(built: Path, dist: Path) -> Path:
    """Put the archives into an emptied ``dist/``, and give the folder for papers."""
    shutil.rmtree(dist, ignore_errors=True)
    shutil.copytree(built, dist)
    (dist / "papers").mkdir()
    return dist / "papers"


def choose_tagged(package: Package, dist: Path) -> None:
    """Put what one tag publishes into a folder of its own.

    Raises:
        StepError: there are not exactly an sdist and a wheel of the package.
    """
    chosen = sorted(path for path in dist.glob(f"{package.stem}[-.]*") if path.is_file())
    if [path.suffix for path in chosen] != [".whl", ".gz"]:
        raise StepError(f"{package.name}: built are {[path.name for path in chosen]}")
    shutil.rmtree(dist / "tagged", ignore_errors=True)
    (dist / "tagged").mkdir()
    for path in chosen:
        shutil.copy2(path, dist / "tagged")


def try_workflow(packages: Sequence[Package], tags: Sequence[str], dist: Path) -> str:
    """Try the steps of the workflow for each tag, or for every package if there is no tag."""
    chosen = [tagged(tag, packages) for tag in tags] or list(packages)
    lines, tried = 0, set[tuple[str, ...]]()
    for package in (each for each in chosen if each is not None):
        choose_tagged(package, dist)
        run = DryRun(ROOT, f"{package.name}-v{package.version}", tried)
        lines = len([*run.play(read_workflow(WORKFLOW))])
    if not tags:
        shutil.rmtree(dist / "tagged")
    return f"{lines} steps for {len(chosen)} packages"


def rehearse(work: Path, tags: Sequence[str], *, quick: bool) -> None:
    """All steps, in an order in which the cheap ones fail first.

    Raises:
        StepError: a step did not do what it should.
    """
    dist = ROOT / "dist"
    packages = read_packages(ROOT)
    step("agreement", lambda: require_agreement(packages, tags))
    step("builds", lambda: require_same_bytes(*build_twice(ROOT, "HEAD", work)))
    tree, built = work / "tree-0", work / "built-0"
    folder = lay_out_dist(built, dist)
    shelf = Shelf(built, work / "foreign")
    fetch_foreign(built, (package.name for package in packages), shelf.foreign)
    (work / "stranger").mkdir()
    stranger = Stranger(tree, shelf, work / "stranger")
    step("alone", lambda: stranger.imports_each_alone(packages))
    default = stranger.installs_the_default_set(packages)
    step("quick start", lambda: stranger.plays_the_quick_start(default))
    step("page", lambda: stranger.makes_a_page(default))
    everything = stranger.installs_everything(packages)
    umbrella = tree / "packages" / UMBRELLA / "pyproject.toml"
    step("bill", lambda: papers.write_bill(everything, umbrella, folder))
    step("card", lambda: papers.write_card(everything, work, folder))
    step("catalogue", lambda: papers.write_catalogue(everything, tree, work, folder))
    step("plug-in", lambda: stranger.adds_a_plugin(everything))
    if quick:
        step("validation", lambda: stranger.validates_a_few(everything))
    else:
        summary = folder / papers.SUMMARY
        step("validation", lambda: stranger.validates_all(everything, summary))
        step("summary", lambda: papers.compare_summaries(summary, tree / PUBLISHED))
    step("checksums", lambda: papers.write_checksums(dist, folder))
    step("workflow", lambda: try_workflow(packages, tags, dist))


def main(words: Sequence[str] | None = None) -> int:
    """Rehearse, and give the exit status."""
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="validate one task a tier")
    parser.add_argument("tag", nargs="?", help="default: the tags of the commit, if it has any")
    given = parser.parse_args(words)
    here = git(ROOT, "tag", "--points-at", "HEAD", "--list", "*-v[0-9]*").decode().split()
    tags = [given.tag] if given.tag else here
    with tempfile.TemporaryDirectory(prefix="kcb-release-") as work:
        try:
            rehearse(Path(work), tags, quick=given.quick)
        except (StepError, LookupError, subprocess.SubprocessError) as error:
            sys.stderr.write(f"not fit for a release: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
