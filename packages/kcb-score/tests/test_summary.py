"""The whole score: slices, scorers, provenance, the stored document."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_core.codec import decode, encode
from kcb_core.errors import DuplicateNameError, MachineError
from kcb_core.provenance import Revision
from kcb_core.report import Confinement
from kcb_core.score import Measure, Samples, Score
from kcb_core.selection import freeze_selection
from kcb_score.collect import Collection, collect
from kcb_score.denominator import settle
from kcb_score.resolve import ResolveAtOne
from kcb_score.summary import summarise

GOLDEN = Path(__file__).parent / "golden"
EASY = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in (1, 2, 3))


class Constant:
    """A scorer of a stranger's."""

    name = "constant"

    def __init__(self, given: Any) -> None:
        self.given = given

    def score(self, samples: Samples) -> Mapping[str, Measure]:
        """Whatever it was made with; an exception is raised."""
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


def full_example(bench: Any) -> Score:
    """A score with something in every field."""
    commit = Revision(distribution="kcb-runner", version="0.1.0", commit="c" * 40)
    reports = [
        bench.report(EASY[0], of=bench.small, subject="m"),
        bench.report(EASY[0], "void", of=bench.small, subject="m"),
        bench.report(EASY[1], "failed", of=bench.small, subject="m", launcher="forkserver"),
        bench.report("kcb-max-001-family-1", "void", of=bench.small, subject="m"),
        bench.report("kcb-max-002-family-2", of=bench.small, subject="m"),
        bench.report(EASY[0], of=bench.small, subject="m", repetition=1, evaluator=commit),
        bench.report(EASY[2], of=bench.small, confinement=Confinement(level="none")),
    ]
    chosen = (*EASY, "kcb-max-001-family-1")
    return bench.score(
        *reports,
        selection=freeze_selection(bench.small, chosen),
        excluded={EASY[1]: "its prompt was wrong"},
    )


def test_nothing_gives_no_subject_and_a_reason() -> None:
    """Zero reports through the API: no rate, and nothing divides by zero."""
    empty = Collection()
    score = summarise(empty, settle(empty), [ResolveAtOne()])
    assert (score.reports, score.reason, score.subjects) == (0, "no report", ())
    assert score.incomplete


def test_a_tier_without_a_report_is_shown_without_a_rate(bench: Any) -> None:
    """Its tasks count as not resolved in the whole, but nothing was measured of the tier itself."""
    (run,) = bench.score(bench.report(EASY[0], of=bench.small)).subjects[0].repetitions
    easy, highest = run.tiers
    assert (easy.tier, highest.tier) == ("easy", "max")
    assert (highest.resolved, highest.total, highest.missing) == (0, 3, 3)
    assert highest.measures["resolve@1"].reason == "no report"
    assert run.overall.measures["resolve@1"].value == 1 / 6


def test_repetitions_are_two_samples_of_one_task(bench: Any) -> None:
    """Counted once in the denominator, each repetition apart, never the best."""
    score = bench.score(
        bench.report(EASY[0], "failed", of=bench.small),
        bench.report(EASY[0], "resolved", of=bench.small, repetition=1),
    )
    (subject,) = score.subjects
    assert (subject.reports, subject.tasks) == (2, 1)
    found = [(run.repetition, run.tiers[0].resolved, run.tiers[0].total) for run in
             subject.repetitions]  # fmt: skip
    assert found == [(0, 0, 3), (1, 1, 3)]


def test_subjects_have_a_summary_each(bench: Any) -> None:
    """Two subjects in one folder are two results, and neither completes the other."""
    score = bench.score(
        bench.report(EASY[0], of=bench.small, subject="b"),
        bench.report(EASY[1], of=bench.small, subject="a"),
    )
    assert [subject.subject for subject in score.subjects] == ["a", "b"]
    for subject in score.subjects:
        assert subject.repetitions[0].tiers[0].missing == 2


def test_reports_outside_a_selection_are_named_and_not_counted(bench: Any) -> None:
    """A run over everything can be looked at by a part of it, and nobody is misled."""
    score = bench.score(
        *(bench.report(task, of=bench.small) for task in EASY),
        selection=freeze_selection(bench.small, EASY[:1]),
    )
    assert score.outside == EASY[1:]
    assert score.reports == 1
    assert score.subjects[0].repetitions[0].overall.total == 1
    assert not score.incomplete


def test_a_selection_that_no_report_is_of_scores_nothing(bench: Any) -> None:
    """There is no subject, so there is no number."""
    selection = freeze_selection(bench.small, EASY[2:])
    score = bench.score(bench.report(EASY[0], of=bench.small), selection=selection)
    assert (score.reports, score.reason, score.subjects) == (0, "no report", ())


def test_provenance_is_that_of_the_reports(bench: Any) -> None:
    """Dataset, protocol, evaluator; a reader can tell what was measured by what."""
    score = bench.score(bench.report(EASY[0], of=bench.small))
    assert score.dataset.manifest_sha256 == bench.small.sha256
    assert (score.protocol_version, score.python) == ("1.0", "CPython 3.11")
    assert score.evaluator == Revision(distribution="kcb-runner", version="0.1.0")
    assert score.conditions["launcher"] == {"interpreter": 1}
    assert score.mixed == ()


