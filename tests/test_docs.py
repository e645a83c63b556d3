"""The documentation names everything that there is, and its links lead somewhere."""

import inspect
import re
from pathlib import Path

import click
import pytest

from command_lines import commands
from kcb_core import errors, hookspecs
from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.report import FailureKind, Outcome
from kcb_suites.drills.fault_codes import FAULT_CODES
from kcb_tasks.catalogue import entries, page

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "packages/*/*.md", "examples/**/*.md")
    for path in ROOT.glob(pattern)
)
HOOKS = [name for name in vars(hookspecs) if name.startswith("kcb_")]
ERRORS = [
    name
    for name, value in vars(errors).items()
    if inspect.isclass(value) and issubclass(value, errors.KcbError)
]


def sections(page: Path) -> dict[str, str]:
    """The text under each heading of a page, by the heading without its marks."""
    parts = re.split(r"^#+ +(.+)$", page.read_text(), flags=re.MULTILINE)
    return dict(zip((heading.strip("` ") for heading in parts[1::2]), parts[2::2], strict=True))


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_has_a_heading(name: str) -> None:
    """A hook that the reference does not name is one that no stranger will find."""
    assert name in sections(DOCS / "reference/hooks.md")


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_has_a_heading_and_a_place_in_the_tree(name: str) -> None:
    """Whoever catches an error should be able to look it up by the name in the traceback."""
    page = DOCS / "reference/errors.md"
    assert name in sections(page)
    tree = re.search(r"```text\n(.*?)```", page.read_text(), re.DOTALL)
    assert tree is not None
    assert re.search(rf"\b{name}\b", tree[1])


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_has_a_heading_and_every_option_in_its_section(words: str) -> None:
    """The reference of commands is written by hand, so it is held against the program."""
    section = sections(DOCS / "reference/cli.md").get(words)
    assert section is not None, f"docs/reference/cli.md has no heading '{words}'"
    named = set(re.findall(r"--?[a-z][a-z-]*|[A-Z][A-Z_|]+", section))
    command = COMMANDS[words]
    missing = [
        name
        for parameter in command.params
        for name in parameter_names(command, parameter)
        if name not in named
    ]
    assert missing == []


def parameter_names(command: click.Command, parameter: click.Parameter) -> list[str]:
    """What a user types for an option, or what stands in the usage line for an argument."""
    if isinstance(parameter, click.Option):
        return [*parameter.opts, *parameter.secondary_opts]
    return [parameter.make_metavar(click.Context(command)).strip("[].")]


def test_the_reference_names_no_command_that_is_not_there() -> None:
    """What was taken out of the program must go from the page too."""
    headings = set(sections(DOCS / "reference/cli.md"))
    assert {heading for heading in headings if heading[0].islower()} == set(COMMANDS)


def test_the_page_on_families_lists_the_shipped_ones() -> None:
    """Number, name, title and category, in order; a new family must not be forgotten here."""
    text = sections(DOCS / "reference/families.md")["The shipped dataset"]
    rows = re.findall(r"^\| (\d{3}) \| (.+) \| (.+) \| (.+) \|$", text, re.MULTILINE)
    shipped = [family for family in load_catalog().families() if family.dataset == SHIPPED_DATASET]
    assert rows == [(f"{f.number:03d}", f.slug, f.title, f.category) for f in shipped]


def test_the_catalogue_is_what_families_and_data_give() -> None:
    """It is generated; ``klein-bench catalogue --output docs/reference/catalogue.md`` mends it."""
    catalog = load_catalog()
    dataset = open_dataset(open_source(catalog, SHIPPED_DATASET).folder)
    written = page(dataset.manifest, entries(catalog.families(), dataset))
    assert (DOCS / "reference/catalogue.md").read_text() == written


def test_the_page_on_families_lists_the_tiers() -> None:
    """Name and size of model, the lowest first."""
    text = sections(DOCS / "reference/families.md")["The tiers"]
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\S+) \|$", text, re.MULTILINE)
    assert rows == [(t.name, t.target_model_parameters) for t in load_catalog().tiers()]


@pytest.mark.parametrize("values", [Outcome, FailureKind])
def test_the_page_on_scoring_lists_what_a_report_can_say(values: type[Outcome]) -> None:
    """In the order in which they are decided, and none left out."""
    rows = re.findall(r"^\| `(\w+)` \|", (DOCS / "explanation/scoring.md").read_text(), re.M)
    assert [row for row in rows if row in list(values)] == list(values)


def test_the_page_on_drills_lists_the_codes_that_come_with_them() -> None:
    """Whoever writes a check looks up there whom it may blame for what."""
    text = sections(DOCS / "reference/drills.md")["Codes of agents' faults"]
    rows = dict(re.findall(r"^\| `(ERR_\w+)` \| (.+) \|$", text, re.MULTILINE))
    assert rows == {code.code: code.summary for code in sorted(FAULT_CODES, key=lambda c: c.code)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_exist(page: Path) -> None:
    """Pages are read in the repository too, where the site's own check does not run."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    local = [re.sub(r"#.*", "", target) for target in targets if "://" not in target]
    assert [target for target in local if target and not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_headings_lead_to_headings(page: Path) -> None:
    """A renamed heading breaks the links to it without a word.

    Names of the reference that come from docstrings have a dot, and the site's own check.
    """
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target, anchor in re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", text):
        found = sections(page.parent / target if target else page)
        slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}
        assert anchor in slugs or "." in anchor, f"{target}#{anchor}"
