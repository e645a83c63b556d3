"""The dataset card: all that it says in numbers comes from the data that it goes with.

Its fixed words lie in the folder ``card_texts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources
from string import Template

from kcb_core.dataset import Manifest
from kcb_core.ids import SHIPPED_DATASET, TaskId
from kcb_tasks.markdown import table
from kcb_tasks.records import COLUMNS, Stored

DATA_FOLDER = "klein_code_bench/data"
"""Where the data files lie in an export, seen from the card."""

PARQUET_FOLDER = "klein_code_bench/parquet"
"""Where their Parquet copies lie."""

NAME = "Klein-Code-Bench"
"""The name of the shipped dataset for people."""

_TAGS = (
    "code",
    "benchmark",
    "project-generation",
    "small-language-models",
    "local-models",
    "python",
)

_ASKED = {
    "easy": "a command-line tool that answers JSON lines with one algorithm and goes on after "
    "errors",
    "intermediate": "and a store of documents: revisions, prefixes, evaluation of what is stored",
    "hard": "and revision checks, batches that apply wholly or not at all, nested transactions",
    "max": "and durability through a forced kill, tokens against repetition, history, pages",
}


def card(manifest: Manifest, stored: Sequence[Stored], *, parquet: bool) -> str:
    """The card of a dataset, as Markdown with its front matter.

    Args:
        manifest: what the dataset is.
        stored: its data files.
        parquet: whether Parquet copies lie beside it.
    """
    return f"{_front_matter(manifest)}\n{_body(manifest, stored, parquet=parquet)}"


def _front_matter(manifest: Manifest) -> str:
    shipped = manifest.dataset == SHIPPED_DATASET
    lines = ["---", "language:", "- en"]
    lines += ["license: mit"] if shipped else []  # who made another dataset says so themselves
    lines += [f"pretty_name: {_name(manifest)}", "task_categories:", "- text-generation"]
    lines += ["tags:", *(f"- {tag}" for tag in _TAGS)]
    lines += ["size_categories:", f"- {_size(sum(manifest.totals.values()))}", "configs:"]
    paths = {file.subset: f"{DATA_FOLDER}/{file.path}" for file in manifest.files}
    lines += _config("default", paths.values(), default=True)
    for tier, path in paths.items():
        lines += _config(tier, [path], default=False)
    return "\n".join([*lines, "---", ""])


def _config(name: str, paths: Iterable[str], *, default: bool) -> list[str]:
    lines = [f"- config_name: {name}", *(["  default: true"] if default else [])]
    lines += ["  data_files:", "  - split: test", "    path:"]
    return lines + [f"    - {path}" for path in paths]


def _body(manifest: Manifest, stored: Sequence[Stored], *, parquet: bool) -> str:
    records = [record for held in stored for record in held.records]
    families = {TaskId.parse(task).slug for task in manifest.members()}
    shipped = manifest.dataset == SHIPPED_DATASET
    return _filled(
        "card.md",
        name=_name(manifest),
        dataset=manifest.dataset,
        version=manifest.version,
        seed=manifest.seed,
        protocol=manifest.protocol_version,
        packages=", ".join(f"{name} {version}" for name, version in manifest.packages.items()),
        manifest_sha256=manifest.sha256,
        canary=manifest.canary,
        tasks=_count(len(manifest.members()), "task"),
        families=_count(len(families), "family", "families"),
        tiers=_count(len(manifest.files), "tier"),
        totals=", ".join(f"{tier} {count}" for tier, count in manifest.totals.items()),
        timeout=" or ".join(sorted({f"{record['timeout_seconds']:g}" for record in records})),
        languages=" and ".join(sorted({record["language"] for record in records})),
        first_tier=manifest.files[0].subset,
        parquet=f"The same rows as Parquet lie in `{PARQUET_FOLDER}`.\n" if parquet else "",
        provenance=_filled("provenance.md") if shipped else "",
        sets=_sets(manifest),
        held_out=_held_out(manifest),
        **_tables(manifest, stored),
    )


def _tables(manifest: Manifest, stored: Sequence[Stored]) -> dict[str, str]:
    """Every table of the card, by the name of its place in it."""
    tiers = ("tier", "designed for", "what is asked for", "tasks", "scenarios", "assertions")
    fields = ((f"`{name}`", column.kind, column.words) for name, column in COLUMNS.items())
    files = ((f"`{f.path}`", f"`{f.sha256}`", f"{f.size:,}") for f in manifest.files)
    families = ("number", "family", "title", "category", *manifest.totals)
    return {
        "tier_table": table(tiers, map(_tier, stored), numeric=3),
        "field_table": table(("field", "type", "content"), fields),
        "file_table": table(("file", "sha256", "bytes"), files, numeric=1),
        "family_table": table(families, _families(stored), numeric=len(manifest.totals)),
    }


def _tier(stored: Stored) -> tuple[str, ...]:
    file = stored.file
    sizes = dict.fromkeys(record["target_model_parameters"] for record in stored.records)
    numbers = (len(file.tasks), file.scenarios, file.assertions)
    return file.subset, ", ".join(sizes), _ASKED.get(file.subset, ""), *map("{:,}".format, numbers)


def _families(stored: Sequence[Stored]) -> Iterable[tuple[str, ...]]:
    """One row a family: number, slug, title, category, and its assertions in each tier."""
    found = {
        (TaskId.parse(r["task_id"]).number, r["family"]): (r["title"], r["category"])
        for held in stored
        for r in held.records
    }
    counts = {(r["family"], r["subset"]): r["num_assertions"] for s in stored for r in s.records}
    for (number, slug), words in sorted(found.items()):
        assertions = (counts.get((slug, held.file.subset), 0) for held in stored)
        yield f"{number:03d}", slug, *words, *map("{:,}".format, assertions)


def _sets(manifest: Manifest) -> str:
    """What is said of the named sets, where there are such."""
    first = manifest.files[0].subset
    names = [f"`{name}`" for name in manifest.sets if name.startswith(f"{first}@")]
    return _filled("sets.md", names=", ".join(names)) if names else ""


def _held_out(manifest: Manifest) -> str:
    """What is said of the families that are held out, where there are such."""
    count = len(manifest.held_out)
    families = _count(count, "family is", "families are")
    return _filled("held-out.md", families=families) if count else ""


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _size(tasks: int) -> str:
    """The hub's word for a number of rows."""
    return "n<1K" if tasks < 1_000 else "1K<n<10K"


def _name(manifest: Manifest) -> str:
    return NAME if manifest.dataset == SHIPPED_DATASET else f"{manifest.dataset}, for {NAME}"


def _filled(file: str, /, **words: object) -> str:
    """A text of the folder ``card_texts`` with what it leaves open."""
    text = (resources.files("kcb_tasks") / "card_texts" / file).read_text(encoding="utf-8")
    return Template(text).substitute(words)
