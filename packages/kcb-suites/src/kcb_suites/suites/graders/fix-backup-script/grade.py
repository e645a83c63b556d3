"""Judges fix-backup-script: keepsake does what its README says."""

import hashlib
import os

from box import Box, scenario
from steps import Grader, main

STAMP, LATER = "2024-03-05T0100", "2024-03-06T0100"
DATA, LATER_DATA = f"store/{STAMP}/data", f"store/{LATER}/data"
VISIBLE = ["harness", "run", "test_prune", "test_restore", "test_run"]
ODD_NAMES = [" blank before", "blank after ", "two  blanks", "back\\slash", "*", "-dash", "@", "#1"]


def odd_names(box: Box) -> None:
    """Names are kept letter by letter, in the tree, the manifest and the commands after it."""
    for name in ODD_NAMES:
        box.write(f"data/{name}", name)
    box.says(box.take(STAMP), 0, f"snapshot {STAMP}: 8 copied, 0 linked, 0 excluded")
    lines = [f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in sorted(ODD_NAMES)]
    box.equal(box.read(f"store/{STAMP}/manifest").splitlines(), lines, "manifest")
    box.says(box.call("verify"), 0, f"{STAMP} ok")
    box.says(box.take(LATER), 0, f"snapshot {LATER}: 0 copied, 8 linked, 0 excluded")
    box.says(box.call("restore", STAMP, "back\\slash", f"{box.name}/out"), 0, "restored 1 files")
    box.equal(box.read("out/back\\slash"), "back\\slash", "the restored file")
    box.says(box.call("restore", STAMP, "*", f"{box.name}/star"), 0, "restored 1 files")
    box.equal(box.tree("star"), ["*"], "restoring a file named *")


def whole_tree(box: Box) -> None:
    """Hidden names, empty directories and links are kept; what is special is not."""
    for name in (".profile", "sub/.hidden/x", "a", "sub/b"):
        box.write(f"data/{name}")
    (box.folder / "data/empty").mkdir()
    os.symlink("missing", box.folder / "data/link")
    os.mkfifo(box.folder / "data/queue")
    run = box.take(STAMP)
    box.says(run, 3, f"snapshot {STAMP}: 4 copied, 0 linked, 0 excluded")
    box.equal(run.stderr.splitlines(), ["warning: special file skipped: queue"], "warnings")
    tree = [".profile", "a", "empty/", "link@", "sub/", "sub/.hidden/", "sub/.hidden/x", "sub/b"]
    box.equal(box.tree(DATA), tree, "tree")
    box.says(box.call("restore", STAMP, ".", f"{box.name}/out"), 0, "restored 5 files")
    box.equal(box.tree("out"), tree, "the restored tree")
    box.says(box.call("restore", STAMP, "sub/", f"{box.name}/part"), 0, "restored 2 files")
    box.equal(box.tree("part"), [name for name in tree if name.startswith("sub")], "a directory")
    box.says(box.call("restore", STAMP, "empty", f"{box.name}/none"), 0, "restored 0 files")
    box.equal(box.tree("none"), ["empty/"], "an empty directory")
    box.says(box.call("restore", STAMP, "link", f"{box.name}/one"), 0, "restored 1 files")
    box.equal(box.tree("one"), ["link@"], "a link")


def changes(box: Box) -> None:
    """Only a file of the same content and permissions is shared with the snapshot before."""
    for name in ("same", "longer", "as-long", "touched"):
        box.write(f"data/{name}", "price 100\n")
    box.write("data/tool", "exit 0\n")
    box.take(STAMP)
    box.write("data/longer", "price 1000\n")
    box.write("data/as-long", "price 900\n")
    box.write("data/new", "price 100\n")
    os.utime(box.folder / "data/touched", (1, 1))
    (box.folder / "data/tool").chmod(0o755)
    box.says(box.take(LATER), 0, f"snapshot {LATER}: 4 copied, 2 linked, 0 excluded")
    box.equal(box.read(f"{LATER_DATA}/as-long"), "price 900\n", "a change that keeps the length")
    box.equal(box.read(f"{DATA}/as-long"), "price 100\n", "the older snapshot")
    shared = [n for n in box.tree(LATER_DATA) if box.shared(f"{DATA}/{n}", f"{LATER_DATA}/{n}")]
    box.equal(shared, ["same", "touched"], "the shared files")
    tool = box.folder / LATER_DATA / "tool"
    box.equal(tool.is_file() and tool.stat().st_mode & 0o777, 0o755, "permissions of a copy")
    box.says(box.call("verify"), 0, f"{STAMP} ok", f"{LATER} ok")


