"""Every check of this repository, one session each; continuous integration calls no others.

``nox --list`` shows them with the first line of each docstring.
Sessions work over the packages found in ``packages/*/pyproject.toml``: a new package is checked
as soon as it exists.
"""

import json
import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import nox

ROOT = Path(__file__).parent
PACKAGES = tuple(sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml")))
DIST = ROOT / "dist"

#: Packages that decide verdicts, and the share of their branches that their tests must take.
COVERED = ("kcb_core", "kcb_runner")
COVERED_PERCENT = 95

#: Modules of kcb_runner.launch that only real containers can show, measured with these.
CONTAINED = ("cgroups.py", "contained.py", "container.py", "image.py", "image_command.py")

#: Packages that use more of other people's code than the rest, which only tests can hold apart.
OUTSIDE = ("kcb-core", "kcb-agents", "kcb-score")

#: How modules are called that test a command line.
COMMAND_TESTS = ("test_cli", "test_*_command")

#: Interpreters beyond the one that runs nox; each has a session, skipped where it is missing.
OTHER_PYTHONS = ("3.12", "3.13")

#: What sessions and root tests share: the player of pages, and the rehearsal of a release.
TOOLS = ROOT / "tools"

#: Batteries of drills, the models that they are tried with, and where trials are kept.
BATTERIES = ROOT / "packages" / "kcb-suites" / "src" / "kcb_suites" / "batteries"
MODELS = ROOT / "packages" / "kcb-agents" / "src" / "kcb_agents" / "models.toml"
DRILL_MODELS = ROOT / ".github" / "drill-models.txt"
TRIALS = ROOT / "trials"

#: What runs everywhere; all other markers have sessions of their own.
QUICK = (
    *("-n", "2"),
    "-m",
    "not families and not flow and not export and not hostile and not remote and not container "
    "and not fuzz and not subjects and not browser and not programs and not kill9 "
    "and not harbor and not cohorts",
)

#: External programs in the versions that their presets are tested with.
TOOLCHAINS = ROOT / "packages/kcb-agents/src/kcb_agents/toolchain/toolchains.toml"

#: The Python that toolchains bring along.
TOOLCHAIN_PYTHON = nox.project.load_toml(TOOLCHAINS)["python"]

#: Harbor, and what lets it compose containers of Podman; neither runs on all Pythons of ours.
HARBOR = ("harbor==0.26.0", "podman-compose==1.6.0")
HARBOR_PYTHON = "3.13"

#: The Python of the image that Harbor's trials run in, for which wheels are fetched.
TRIAL_PYTHON = "3.11"

#: kcb-references with what makes mutants, without which the tests of mutants are skipped.
MUTANTS = ("--editable", f"{ROOT / 'packages' / 'kcb-references'}[mutants]")

#: kcb-score with what writes Parquet files, without which the tests of these are skipped.
PARQUET = ("--editable", f"{ROOT / 'packages' / 'kcb-score'}[parquet]")

#: kcb-runner with the engine of a cluster.
REMOTE = ("--editable", f"{ROOT / 'packages' / 'kcb-runner'}[remote]")

#: kcb-score with what makes pages, without which the tests of pages are skipped.
PAGES = ("--editable", f"{ROOT / 'packages' / 'kcb-score'}[pages]")

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv"
nox.options.reuse_venv = "yes"
nox.options.error_on_external_run = True

# Interpreters are what the machine has; nothing downloads one.
os.environ["UV_PYTHON_DOWNLOADS"] = "never"


def group(name: str) -> list[str]:
    """The requirements of one dependency group of the workspace."""
    return list(nox.project.dependency_groups(nox.project.load_toml(ROOT / "pyproject.toml"), name))


def editable() -> list[str]:
    """Installer arguments for every package of the workspace, editable."""
    return [argument for package in PACKAGES for argument in ("--editable", str(package))]


def wheel(package: Path) -> Path:
    """The wheel that the ``build`` session made of a package."""
    (found,) = DIST.glob(f"{package.name.replace('-', '_')}-*.whl")
    return found


def outside_requirements() -> list[str]:
    """What the packages declare, without each other."""
    names = tuple(package.name for package in PACKAGES)
    projects = [nox.project.load_toml(path / "pyproject.toml")["project"] for path in PACKAGES]
    lines = {line for project in projects for line in project["dependencies"]}
    return sorted(line for line in lines if not line.startswith(names))


def install_wheels(session: nox.Session, *packages: Path, beside: Sequence[str] = ()) -> None:
    """Install built wheels with their declared dependencies, siblings only as built here.

    Options and requirements in ``beside`` are part of the same resolution.
    """
    siblings = Path(session.create_tmp()) / "siblings.txt"
    siblings.write_text("".join(f"{p.name} @ {wheel(p).as_uri()}\n" for p in PACKAGES))
    wheels = (str(wheel(package)) for package in packages)
    session.install(f"--overrides={siblings}", *beside, *wheels)


def build_packages(session: nox.Session, *packages: Path) -> None:
    """Build an sdist of each package and, from that sdist, a wheel, into an emptied ``dist/``."""
    shutil.rmtree(DIST, ignore_errors=True)
    for package in packages:
        session.run("uv", "build", f"--out-dir={DIST}", str(package))


def make_environment(session: nox.Session, place: Path, *requirements: str, python: str) -> None:
    """A virtual environment of its own for an external program."""
    if not (place / "bin" / "python").exists():
        session.run("uv", "venv", "--quiet", f"--python={python}", str(place))
    session.run("uv", "pip", "install", "--quiet", f"--python={place}", *requirements)


def install_programs(session: nox.Session) -> Path:
    """A folder with the toolchain of every external program, as it is pinned.

    One that is there from another time and still is as it was pinned is not built again.
    """
    python = find_python(TOOLCHAIN_PYTHON)
    if python is None:
        session.skip(f"needs Python {TOOLCHAIN_PYTHON}, which toolchains bring along")
    folder = Path(session.cache_dir) / "toolchains"
    wanted = nox.project.load_toml(TOOLCHAINS)
    toolchain = ("klein-bench", "agents", "toolchain")
    for name in (*wanted["pip"], *wanted["npm"]):
        out = str(folder / name)
        verify = (*toolchain, "verify", name, out, "--closed")
        try:
            session.run(*verify, silent=True)
        except nox.command.CommandFailed:
            session.run(*toolchain, "build", name, f"--out={out}", f"--python={python}")
            session.run(*verify)
    return folder


def require_branches(session: nox.Session, report: Path, *, contained: bool = False) -> None:
    """End the session with an error if a covered package has too few of its branches taken.

    With ``contained``, only the modules for containers count; without, all others.
    """
    files = json.loads(report.read_text())["files"]
    counted = {path: e for path, e in files.items() if (Path(path).name in CONTAINED) is contained}
    for name in COVERED[-1:] if contained else COVERED:
        found = [entry["summary"] for path, entry in counted.items() if name in Path(path).parts]
        known = sum(summary["num_branches"] for summary in found)
        taken = sum(summary["covered_branches"] for summary in found)
        if known == 0:
            session.error(f"coverage measured no branch of {name}")
        percent = 100 * taken / known
        outcome = f"{name}: {taken} of {known} branches taken, {percent:.1f} %"
        if percent < COVERED_PERCENT:
            session.error(f"{outcome}; {COVERED_PERCENT} % required")
        session.log(outcome)


def find_python(version: str) -> str | None:
    """An installed interpreter: the newest under ``~/.pyenv/versions``, else one on the path."""
    found = {
        int(path.parts[-3].removeprefix(f"{version}.")): path
        for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
        if path.parts[-3].removeprefix(f"{version}.").isdigit()
    }
    return str(found[max(found)]) if found else shutil.which(f"python{version}")


def kept_reports() -> list[str]:
    """The folders of trial reports of all live trials that are kept."""
    return sorted(str(path) for path in TRIALS.glob("*/reports") if any(path.glob("*.json")))


@nox.session
def tests(session: nox.Session) -> None:
    """All packages' tests and the quick root tests in one environment, with branch coverage.

    Arguments after ``--`` go to pytest.
    Coverage is then not measured, since a part of the tests proves nothing about it.
    """
    session.install(*group("test"), *editable(), *MUTANTS, *PARQUET, *PAGES)
    if session.posargs:
        session.run("pytest", *QUICK, *session.posargs)
        return
    report = Path(session.create_tmp()) / "coverage.json"
    measured = [f"--cov={name}" for name in COVERED]
    reports = ["--cov-report=term:skip-covered", f"--cov-report=json:{report}"]
    session.run("pytest", *QUICK, *measured, "--cov-branch", *reports)
    require_branches(session, report)


def add_python_session(version: str) -> None:
    """Declare the session that runs the same tests on one further Python version."""
    path = find_python(version)

    def on_other_python(session: nox.Session) -> None:
        if path is None:
            session.skip(f"no Python {version} under ~/.pyenv/versions or on the path")
        session.install(*group("test"), *editable(), *MUTANTS, *PARQUET)
        session.run("pytest", *QUICK, *session.posargs)
        session.run("klein-bench", "build", "--check")
        session.run("klein-bench", "validate")

    on_other_python.__doc__ = (
        f"The same tests, data and references on Python {version}, skipped where it is missing."
    )
    backend = "none" if path is None else "uv"
    declare = nox.session(name=f"tests-{version}", python=path, venv_backend=backend, default=False)
    declare(on_other_python)


for other_python in OTHER_PYTHONS:
    add_python_session(other_python)


@nox.session
def flow(session: nox.Session) -> None:
    """Whole flows through several packages, and the pages of the docs as they are played.

    The other root tests are quick, and run with those of the packages in ``tests``.
    """
    session.install(*group("test"), *editable(), *PAGES)
    others = "not subjects and not programs and not cohorts and not kill9 and not harbor"
    chosen = ("-m", others, *session.posargs) if session.posargs else ("-m", "flow", "tests")
    session.run("pytest", "-n", "2", "--dist", "loadfile", *chosen)


@nox.session(default=False)
def subjects(session: nox.Session) -> None:
    """Every kind of agent hands in the reference of every easy task, and all are resolved."""
    session.install(*group("test"), *editable())
    session.run("pytest", "-m", "subjects", *(session.posargs or ["tests/test_subjects.py"]))


@nox.session(default=False)
def programs(session: nox.Session) -> None:
    """Real external programs hand in working projects by their presets; two tables of how.

    They are confined and metered, and ask what their presets say that they ask.
    """
    session.install(*group("test"), *editable())
    folder = install_programs(session)
    tests = session.posargs or ["tests/test_programs.py"]
    session.run("pytest", "-m", "programs", *tests, env={"KCB_PROGRAMS": str(folder)})
    if not session.posargs:
        tables = ("python", "-m", "presets", f"--programs={folder}")
        session.run(*tables, env={"PYTHONPATH": str(TOOLS)})


@nox.session(default=False)
def cohorts(session: nox.Session) -> None:
    """The checked-in experiments of external programs from plan to page, with the real ones."""
    session.install(*group("test"), *editable(), *PAGES)
    folder = install_programs(session)
    tests = session.posargs or ["tests/test_cohorts.py"]
    session.run("pytest", "-m", "cohorts", *tests, env={"KCB_PROGRAMS": str(folder)})


@nox.session(default=False, python=TOOLCHAIN_PYTHON)
def locks(session: nox.Session) -> None:
    """The lockfiles of toolchains anew, to be reviewed: all, or those that are named.

    ``nox -s locks -- codex node``
    """
    session.install("pip")
    session.run("python", "-m", "toolchain_locks", *session.posargs, env={"PYTHONPATH": str(TOOLS)})


@nox.session(default=False)
def harbor(session: nox.Session) -> None:
    """Tasks and cells in the real Harbor over Podman: references are rewarded, idle agents not."""
    programs, python = find_python(HARBOR_PYTHON), find_python(TRIAL_PYTHON)
    if programs is None or python is None:
        session.skip(f"needs Python {HARBOR_PYTHON} for Harbor and {TRIAL_PYTHON} for wheels")
    session.install(*group("test"), *editable())
    place = Path(session.create_tmp()) / "harbor"
    make_environment(session, place / "venv", *HARBOR, python=programs)
    shutil.rmtree(place / "wheels", ignore_errors=True)
    judging = [str(ROOT / "packages" / name) for name in ("kcb-core", "kcb-runner")]
    wheels = ("-m", "pip", "wheel", "--quiet", f"--wheel-dir={place / 'wheels'}")
    session.run(python, *wheels, *judging, external=True)
    session.run("klein-bench", "image", "build", "--tag=kcb-harbor-base", "--package=bash")
    podman = ("podman", "build", "--quiet", "--tag=localhost/kcb-harbor", "tests/harbor")
    conf = str(ROOT / "tests" / "harbor" / "containers.conf")
    ours = {
        "KCB_HARBOR": str(place / "venv/bin/harbor"),
        "KCB_HARBOR_WHEELS": str(place / "wheels"),
    }
    given = {"CONTAINERS_CONF": conf, **os.environ, **ours}
    session.run(*podman, env=given, external=True)
    session.run("pytest", "-m", "harbor", *(session.posargs or ["tests/test_harbor.py"]), env=given)


@nox.session(default=False)
def egress(session: nox.Session) -> None:
    """A subject with a network gets out by its proxy alone, in namespaces that the test makes.

    It needs root, nftables and iproute2; where the kernel refuses, what is skipped says so.
    """
    found = [path for version in OTHER_PYTHONS if (path := find_python(version))]
    if not found:
        session.skip(f"the proxy needs Python {' or '.join(OTHER_PYTHONS)}")
    session.install(*group("test"), *editable())
    asked = ("-c", "from kcb_agents.egress.component import PIN; print(PIN)")
    pin = str(session.run("python", *asked, silent=True)).strip()
    place = Path(session.create_tmp()) / "proxy"
    make_environment(session, place, pin, python=found[0])
    tests = [
        f"packages/kcb-agents/tests/{name}.py"
        for name in ("egress/test_live", "command/test_network")
    ]
    tests.append("packages/kcb-experiments/tests/test_egress.py")
    ours = {"KCB_EGRESS_NAMESPACE_TEST": "1", "KCB_EGRESS_PROXY": str(place)}
    session.run("pytest", "-n", "2", "--dist", "loadfile", *(session.posargs or tests), env=ours)


@nox.session
def kill9(session: nox.Session) -> None:
    """An experiment of 40 cells is killed at random instants: nothing is lost or counted twice.

    ``KCB_KILLS`` says how often, 20 times if it does not; ``KCB_SEED`` repeats the instants.
    """
    session.install(*group("test"), *editable())
    session.run("pytest", "-m", "kill9", *(session.posargs or ["tests/test_kill9.py"]))


@nox.session
def export(session: nox.Session) -> None:
    """The dataset as it is published, loaded with the real ``datasets`` library, offline."""
    session.install(*group("export"), *editable())
    tests = ["packages/kcb-tasks/tests/test_export_loads.py"]  # collecting all takes longer
    session.run("pytest", "-m", "export", *(session.posargs or tests))


@nox.session
def remote(session: nox.Session) -> None:
    """A real scheduler and two workers: lost ones, other software, too little confinement.

    Projects are judged there, and cells of experiments run.
    """
    session.install(*group("test"), *editable(), *REMOTE)
    tests = ["packages/kcb-runner/tests/test_remote.py"]
    tests.append("packages/kcb-experiments/tests/test_remote_executor.py")
    session.run("pytest", "-m", "remote", *(session.posargs or tests))


@nox.session
def families(session: nox.Session) -> None:
    """Conformance, invariants, wrong variants and evaluator coverage of every family."""
    session.install(*group("test"), *editable())
    session.run("pytest", "-n", "2", "-m", "families", *session.posargs)


@nox.session(default=False)
def container(session: nox.Session) -> None:
    """Real containers: conformance, hostile projects, clean-up; skipped where no engine answers.

    Projects are judged in them, and cells of experiments run.
    ``KCB_REQUIRE=container`` makes that a failure, and the branches of the launcher are counted.
    """
    session.install(*group("test"), *editable())
    tests = [f"packages/kcb-runner/tests/test_{name}.py" for name in ("container", "engine")]
    tests.append("packages/kcb-experiments/tests/test_container_executor.py")
    if session.posargs or "container" not in os.environ.get("KCB_REQUIRE", ""):
        session.run("pytest", *(session.posargs or tests))
        return
    report = Path(session.create_tmp()) / "coverage.json"
    measured = ["--cov=kcb_runner", "--cov-branch", f"--cov-report=json:{report}"]
    session.run("pytest", *tests, *measured)
    require_branches(session, report, contained=True)


@nox.session
def browser(session: nox.Session) -> None:
    """Pages in a real Chromium: clicked, typed at, looked over by axe; skipped where there is none.

    ``KCB_REQUIRE=browser`` makes that a failure, ``KCB_ARTIFACTS=DIR`` keeps screenshots.
    """
    session.install(*group("browser"), *editable(), *PAGES)
    tests = ["packages/kcb-score/tests/test_page_browser.py"]
    session.run("pytest", "-m", "browser", *(session.posargs or tests))


@nox.session
def hostile(session: nox.Session) -> None:
    """The whole corpus of hostile projects, under every launcher and level: verdicts and harm."""
    session.install(*group("test"), *editable())
    tests = ["packages/kcb-runner/tests/test_hostile.py"]
    session.run("pytest", "-n", "2", "-m", "hostile", *(session.posargs or tests))


@nox.session
def fuzz(session: nox.Session) -> None:
    """Ten thousand damaged report files: each is read or refused by its name, in one line."""
    session.install(*group("test"), *editable(), *PARQUET)
    tests = ["packages/kcb-score/tests/test_fuzz.py"]
    session.run("pytest", "-m", "fuzz", *(session.posargs or tests))


@nox.session
def suites(session: nox.Session) -> None:
    """Every manifest is valid; untouched fixtures fail, solutions pass, cheats fail, mutants die.

    No grader makes fewer than forty checks of a solution.
    Arguments after ``--`` go to ``klein-bench suite check``.
    """
    session.install(*group("test"), *editable())
    session.run("pytest", "packages/kcb-suites/tests/test_manifests_present.py")
    session.run("klein-bench", "suite", "vendor", "--check")
    session.run("klein-bench", "suite", "check", "--least-checks=40", *session.posargs)


@nox.session
def validate(session: nox.Session) -> None:
    """The shipped data are what their sources build; references resolve them, and cheats fail.

    A push has it quick: by the fork server, which plays whatever fails again in fresh
    interpreters, and with 200 drawn inputs for each comparison of a family with its reference.
    Every night has fresh interpreters alone and 2,000 inputs, as a release has, by
    ``nox -s validate -- --launch=interpreter --agreement=2000``.
    """
    session.install(*editable())
    session.run("klein-bench", "build", "--check")
    quick = ("--launch=forkserver", "--agreement=200")
    session.run("klein-bench", "validate", "--cheats", *quick, *session.posargs)


@nox.session(default=False)
def seeds(session: nox.Session) -> None:
    """Datasets of ten other seeds: as many tasks and tests, resolved by the same references."""
    session.install(*editable())
    folder = Path(session.create_tmp()) / "dataset"
    for seed in session.posargs or map(str, range(1, 11)):
        shutil.rmtree(folder, ignore_errors=True)
        session.run("klein-bench", "build", f"--seed={seed}", f"--output={folder}")
        session.run("klein-bench", "validate", f"--dataset={folder}")


@nox.session
def lint(session: nox.Session) -> None:
    """Style and formatting of all Python files."""
    session.install(*group("lint"))
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def typing(session: nox.Session) -> None:
    """Strict types, package by package, and those of the tools."""
    session.install(*group("typing"), *editable())
    session.run("mypy", "--strict", str(TOOLS), env={"MYPYPATH": str(TOOLS)})
    for package in PACKAGES:
        session.run("mypy", "--strict", str(package / "src"))


@nox.session
def build(session: nox.Session) -> None:
    """An sdist of every package and, from that sdist, a wheel, into an emptied ``dist/``."""
    build_packages(session, *PACKAGES)


@nox.session(requires=["build"], reuse_venv=False)
@nox.parametrize("package", [nox.param(package, id=package.name) for package in PACKAGES])
def alone(session: nox.Session, package: Path) -> None:
    """Each built wheel in an empty environment, with its declared dependencies only.

    Every module is imported, with warnings as errors; kcb-runner also judges real projects.
    """
    install_wheels(session, package)
    session.run("python", "-I", "-W", "error", "tests/alone/import_all.py", package.name)
    if package.name == "kcb-runner":
        data = "packages/kcb-tasks/src/kcb_tasks/data"
        session.run("python", "-I", "tests/alone/judge.py", data, "examples/projects")


@nox.session(requires=["build"], reuse_venv=False)
def minimums(session: nox.Session) -> None:
    """The packages' tests against the lowest versions of what the packages declare.

    Of packages that take nothing from outside but what kcb-core takes, it is the command line that
    meets these versions, and that is tested.
    """
    lowest = ["--resolution=lowest-direct", *outside_requirements(), *group("test")]
    install_wheels(session, *PACKAGES, beside=lowest)
    tests = [f"packages/{name}/tests" for name in OUTSIDE]
    others = (package for package in PACKAGES if package.name not in OUTSIDE)
    for package in others:
        found = (path for name in COMMAND_TESTS for path in package.glob(f"tests/{name}.py"))
        tests += sorted(map(str, found))
    session.run("pytest", *QUICK, *(session.posargs or tests))


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation site, with every warning an error, into ``site/``."""
    session.install(*group("docs"), *editable())
    quiet = {"NO_MKDOCS_2_WARNING": "1"}  # an advertisement, and no warning about this site
    session.run("mkdocs", "build", "--strict", "--quiet", env=quiet)


@nox.session
def demo(session: nox.Session) -> None:
    """The README's main job: prepare tasks, hand in projects, judge and score them."""
    session.install(*editable())
    session.run("python", "examples/demo.py", *session.posargs)


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Build time of the dataset, and speed as ratios against a baseline in the same run."""
    session.install(*editable())
    session.run("python", "benchmarks/run.py", *session.posargs)
    session.run("python", "benchmarks/rollouts.py")
    session.run("python", "benchmarks/scoring.py")
    session.run("python", "benchmarks/experiments.py")
    session.run("python", "benchmarks/proxy.py")


@nox.session(default=False)
def bench_page(session: nox.Session) -> None:
    """How large the page on 260 tasks and two subjects is, and how soon Chromium has it open."""
    session.install(*group("browser"), *editable(), *PAGES)
    session.run("python", "benchmarks/page.py", *session.posargs)


@nox.session(default=False)
def launchers(session: nox.Session) -> None:
    """References and cheats of the whole dataset get the same verdict under every launcher.

    It takes an hour; ``nox -s launchers -- --part 1/20`` takes the first of twenty parts.
    """
    session.install(*editable())
    session.run("python", "-m", "kcb_references.launchers", *session.posargs)


@nox.session(default=False)
def steady(session: nox.Session) -> None:
    """Verdicts on forty projects do not change on a machine that is far too busy.

    ``nox -s steady -- --repeats 2`` for a short look.
    """
    session.install(*editable())
    session.run("python", "benchmarks/steady.py", *session.posargs)


@nox.session(default=False)
def instructions(session: nox.Session) -> None:
    """Instructions that the evaluator executes for one session, by callgrind."""
    session.install(*editable())
    session.run("python", "benchmarks/instructions.py")


@nox.session(default=False)
def bench_peer(session: nox.Session) -> None:
    """Samples per second against another harness, which gets an environment of its own."""
    peer = Path(session.create_tmp()) / "peer"
    if not (peer / "bin" / "python").exists():
        session.run("uv", "venv", str(peer))
    python = str(peer / "bin" / "python")
    session.run("uv", "pip", "install", f"--python={python}", "inspect-ai==0.3.285")
    session.install(*editable())
    session.run("python", "benchmarks/peer.py", python, *session.posargs)


@nox.session
def intervals(session: nox.Session) -> None:
    """How often each interval that is shown holds the truth, on drawn runs with family effects."""
    session.install("--editable", str(ROOT / "packages" / "kcb-core"))
    session.install("--editable", str(ROOT / "packages" / "kcb-score"))
    session.run("python", "-m", "kcb_score.statistics.coverage", *session.posargs)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """A seeded sample of mutants of all references: each is caught, or listed as equivalent.

    ``nox -s mutants -- --only word-frequency --only max``
    """
    session.install(*editable(), *MUTANTS)
    session.run("python", "-m", "kcb_references.mutants.command", *session.posargs)


@nox.session(default=False)
def kills(session: nox.Session) -> None:
    """Which scenario tells each wrong program of the tests apart first, and which never do.

    ``nox -s kills -- --only shells``
    """
    session.install(*group("test"), *editable())
    session.run("python", "packages/kcb-tasks/tests/first_kills.py", *session.posargs)


@nox.session
def drills(session: nox.Session) -> None:
    """Levels 0 and 1 of all batteries of drills: sound, and every check can pass and can fail.

    The trial reports go through the routes that those of live models take.
    """
    session.install(*editable())
    out = Path(session.create_tmp()) / "drills"
    shutil.rmtree(out, ignore_errors=True)
    for level in ("0", "1"):
        session.run("klein-bench", "drill", "run", "--level", level, "--out", str(out))
    reports = str(out / "reports")
    session.run("klein-bench", "report", "aggregate", reports)
    session.run("klein-bench", "report", "route", reports, "--output", str(out / "routed"))


@nox.session(default=False)
def drills_live(session: nox.Session) -> None:
    """One drill by one model, a cell of the rotation; skipped where there is no key for it.

    ``nox -s drills_live -- shelf/stale-lock qwen/qwen3-coder:free``
    """
    if len(session.posargs) != 2:
        session.error("name a cell: nox -s drills_live -- BATTERY/DRILL MODEL")
    (battery, _, drill), model = session.posargs[0].partition("/"), session.posargs[1]
    listed = nox.project.load_toml(MODELS)["models"]
    entry = next((one for one in listed if one["id"] == model), None)
    if entry is None:
        session.error(f"{MODELS} does not list {model}")
    key = entry.get("api_key_env", "")
    if key and not os.environ.get(key):
        session.skip(f"the variable {key} is not set")
    session.install(*editable())
    asked = [f"--model={model}", f"--base-url={entry['base_url']}", f"--api={entry['api']}"]
    asked += [f"--api-key-env={key}"] if key else []
    out = TRIALS / datetime.now(UTC).strftime("%Y-%m-%d")
    run = ("klein-bench", "drill", "run", battery, f"--drill={drill}", "--level=2", f"--out={out}")
    session.run(*run, *asked, success_codes=[0, 3])  # a model that put us off has had its turn
    if kept := kept_reports():
        route = ("klein-bench", "report", "route", *kept, f"--models={DRILL_MODELS}")
        session.run(*route, f"--output={session.create_tmp()}")


@nox.session(default=False)
def drills_review(session: nox.Session) -> None:
    """Checks that have never failed in the kept trials have a decision in their drill's source."""
    kept = kept_reports()
    if not kept:
        session.skip(f"there are no trial reports in {TRIALS}")
    session.install(*editable())
    session.run("klein-bench", "report", "stale", *kept, f"--declarations={BATTERIES}")


@nox.session(default=False)
def live(session: nox.Session) -> None:
    """Ten easy tasks with a real model, from prompts to a score; what it writes may well fail.

    ``nox -s live -- --base-url http://localhost:8080/v1 --model my-model``, with any other options
    of ``generate``.
    """
    if "--model" not in session.posargs:
        session.error("name a model: nox -s live -- --base-url URL --model NAME")
    session.install(*editable())
    manifest = ROOT / "packages/kcb-tasks/src/kcb_tasks/data/manifest.json"
    files = json.loads(manifest.read_text())["files"]
    tasks = next(file["tasks"] for file in files if file["subset"] == "easy")[:10]
    work = Path(session.create_tmp())
    projects, reports = str(work / "projects"), str(work / "reports")
    for folder in (projects, reports):
        shutil.rmtree(folder, ignore_errors=True)
    session.run("klein-bench", "generate", *tasks, "-o", projects, *session.posargs)
    judge = ("klein-bench", "evaluate", "--all", projects, "-o", reports)
    session.run(*judge, success_codes=[0, 1])
    session.run("klein-bench", "score", reports)


@nox.session(default=False)
def release(session: nox.Session) -> None:
    """Everything that a release is, but for publishing it: built, installed, used, validated.

    ``nox -s release`` rehearses the commit that is checked out, with all packages and the tags
    that it has; ``nox -s release -- kcb-core-v0.1.0`` holds it against one tag and leaves what
    that publishes in ``dist/tagged/``; ``--quick`` validates one task of each tier only.
    """
    session.install(*group("release"))
    session.run("python", "-m", "release", *session.posargs, env={"PYTHONPATH": str(TOOLS)})
