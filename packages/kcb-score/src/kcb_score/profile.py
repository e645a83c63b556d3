"""A profile under the headline: which topics of the tests a subject handles, and which it does not.

It helps to find faults and never adds to resolve@1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from kcb_core.report import Outcome
from kcb_core.score import Sample, TopicProfile
from kcb_core.task import Tag

TOPICS: dict[str, str] = {
    Tag.CORE: "core",
    Tag.FIELD_ERRORS: "field errors",
    Tag.PRECEDENCE: "precedence",
    Tag.RECOVERY: "recovery",
    Tag.UNICODE: "Unicode",
    Tag.ATOMICITY: "atomicity",
    Tag.ROLLBACK: "rollback",
    Tag.DURABILITY: "durability",
    Tag.TOKENS: "tokens",
    Tag.PAGING: "paging",
}
"""The topic of each tag of a scenario, in the order in which topics are shown."""

NEAR = 0.95
"""Share of right responses from which on a failed task is a near miss."""


@lru_cache(maxsize=4096)
def topics_of(tags: tuple[str, ...]) -> frozenset[str]:
    """The topics of some tags; a tag that is not known is a topic of its own."""
    return frozenset(TOPICS.get(tag, tag) for tag in tags)


def profile(samples: Sequence[Sample]) -> tuple[TopicProfile, ...]:
    """How often each topic was handled without a fault, over the tasks that were judged.

    Void reports are left out, and so are projects of which nothing was started: what their tasks
    are about is not in their reports. A scenario that was not reached did not pass.
    """
    judged: Counter[str] = Counter()
    clean: Counter[str] = Counter()
    first: Counter[str] = Counter()
    # Most projects that are alike in what they tested and failed share one key.
    kinds = Counter(
        (one.tags, one.unclean, one.first_failing)
        for one in samples
        if one.outcome is not Outcome.VOID
    )
    for (tags, unclean, first_failing), number in kinds.items():
        for topic in topics_of(tags):
            judged[topic] += number
        for topic in topics_of(tags) - topics_of(unclean):
            clean[topic] += number
        if first_failing:
            first[TOPICS.get(first_failing[0], first_failing[0])] += number
    known = list(TOPICS.values())
    order = sorted(judged, key=lambda t: (known.index(t) if t in known else len(known), t))
    return tuple(
        TopicProfile(topic=t, judged=judged[t], clean=clean[t], first_failing=first[t])
        for t in order
    )


def near_misses(samples: Sequence[Sample]) -> tuple[str, ...]:
    """Ids of the failed tasks with at least :data:`NEAR` of their responses right."""
    return tuple(
        sorted(
            one.task_id
            for one in samples
            if one.outcome is Outcome.FAILED and one.total and one.passed >= NEAR * one.total
        )
    )
