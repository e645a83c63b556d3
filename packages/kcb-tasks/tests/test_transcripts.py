"""The transcripts of the protocol, played against the oracles."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from kcb_core.equality import difference
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.shipped import TIERS

KILL = "(killed, started again)"

# Those that show how a tier answers what only a higher one has.
ONLY_IN_THEIR_TIER = ("E6", "I10")


class Transcript(NamedTuple):
    """One transcript as it is printed, for print marks are undone."""

    tier: str
    name: str
    lines: tuple[str, ...]


def _read() -> list[Transcript]:
    found: list[Transcript] = []
    tier = ""
    for line in Path(__file__).with_name("transcripts.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("# "):
            tier = line[2:]
        elif line.startswith("## "):
            found.append(Transcript(tier, line[3:].partition(":")[0], ()))
        elif line:
            found[-1] = found[-1]._replace(lines=(*found[-1].lines, _unprinted(line)))
    return found


def _unprinted(line: str) -> str:
    """A line as it is sent: repetitions are written out and the raw tab is one."""
    line = re.sub(r"(\{[^{}]*\}),…\((\d+)\)", lambda m: ",".join([m[1]] * int(m[2])), line)
    line = re.sub(r"(.)…\((\d+)\)", lambda m: m[1] * int(m[2]), line)
    return line.replace("⇥", "\t")


def _applicable() -> list[object]:
    ranks = {tier.name: tier.rank for tier in TIERS}
    return [
        pytest.param(tier, transcript, id=f"{transcript.name}-{tier.name}")
        for transcript in _read()
        for tier in TIERS
        if tier.name == transcript.tier
        or (tier.rank > ranks[transcript.tier] and transcript.name not in ONLY_IN_THEIR_TIER)
    ]


def test_all_transcripts_are_read() -> None:
    """A transcript that is lost in reading would show nothing."""
    names = [transcript.name for transcript in _read()]
    assert names == [
        *(f"E{n}" for n in range(1, 11)),
        *(f"I{n}" for n in range(1, 11)),
        *(f"H{n}" for n in range(1, 13)),
        *(f"M{n}" for n in range(1, 13)),
    ]
    assert sum(line.startswith("> ") for t in _read() for line in t.lines) == 289


@pytest.mark.parametrize(("tier", "transcript"), _applicable())
def test_the_oracle_answers_as_the_transcript_shows(
    tier: ServiceTier, transcript: Transcript
) -> None:
    """The transcripts were printed by another program, so agreement is evidence for both."""
    service = tier.service(AMOUNTS)
    answer: object = None
    for line in transcript.lines:
        if line == KILL:
            service.kill()
        elif line.startswith("> "):
            answer = service.answer(line[2:])
        else:
            assert difference(json.loads(line[2:]), answer) is None