def excludes(box: Box) -> None:
    """Patterns may hold blanks and mean the same wherever keepsake is called from."""
    for name in (
        "README.md",
        "notes.md",
        "lib/x.sh",
        "Copy of plan",
        "Copied",
        "old cache/x",
        "cache/x",
        "cache-old/x",
        "sub/cache/y",
        "sub/cache.txt",
        "a/b/build/o",
        "a/build",
        "build/o",
        "log/1",
        "log/.2",
    ):
        box.write(f"data/{name}")
    box.says(box.take(STAMP), 0, f"snapshot {STAMP}: 6 copied, 0 linked, 9 excluded")
    kept = [
        "Copied",
        "a/",
        "a/b/",
        "a/build",
        "build/",
        "build/o",
        "lib/",
        "lib/x.sh",
        "log/",
        "old cache/",
        "old cache/x",
        "sub/",
        "sub/cache.txt",
    ]
    box.equal(box.tree(DATA), kept, "tree")
    box.says(box.call("list"), 0, f"{STAMP} 6 files")


EXCLUDES = ["*.md", "Copy of *", "cache/", "cache-*", "a/*/build/", "log/*"]


def value_with_equals(box: Box) -> None:
    """The key ends at the first ``=``, and the value is all the rest."""
    box.write("year=2024 #1/plan")
    box.write("year=2024 #1/q=a")
    box.write("year=2024 #1/q=b")
    box.says(box.take(STAMP), 0, f"snapshot {STAMP}: 2 copied, 0 linked, 1 excluded")
    box.equal(box.tree(DATA), ["plan", "q=b"], "tree")


def last_line(box: Box) -> None:
    """The last line counts without a line break; a comment on it stays a comment."""
    box.write("data/a")
    for day in ("01", "02", "03"):
        box.take(f"2024-05-{day}T0000")
    pruned = [f"pruned 2024-05-{day}T0000" for day in ("01", "02")]
    box.says(box.call("prune"), 0, *pruned, "kept 1")
    box.configure("keep_last = 1", "# keep_first = 1", ending="")
    box.says(box.call("prune"), 0, "kept 1")
    box.configure("keep_first = 1", ending="")
    box.equal(box.call("list").status, 2, "exit status with an unknown key on the last line")


def stamps(box: Box) -> None:
    """All months, days, hours and minutes are taken, and no others."""
    box.write("data/a")
    for stamp in ("2024-08-01T0000", "2024-01-09T0808", "2024-09-08T0909", "2024-12-31T2359"):
        run = box.take(stamp)
        box.equal(run.status, 0, f"exit status for {stamp} ({run.tail()})")
    for stamp in (
        "2024-00-10T0000",
        "2024-13-10T0000",
        "2024-10-00T0000",
        "2024-10-32T0000",
        "2024-10-10T2400",
        "2024-10-10T0060",
        "2024-10-10",
    ):
        box.equal(box.take(stamp).status, 2, f"exit status for {stamp}")
    names = ("2024-01-09T0808", "2024-08-01T0000", "2024-09-08T0909", "2024-12-31T2359")
    box.says(box.call("list"), 0, *(f"{name} 1 files" for name in names))
    box.equal(box.call("verify", "2024-08-01T0000").stdout, "2024-08-01T0000 ok\n", "verify")


HISTORY = [
    "2023-12-30T0100",
    "2024-01-01T0100",
    "2024-01-01T1300",
    "2024-01-31T0100",
    "2024-02-27T0100",
    "2024-02-28T0100",
    "2024-02-28T2300",
    "2024-03-01T0100",
    "2024-03-01T0200",
    "2024-03-01T0300",
]
SUM_OF_TEXT = hashlib.sha256(b"text\n").hexdigest()
RULES = [
    ("keep_last = 4", [6, 7, 8, 9]),
    ("keep_last = 50", range(10)),
    ("keep_daily = 1", [9]),
    ("keep_daily = 3", [4, 6, 9]),
    ("keep_monthly = 2", [6, 9]),
    ("keep_monthly = 9", [0, 3, 6, 9]),
    ("keep_last = 2\nkeep_daily = 2\nkeep_monthly = 3", [3, 6, 8, 9]),
    ("keep_last = 08\nkeep_daily = 0", range(2, 10)),
    ("keep_last = 0", range(10)),
]


def prune_rules(box: Box) -> None:
    """Each rule keeps the newest of its kind."""
    for stamp in HISTORY:
        box.write(f"store/{stamp}/data/a", "text\n")
        box.write(f"store/{stamp}/manifest", f"{SUM_OF_TEXT}  a\n")
    for rule, kept in RULES:
        box.configure(rule)
        gone = [f"would prune {s}" for i, s in enumerate(HISTORY) if i not in kept]
        said = box.call("prune", "--dry-run").stdout.splitlines()
        box.equal(said, [*gone, f"kept {len(kept)}"], f"dry run with {rule!r}")
    box.says(box.call("list"), 0, *(f"{stamp} 1 files" for stamp in HISTORY))
    box.configure("keep_daily = 2", "keep_monthly = 4")
    box.call("prune")
    box.says(box.call("list"), 0, *(f"{HISTORY[i]} 1 files" for i in (0, 3, 6, 9)))


def empty_store(box: Box) -> None:
    """Without snapshots, list, verify and prune have nothing to do."""
    box.says(box.call("list"), 0)
    box.says(box.call("verify"), 0)
    box.says(box.call("prune"), 0, "kept 0")