def test_what_is_mixed_is_flagged_with_the_list(bench: Any) -> None:
    """Launchers, confinement levels and revisions may differ, but not unsaid."""
    score = full_example(bench)
    assert score.mixed == ("launcher", "confinement", "evaluator revision")
    assert score.conditions["launcher"] == {"forkserver": 1, "interpreter": 4}
    assert score.conditions["confinement"] == {"full": 4, "none": 1}
    assert score.conditions["evaluator revision"] == {"c" * 40: 1, "unknown": 4}
    assert score.evaluator == Revision(distribution="kcb-runner", version="0.1.0")


def test_a_strangers_scorer_is_asked_for_every_slice(bench: Any) -> None:
    """The built-in scorer has no door of its own."""
    collection = collect(bench.filed(bench.report(EASY[0], of=bench.small)))
    three = Constant({"three": Measure(value=3.0, unit="apples")})
    score = summarise(collection, settle(collection), [three, ResolveAtOne()])
    (run,) = score.subjects[0].repetitions
    for counts in (*run.tiers, run.overall):
        assert list(counts.measures) == ["three", "resolve@1", "resolve@1 of submitted"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (RuntimeError("no"), "scorer 'constant' failed: RuntimeError: no"),
        (None, "scorer 'constant' failed: TypeError"),
        ({"x": 1.0}, "scorer 'constant' gave 1.0 as 'x': no Measure"),
    ],
)
def test_a_scorer_that_fails_is_named(bench: Any, given: Any, message: str) -> None:
    """A number is never left out because somebody's code broke."""
    collection = collect(bench.filed(bench.report(EASY[0], of=bench.small)))
    with pytest.raises(MachineError, match=message):
        summarise(collection, settle(collection), [Constant(given)])


def test_two_scorers_must_not_give_one_name(bench: Any) -> None:
    """The later would replace the earlier without a word."""
    collection = collect(bench.filed(bench.report(EASY[0], of=bench.small)))
    scorers = [ResolveAtOne(), Constant({"resolve@1": Measure(value=1.0)})]
    with pytest.raises(DuplicateNameError, match="both resolve@1 and constant"):
        summarise(collection, settle(collection), scorers)


def test_a_score_survives_its_document(bench: Any) -> None:
    """decode(encode(x)) = x."""
    score = full_example(bench)
    assert decode(encode(score), Score, source="memory") == score


def test_the_document_has_no_null(bench: Any) -> None:
    """What has no value is left out."""
    assert b"null" not in encode(full_example(bench))
    assert b"null" not in encode(bench.score(bench.report(EASY[0])))


def rounded(document: bytes) -> str:
    """Its text, with 9 digits of each number: quantiles of old versions of scipy have eleven."""
    return re.sub(r"\d+\.\d+", lambda found: f"{float(found[0]):.9g}", document.decode())


def test_the_document_of_format_1_is_kept(bench: Any) -> None:
    """Whoever reads this format today can read it for ever."""
    kept = (GOLDEN / "score-v1.json").read_bytes()
    assert rounded(encode(full_example(bench))) == rounded(kept)


def test_a_document_with_a_field_from_the_future_is_read(bench: Any) -> None:
    """Within a format, fields are only added."""
    data = encode(bench.score(bench.report(EASY[0]))).replace(b'"kind"', b'"new": 1, "kind"', 1)
    assert decode(data, Score, source="memory").kind == "score"


def test_scorers_see_whom_they_score(bench: Any) -> None:
    """A scorer by tier or subject needs to know the slice that it is asked for."""
    seen = []

    class Spy(Constant):
        def score(self, samples: Samples) -> Mapping[str, Measure]:
            seen.append((samples.tier, samples.total, len(samples.samples), samples.excluded))
            return {}

    collection = collect(bench.filed(bench.report(EASY[0], of=bench.small)))
    excluded = {"kcb-max-001-family-1": "why"}
    summarise(collection, settle(collection, excluded=excluded), [Spy({})])
    assert seen == [
        ("easy", 3, 1, frozenset()),
        ("max", 3, 0, frozenset(excluded)),
        ("", 6, 1, frozenset(excluded)),
    ]


def test_values_cannot_be_changed(bench: Any) -> None:
    """A score that was printed is the score that is stored."""
    with pytest.raises(AttributeError):
        full_example(bench).reports = 7
    assert msgspec.structs.replace(full_example(bench), reports=7).reports == 7


def test_one_tier_has_one_interval(bench: Any) -> None:
    """As a tier and as all that was selected it is the same tasks, so no two numbers are right."""
    easy, high = bench.tasks("easy")[:20], bench.tasks("max")[:20]
    reports = [bench.report(task) for task in easy[:12]]
    score = bench.score(*reports, selection=freeze_selection(bench.whole, easy))
    tier, overall = tallies(score)
    assert tier.measures["resolve@1"] == overall.measures["resolve@1"]
    both = bench.score(*reports, selection=freeze_selection(bench.whole, (*easy, *high)))
    assert tallies(both)[-1].measures["resolve@1"].interval.method == "wilson, effective n"


def tallies(score: Any) -> tuple[Any, ...]:
    """Those of the only repetition: each tier, and all together last."""
    run = score.subjects[0].repetitions[0]
    return (*run.tiers, run.overall)
