"""The prompt: its blocks are those of the protocol, byte by byte, and its contract is whole."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from kcb_core.codec import compact
from kcb_core.family import Case
from kcb_core.limits import LIMITS
from kcb_core.shape import Choice, Integer, Text, absentable, optional
from kcb_core.task import line_of
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.families import discover
from kcb_tasks.language import PYTHON
from kcb_tasks.prompt import build_prompt, contract, program_block
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.shipped import TIERS

BLOCKS = ("P", "PI", "PIH", "PIHM")


def _protocol(letters: str) -> str:
    """The blocks of the protocol, copied from its section 1, as they stand in a prompt."""
    folder = Path(__file__).parent / "prompt_blocks"
    return "\n".join((folder / f"{letter}.md").read_text(encoding="utf-8") for letter in letters)


@pytest.mark.parametrize(("tier", "letters"), list(zip(TIERS, BLOCKS, strict=True)))
def test_the_blocks_are_those_of_the_protocol(tier: ServiceTier, letters: str) -> None:
    """With the present limits every byte is the normative text, and nothing stands between."""
    prompt = tier.prompt(AMOUNTS)
    assert prompt.startswith(f"# Amounts\n\n{_protocol(letters)}\n## Contract\n")


def test_a_lower_tier_is_a_part_of_a_higher_one() -> None:
    """No block is changed from tier to tier."""
    prompts = [tier.prompt(AMOUNTS) for tier in TIERS]
    for lower, higher in pairwise(prompts):
        blocks = lower[: lower.index("## Contract")]
        assert higher.startswith(blocks)
        assert higher.endswith(lower[len(blocks) :])


def test_the_limits_in_the_prompt_are_those_that_hold() -> None:
    """A limit that is changed in its one home changes the prompt."""
    changed = msgspec.structs.replace(
        LIMITS, session_s=2.5, stdout_bytes=3 << 20, submission_bytes=7_000, line_bytes=1_000_001
    )
    block = program_block(PYTHON, changed)
    assert "Limits for one run: 2.5 seconds from start to exit, 3 MiB on standard" in block
    assert "at most 2,000 files and 7 kB, no links" in block
    assert "longer than 1000001 bytes." in block
    assert program_block(PYTHON) != block


def test_another_language_needs_only_its_own_block() -> None:
    """The start command and the program block are data; all else stays as it is."""
    other = replace(PYTHON, name="Other", program="durability.md", start=("run",))
    prompts = [build_prompt(AMOUNTS, each, ("requests.md",), ()) for each in (PYTHON, other)]
    python, changed = (prompt.partition("## Requests and answers") for prompt in prompts)
    assert python[0] != changed[0]
    assert python[2] == changed[2]
    assert other.start_command(durable=True) == ("run", "--state-dir", "{state_dir}")


@pytest.mark.parametrize("tier", TIERS, ids=lambda tier: str(tier.name))
def test_the_examples_stand_in_the_prompt_as_they_are_played(tier: ServiceTier) -> None:
    """The public tests are exactly the two examples, of one request each."""
    examples = list(tier.examples(AMOUNTS))
    prompt = tier.prompt(AMOUNTS)
    assert len(examples) == 2
    for example in examples:
        (session,) = example.sessions
        (request,), (expected,) = session.requests, session.expected
        assert f"\n{line_of(request)}\n{compact(expected)}\n" in prompt
    assert prompt.count("```text\n") == 2


@pytest.mark.parametrize("tier", TIERS, ids=lambda tier: str(tier.name))
def test_the_prompt_is_plain_text(tier: ServiceTier) -> None:
    """It ends with a line end, and starts with no byte-order mark."""
    prompt = tier.prompt(AMOUNTS)
    assert prompt.endswith("```\n")
    assert "\ufeff" not in prompt
    assert "\r" not in prompt
    assert "\n\n\n" not in prompt
    assert "$" not in prompt
    assert len(prompt.split()) < 2_000


def test_the_contract_lists_fields_and_errors_in_order() -> None:
    """The order of the table is the order of reports."""
    assert contract(AMOUNTS).splitlines()[5:10] == [
        "| field | presence | value |",
        "| --- | --- | --- |",
        "| `amounts` | required | an array of 0 to 20 elements, "
        "each an integer from -1000 to 1000 |",
        "| `unit` | required | a string of 1 to 10 code points |",
        "| `cap` | optional, default `1000` | an integer from 0 to 10000. "
        "The largest sum that is allowed. |",
    ]
    assert "1. `no_amounts`: `amounts` is empty.\n2. `over_cap`: The sum is" in contract(AMOUNTS)


def test_no_cell_breaks_the_table() -> None:
    """A bar, a line end or a backtick in a field's words stays inside its cell."""
    fields = (
        optional("a|b", Choice("x|y", "`"), "x|`y  z", note="One\n  two | three."),
        absentable("c", Text(0, 1)),
        optional("d", Integer(0, 1), "``"),
    )
    rows = contract(replace(AMOUNTS, fields=fields, errors=(), rules="")).splitlines()[7:10]
    assert rows[0].startswith('| `a\\|b` | optional, default `` "x\\|`y  z" `` | one of ')
    assert rows[0].endswith(". One two \\| three. |")
    assert rows[1] == "| `c` | optional | a string of 0 to 1 code points |"
    assert rows[2].startswith('| `d` | optional, default ``` "``" ``` | ')
    for row in rows:
        assert row.replace("\\|", "").count("|") == 4


def test_a_contract_without_errors_says_so() -> None:
    """Silence would leave open whether some were forgotten."""
    family = replace(AMOUNTS, errors=(), rules="Only this.\n")
    assert "### Errors\nNone of its own.\n\n### Rules\nOnly this.\n" in contract(family)


def test_examples_with_backticks_stay_in_their_block() -> None:
    """A domain of text may show fences of its own."""
    fields = {"amounts": [1], "unit": "```"}
    examples = (Case(fields, {"total": 1, "mean": 1.0, "label": "1 ```"}), AMOUNTS.examples[1])
    prompt = TIERS[0].prompt(replace(AMOUNTS, examples=examples))
    assert '\n````text\n{"id":1,' in prompt
    assert "\n````\n" in prompt


@pytest.mark.parametrize("family", discover(), ids=lambda family: str(family.slug))
def test_no_prompt_tells_of_the_tests(family: object) -> None:
    """What is shown of the acceptance tests is nothing."""
    for tier in TIERS:
        prompt = tier.prompt(family)  # type: ignore[arg-type]
        for word in ("kcb_", "acceptance", "oracle", "scenario", "golden"):
            assert word not in prompt