def similar_names(box: Box) -> None:
    """A path is that path: not all that start like it, and no pattern."""
    for name in ("plan", "plan-b", "plans/x", "docs/a", "docs/.b", "docs-old/c", "d.cs/e"):
        box.write(f"data/{name}")
    box.take(STAMP)
    for path, tree in [
        ("plan", ["plan"]),
        ("docs", ["docs/", "docs/.b", "docs/a"]),
        ("d.cs", ["d.cs/", "d.cs/e"]),
        ("plans/x", ["plans/", "plans/x"]),
    ]:
        out = f"out-{path.replace('/', '-')}"
        run = box.call("restore", STAMP, path, f"{box.name}/{out}")
        files = sum(not name.endswith("/") for name in tree)
        box.says(run, 0, f"restored {files} files")
        box.equal(box.tree(out), tree, f"restoring {path}")
    for path in ("doc", "pla", "do.s", "nothing"):
        run = box.call("restore", STAMP, path, f"{box.name}/none")
        box.says(run, 1)
    box.equal(box.tree("none"), [], "restoring what is not there")


def restored_files(box: Box) -> None:
    """Restored files are the user's own; those in the way are left alone, or replaced."""
    box.write("data/a", "first\n")
    box.write("data/sub/.b", "second\n", 0o640)
    box.take(STAMP)
    box.call("restore", STAMP, ".", f"{box.name}/out")
    box.call("restore", STAMP, "a", f"{box.name}/other")
    for path in ("out/a", "out/sub/.b", "other/a"):
        if (box.folder / path).is_file():
            with (box.folder / path).open("a", encoding="utf-8") as file:
                file.write("mine\n")
    box.equal(box.read(f"{DATA}/a"), "first\n", "the snapshot after a restored file was changed")
    box.equal(box.read(f"{DATA}/sub/.b"), "second\n", "the snapshot, a hidden file")
    box.says(box.call("verify"), 0, f"{STAMP} ok")
    run = box.call("restore", STAMP, ".", f"{box.name}/out")
    box.says(run, 1)
    box.equal(run.stderr, "error: exists: a\nerror: exists: sub/.b\n", "what is in the way")
    box.equal(box.read("out/a"), "first\nmine\n", "a file in the way")
    run = box.call("restore", "--force", STAMP, ".", f"{box.name}/out")
    box.says(run, 0, "restored 2 files")
    box.equal(box.read("out/sub/.b"), "second\n", "a replaced file")


def damage(box: Box) -> None:
    """All damage is found, and the newest snapshot does not hide that of the others."""
    for name in ("a", "b", "c", "z z"):
        box.write(f"data/{name}")
    box.take(STAMP)
    for name in ("a", "b", "c", "z z"):
        box.write(f"data/{name}", "other\n")
    box.take(LATER)
    box.write(f"{DATA}/b", "axe\n")
    box.write(f"{DATA}/.new")
    box.write(f"{DATA}/z z", "worse\n")
    (box.folder / DATA / "c").unlink(missing_ok=True)
    problems = [
        f"{STAMP} {what}" for what in ("extra .new", "changed b", "missing c", "changed z z")
    ]
    box.says(box.call("verify"), 1, *problems, f"{LATER} ok")
    box.says(box.call("verify", STAMP), 1, *problems)
    box.says(box.call("verify", LATER), 0, f"{LATER} ok")
    box.says(box.call("verify", "2024-03-07T0100"), 1)


def failed_runs(box: Box) -> None:
    """A run that fails leaves the store as it was, and the next one works."""
    box.write("data/a")
    box.take(STAMP)
    before = box.tree("store")
    box.says(box.take(STAMP), 1)
    box.equal(box.tree("store"), before, "the store after a run for a stamp that exists")
    box.configure("source = elsewhere")
    box.says(box.take(LATER), 1)
    box.equal(box.tree("store"), before, "the store after a run without a source")
    box.configure()
    (box.folder / "store/.partial-2024-03-06T0100/data").mkdir(parents=True)
    box.write("store/.partial-2024-03-06T0100/manifest", "")
    box.says(box.call("list"), 0, f"{STAMP} 1 files")
    box.says(box.take(LATER), 0, f"snapshot {LATER}: 0 copied, 1 linked, 0 excluded")
    (box.folder / "store/.lock").mkdir(exist_ok=True)
    box.says(box.take("2024-03-07T0100"), 1)
    box.equal((box.folder / "store/.lock").is_dir(), True, "another run's lock stays")
    box.says(box.call("list"), 0, f"{STAMP} 1 files", f"{LATER} 1 files")


def grade(grader: Grader) -> None:
    """Play all scenarios, then the visible tests."""
    for make in (
        odd_names,
        whole_tree,
        changes,
        stamps,
        prune_rules,
        empty_store,
        similar_names,
        restored_files,
        damage,
        failed_runs,
    ):
        scenario(grader, make)
    scenario(grader, excludes, *(f"exclude = {pattern}" for pattern in EXCLUDES))
    scenario(grader, value_with_equals, "source =  year=2024 #1 ", "exclude = q=a")
    scenario(grader, last_line, "keep_last = 1", ending="")
    grader.visible_tests(["bash", "tests/run.sh"], [f"tests/{name}.sh" for name in VISIBLE])


main(grade)
