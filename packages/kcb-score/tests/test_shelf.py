"""Many samples in little memory."""

import tracemalloc
from typing import Any

import msgspec
import pytest

from kcb_core.run_record import Usage
from kcb_core.score import Sample
from kcb_score.reading import Reader
from kcb_score.shelf import Filed, SamplesOf, Shelf

TASK = "kcb-easy-001-family-1"

MOST_BYTES = 300
"""Of a report on a shelf. As objects, each holding its numbers, it has about 800."""


def made(bench: Any) -> list[Sample]:
    """Samples with all that can be stated, with nothing, and with what is easily taken for it."""
    whole = msgspec.structs.replace(
        bench.sample(TASK, "failed", subject="m", repetition=7),
        tags=("core", "paging"),
        unclean=("paging",),
        first_failing=("paging",),
        generation_s=0.25,
        usage=Usage(
            input_tokens=1,
            output_tokens=2**53,
            cache_read_tokens=3,
            cache_write_tokens=4,
            reasoning_tokens=5,
            includes_reasoning=False,
        ),
        dollars=0.125,
        dollars_at_least=True,
        hand_corrected=True,
    )
    nought = msgspec.structs.replace(
        whole, generation_s=0.0, dollars=0.0, usage=Usage(input_tokens=0)
    )
    unstated = msgspec.structs.replace(whole, usage=Usage())
    return [whole, nought, unstated, bench.sample(TASK), bench.sample(TASK, "void")]


@pytest.fixture
def shelf(bench: Any) -> Shelf:
    """A shelf with these samples."""
    shelf = Shelf()
    circumstances = Reader().file(bench.report(TASK), "x.json").circumstances
    for number, sample in enumerate(made(bench)):
        shelf.put(sample, circumstances, f"r/{number}.json")
    return shelf


def test_what_is_put_there_is_found_again(bench: Any, shelf: Shelf) -> None:
    """What nobody stated is not nought, and nought is not unstated."""
    filed = [Filed(shelf, place) for place in range(len(shelf))]
    assert [one.sample for one in filed] == made(bench)
    assert [one.source for one in filed] == [f"r/{number}.json" for number in range(5)]
    assert filed[0].project == ("m", 7, TASK)
    assert filed[0].kind is filed[0].kind
    assert (filed[0].kind.tags, filed[0].kind.dollars) == (("core", "paging"), None)


@pytest.mark.parametrize("source", ["a.json", "/a.json", "b//a.json", "./b/a.json", "a\\b/\u2028"])
def test_a_source_stays_as_it_was_given(bench: Any, source: str) -> None:
    """Errors name the file as the user did."""
    assert Reader().file(bench.report(TASK), source).source == source


def test_what_was_packed_stands_on_another_shelf(bench: Any, shelf: Shelf) -> None:
    """Behind what is there already, and sharing with it what is equal."""
    other = Shelf()
    circumstances = Reader().file(bench.report(TASK, launcher="other"), "x").circumstances
    first = other.put(bench.sample(TASK), circumstances, "first.json")
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(shelf.pack()), type=type(shelf.pack()))
    for folder in ("a", "b"):
        filed = other.put_all(packed, [f"{folder}/{number}" for number in range(5)])
        assert [one.sample for one in filed] == made(bench)
        assert [one.source for one in filed] == [f"{folder}/{number}" for number in range(5)]
        assert filed[3].kind is first.kind
        assert {one.circumstances.launcher for one in filed} == {"interpreter"}
        assert len({id(one.circumstances) for one in filed}) == 1
    assert first.circumstances.launcher == "other"
    assert len({id(Filed(other, place).circumstances) for place in range(len(other))}) == 2


def test_samples_are_a_sequence(bench: Any, shelf: Shelf) -> None:
    """Scorers of other packages may count them, and take parts."""
    samples = SamplesOf([Filed(shelf, place) for place in range(len(shelf))])
    assert len(samples) == 5
    assert samples[-1] == made(bench)[-1]
    assert list(samples[1:3]) == made(bench)[1:3]
    assert list(reversed(samples)) == made(bench)[::-1]


def test_a_report_more_costs_few_bytes(bench: Any) -> None:
    """Runs of the same tasks with other numbers, however many."""
    shelf = Shelf()
    sample = bench.sample(TASK, subject="m")
    circumstances = Reader().file(bench.report(TASK), "x.json").circumstances

    def put(number: int) -> Filed:
        numbered = msgspec.structs.replace(
            sample,
            repetition=number,
            wall_s=number / 7,
            dollars=number / 9,
            usage=Usage(input_tokens=10_000 + number, output_tokens=20_000 + number),
        )
        return shelf.put(numbered, circumstances, f"/results/run-{number // 260:04d}/{TASK}.json")

    held = [put(number) for number in range(5_000)]
    tracemalloc.start()
    try:
        held += [put(number) for number in range(5_000, 25_000)]
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken / 20_000 < MOST_BYTES
    assert held[-1].sample.wall_s == 24_999 / 7
