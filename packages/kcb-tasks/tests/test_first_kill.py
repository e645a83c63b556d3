"""The first kill: where it is looked for, and what counts as unreached behind it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from first_kill import Kill, first_kill, topic, toy_played, toy_scenarios
from wrong_programs import answering

from kcb_core.codec import Json
from kcb_core.testing.toy import AMOUNTS
from kcb_core.tier import Service
from kcb_tasks.tiers.easy import EASY


def _wrong_from(count: int) -> Kill:
    """The first kill of a program that answers so many requests rightly, over all its lives."""
    asked: list[str] = []

    def answer(oracle: Service, line: str, memory: object) -> Json:
        asked.append(line)
        return oracle.answer(line) if len(asked) <= count else None

    kill = first_kill(toy_played(EASY), lambda: answering(EASY, answer))
    assert kill is not None
    assert len(asked) == count + 1
    return kill


def test_what_stands_behind_the_first_wrong_answer_is_unreached() -> None:
    """From the first assertion to the last, in the order of the task."""
    scenarios = toy_scenarios(EASY)
    total = sum(scenario.assertions for scenario in scenarios)
    first = scenarios[0].assertions
    for right, scenario in ((0, scenarios[0]), (first - 1, scenarios[0]), (first, scenarios[1])):
        kill = _wrong_from(right)
        assert (kill.scenario, kill.right, kill.total) == (scenario, right, total)
        assert kill.unreached == pytest.approx((total - right - 1) / total)
    assert _wrong_from(total - 1).unreached == 0


def test_the_oracle_is_never_killed() -> None:
    """Else everything would be the first to tell."""
    assert first_kill(toy_played(EASY), lambda: EASY.service(AMOUNTS)) is None


def test_a_topic_is_the_name_without_the_number_of_its_part() -> None:
    """Scenarios are cut by length, which says nothing of what they are about."""
    topics = {topic(scenario) for scenario in toy_scenarios(EASY)}
    assert {"results", "order-of-errors", "malformed-lines"} <= topics
    assert not [name for name in topics if name[-1].isdigit()]


@pytest.mark.families
def test_the_command_prints_each_program_and_what_is_never_first() -> None:
    """One line a wrong program, one a topic, and the shares in sum."""
    command = [sys.executable, Path(__file__).with_name("first_kills.py"), "--only", "shells"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    lines = done.stdout.splitlines()
    assert lines[0] == "tier\twrong program\ttold first by\ttag\tunreached"
    told = [line.split("\t") for line in lines[1 : lines.index("topic\t" + TIERS + "\t")]]
    assert ["max", "tokens_in_batches_count"] in [row[:2] for row in told]
    assert all(row[4].endswith("%") for row in told)
    assert any(line.endswith("\tnever first") for line in lines)
    assert lines[-1].startswith(f"max: {sum(row[0] == 'max' for row in told)} wrong programs")


TIERS = "easy\tintermediate\thard\tmax"
