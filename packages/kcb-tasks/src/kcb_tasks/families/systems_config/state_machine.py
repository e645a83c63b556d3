"""State machine: events, transitions with a fallback, and states that are out of reach."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Nullable, Record, Text, label, optional, required

_SUMMARY = """\
Runs `events`, in order, through a state machine, and finds states that it can never reach.

Each element of `transitions` has `from`, a state or `*`; `on`, an event; `to`, a state; and `emit`,
a string or `null`. For an event in a state, the transition that applies is the one whose `from` is
that state and whose `on` is that event. If there is none, it is the one whose `from` is `*` and
whose `on` is that event. If there is none either, no transition applies.

The machine begins in the state `initial`. For each event:

- If a transition applies, it is executed: its `to` becomes the state, which may be the same state
  as before, and its `emit` is emitted, unless it is `null`.
- If none applies, `on_undefined` decides. `error`: this is the error `undefined_transition`.
  `ignore`: the event is ignored, and the state stays. `stop`: the run ends before this event.

A state is reachable if it is `initial`, or if in some reachable state, for any event whatever, a
transition applies that leads to it. The given `events` do not matter for this."""

_RESULT = """\
An object with these members:

- `final`: the state at the end.
- `accepted`: `true` if that state is in `finals`, otherwise `false`.
- `trace`: an array of states: `initial`, and then the `to` of each executed transition, in order.
- `emitted`: an array of the strings emitted, in order.
- `ignored`: the number of ignored events.
- `consumed`: the number of executed transitions plus `ignored`.
- `unreachable`: an array of the states that are not reachable, in the order of `states`."""

_RULES = """\
- A transition from `*` does not apply in a state that has a transition of its own for the event,
  neither in the run nor for reaching states.
- An empty string is emitted like any other.
- An `on` need not occur in `events`, nor an event in an `on`. `*` has no special meaning as an
  `on` or as an event."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    states, transitions = fields["states"], fields["transitions"]
    if "*" in states or len(set(states)) < len(states):
        raise DomainError("duplicate_state")
    named = [fields["initial"], *fields["finals"], *(each["to"] for each in transitions)]
    named += [each["from"] for each in transitions if each["from"] != "*"]
    if not set(named) <= set(states):
        raise DomainError("unknown_state")
    table = {(each["from"], each["on"]): each for each in transitions}
    if len(table) < len(transitions):
        raise DomainError("nondeterministic")
    return {**_run(fields, table), "unreachable": _unreachable(states, fields["initial"], table)}


_Table = Mapping[tuple[str, str], Any]


def _run(fields: Mapping[str, Any], table: _Table) -> dict[str, Json]:
    trace, emitted, ignored = [fields["initial"]], list[Json](), 0
    for event in fields["events"]:
        transition = _applying(table, trace[-1], event)
        if transition:
            trace.append(transition["to"])
            emitted.append(transition.get("emit"))
        elif fields["on_undefined"] == "error":
            raise DomainError("undefined_transition")
        elif fields["on_undefined"] == "stop":
            break
        else:
            ignored += 1
    return {
        "final": trace[-1],
        "accepted": trace[-1] in fields["finals"],
        "trace": trace,
        "emitted": [text for text in emitted if text is not None],
        "ignored": ignored,
        "consumed": len(trace) - 1 + ignored,
    }


def _applying(table: _Table, state: str, event: str) -> Any:
    return table.get((state, event)) or table.get(("*", event))


def _unreachable(states: Sequence[str], initial: str, table: _Table) -> list[Json]:
    events = {event for _, event in table}
    reached, waiting = {initial}, [initial]
    while waiting:
        state = waiting.pop()
        applying = [_applying(table, state, event) for event in events]
        found = {each["to"] for each in applying if each} - reached
        reached |= found
        waiting += found
    return [state for state in states if state not in reached]


def _generate(rng: random.Random) -> dict[str, Json]:
    states = rng.sample(_STATES, rng.randint(1, 8))
    events = rng.sample(_EVENTS, rng.randint(1, 5))
    transitions = _draw_transitions(rng, states, events)
    given = rng.choice(["error", "ignore", "ignore", "stop", None])
    drawn: dict[str, Json] = {"states": states, "initial": rng.choice(states)}
    if rng.random() < 0.7:
        drawn["finals"] = [rng.choice(states) for _ in range(rng.randint(0, 3))]
    drawn["transitions"] = transitions
    strict = given in ("error", None)
    drawn["events"] = _draw_events(rng, drawn, events, 0.0 if strict else 0.3)
    if strict and rng.random() < 0.2:
        drawn["events"] += ["noise", rng.choice(events)]
    if given:
        drawn["on_undefined"] = given
    if rng.random() < 0.2:
        _spoil(rng, drawn)
    return drawn


def _draw_transitions(
    rng: random.Random, states: Sequence[str], events: Sequence[str]
) -> list[dict[str, Json]]:
    """Transitions among some of the states, so that others are out of reach."""
    targets = rng.sample(states, rng.randint(1, len(states)))
    transitions: list[dict[str, Json]] = []
    for state in (*states, "*"):
        for event in events:
            if rng.random() < 0.4:
                transition: dict[str, Json] = {
                    "from": state,
                    "on": event,
                    "to": rng.choice(targets),
                }
                if rng.random() < 0.6:
                    transition["emit"] = rng.choice(
                        ["x", "y", "", None, "go", "é😀", "e\u0301", "*"]
                    )
                transitions.append(transition)
    rng.shuffle(transitions)
    return transitions


def _draw_events(
    rng: random.Random, drawn: Mapping[str, Any], events: Sequence[str], stray: float
) -> list[Json]:
    """Events for which a transition applies, and some for which perhaps none does."""
    table = {(each["from"], each["on"]): each for each in drawn["transitions"]}
    state, found = drawn["initial"], list[Json]()
    for _ in range(rng.choice([0, 1, 5, 10, 20])):
        fitting = [event for event in events if _applying(table, state, event)]
        if rng.random() < stray:
            fitting = [*events, "noise"]
        if fitting:
            event = rng.choice(fitting)
            state = (_applying(table, state, event) or {"to": state})["to"]
            found.append(event)
    return found


def _spoil(rng: random.Random, drawn: dict[str, Json]) -> None:
    """Put one fault into an input, seldom two."""
    for _ in range(rng.choice([1, 1, 2])):
        fault = rng.choice(["state", "to", "twice", "from", "twice", "state", "finals", "initial"])
        if fault == "state":
            drawn["states"] = [*drawn["states"], rng.choice([*drawn["states"], "*"])]
        elif fault == "initial":
            drawn["initial"] = rng.choice(["*", "nowhere"])
        elif fault == "finals":
            drawn["finals"] = [drawn["initial"], rng.choice(["*", "nowhere"])]
        elif drawn["transitions"]:
            again = dict(rng.choice(drawn["transitions"]))
            if fault == "twice":
                again["to"] = rng.choice(drawn["states"])
            else:
                again[fault] = "nowhere" if fault == "from" else "*"
            drawn["transitions"] = [*drawn["transitions"], again]


_STATES = ("idle", "Idle", "run", "done", "é", "e\u0301", "😀", "ｚ", " ", "a b", "lost", "0")

_EVENTS = ("go", "Go", "tick", "reset", "*", "é", "e\u0301", "😀", "run", " ")


def _move(origin: str, event: str, target: str, *emit: str | None) -> Json:
    transition: dict[str, Json] = {"from": origin, "on": event, "to": target}
    return {**transition, "emit": emit[0]} if emit else transition


def _machine(
    states: str, transitions: Sequence[Json], events: str = "", **more: Json
) -> dict[str, Json]:
    """An input in short: states and events in one text, the first state is the initial one."""
    names = states.split()
    fields = {"states": names, "initial": names[0], "transitions": list(transitions)}
    return {**fields, "events": events.split(), **more}


def _ran(
    fields: dict[str, Json],
    trace: str,
    *,
    accepted: bool = False,
    emitted: Sequence[str] = (),
    ignored: int = 0,
    consumed: int,
    unreachable: str = "",
) -> Case:
    return Case(
        fields,
        {
            "final": trace.split()[-1],
            "accepted": accepted,
            "trace": trace.split(),
            "emitted": list(emitted),
            "ignored": ignored,
            "consumed": consumed,
            "unreachable": unreachable.split(),
        },
    )


def _fails(fields: dict[str, Json], error: str) -> Case:
    return Case(fields, error=error)


_TURNSTILE = (
    _move("locked", "coin", "open", "click"),
    _move("open", "push", "locked"),
    _move("*", "kick", "broken", ""),
    _move("broken", "kick", "broken", None),
)

_BOUNDARIES = (
    # Nothing happens; the initial state may be final, and finals may be repeated.
    _ran(_machine("a", []), "a", consumed=0),
    _ran(
        _machine("a b", [], finals=["a", "b", "a"]), "a", accepted=True, consumed=0, unreachable="b"
    ),
    _ran(_machine("b a", [], finals=["a"]), "b", consumed=0, unreachable="a"),
    # A transition of its own hides the one from `*`, in the run and for reaching states.
    _ran(
        _machine("é b", [_move("é", "x", "é"), _move("*", "x", "b")], "x y x", on_undefined="stop"),
        "é é",
        consumed=1,
        unreachable="b",
    ),
    _ran(
        _machine("a b c", [_move("*", "x", "c", "star"), _move("a", "x", "b", "own")], "x x x"),
        "a b c c",
        emitted=["own", "star", "star"],
        consumed=3,
    ),
    _ran(
        _machine(
            "a b c", [_move("a", "x", "b"), _move("b", "x", "a"), _move("*", "x", "c")], "x x"
        ),
        "a b a",
        consumed=2,
        unreachable="c",
    ),
    _ran(
        _machine("a b c", [_move("a", "x", "b"), _move("*", "y", "c"), _move("a", "y", "a")]),
        "a",
        consumed=0,
    ),
    # Emitted: an empty string, but neither null nor nothing; hidden transitions emit nothing.
    _ran(
        _machine("locked open broken", _TURNSTILE, "coin push coin kick kick", finals=["broken"]),
        "locked open locked open broken broken",
        accepted=True,
        emitted=["click", "click", ""],
        consumed=5,
    ),
    _ran(
        _machine("a", [_move("a", "x", "a", None), _move("*", "x", "a", "star")], "x x"),
        "a a a",
        consumed=2,
    ),
    # No transition applies: three ways to go on.
    _fails(_machine("locked open broken", _TURNSTILE, "coin coin push"), "undefined_transition"),
    _fails(
        _machine("locked open broken", _TURNSTILE, "push", on_undefined="error"),
        "undefined_transition",
    ),
    _ran(
        _machine(
            "locked open broken",
            _TURNSTILE,
            "push coin coin noise push push",
            on_undefined="ignore",
        ),
        "locked open locked",
        emitted=["click"],
        ignored=4,
        consumed=6,
    ),
    _ran(
        _machine("locked open broken", _TURNSTILE, "coin coin push", on_undefined="stop"),
        "locked open",
        emitted=["click"],
        consumed=1,
    ),
    _ran(
        _machine("locked open broken", _TURNSTILE, "push coin", on_undefined="stop"),
        "locked",
        consumed=0,
    ),
    _ran(_machine("a", [], "x y x", on_undefined="ignore"), "a", ignored=3, consumed=3),
    _fails(_machine("a", [], "x"), "undefined_transition"),
    # Names are compared exactly; `*` is an ordinary event.
    _fails(_machine("é a", [_move("é", "é", "a")], "e\u0301"), "undefined_transition"),
    _fails(_machine("a", [_move("a", "go", "a")], "Go"), "undefined_transition"),
    _fails(_machine("a", [_move("a", "*", "a")], "x"), "undefined_transition"),
    _ran(
        _machine("a b", [_move("*", "*", "b", "*")], "* *"), "a b b", emitted=["*", "*"], consumed=2
    ),
    # Reaching looks at all transitions, over any number of steps, but not backwards.
    _ran(
        _machine("a z y x w", [_move("a", "1", "x"), _move("x", "2", "y"), _move("z", "3", "a")]),
        "a",
        consumed=0,
        unreachable="z w",
    ),
    _ran(
        _machine(
            "a b c d",
            [
                _move("a", "1", "b"),
                _move("b", "2", "a"),
                _move("c", "1", "d"),
                _move("d", "1", "c"),
            ],
            "1",
        ),
        "a b",
        consumed=1,
        unreachable="c d",
    ),
    _ran(
        _machine("a b c", [_move("b", "x", "c"), _move("*", "y", "a")]),
        "a",
        consumed=0,
        unreachable="b c",
    ),
    _ran(
        _machine("a b", [_move("*", "x", "b")], "", initial="b"), "b", consumed=0, unreachable="a"
    ),
    # Malformed machines, in order of precedence.
    _fails(_machine("a a", [], initial="q"), "duplicate_state"),
    _fails(_machine("a *", [_move("a", "x", "*")], "x"), "duplicate_state"),
    _fails(_machine("a b a", [_move("a", "x", "b"), _move("a", "x", "b")]), "duplicate_state"),
    _fails(_machine("a", [], initial="A"), "unknown_state"),
    _fails(_machine("a", [], initial="*"), "unknown_state"),
    _fails(_machine("a", [], finals=["a", "e\u0301"]), "unknown_state"),
    _fails(_machine("a", [], finals=["*"]), "unknown_state"),
    _fails(_machine("a", [_move("b", "x", "a")]), "unknown_state"),
    _fails(_machine("a", [_move("*", "x", "*")], "x"), "unknown_state"),
    _fails(_machine("a", [_move("a", "x", "q"), _move("a", "x", "a")]), "unknown_state"),
    _fails(_machine("a", [_move("*", "x", "a"), _move("*", "x", "a")]), "nondeterministic"),
    _fails(
        _machine(
            "a b", [_move("b", "x", "a", "1"), _move("b", "y", "a"), _move("b", "x", "b")], "z"
        ),
        "nondeterministic",
    ),
    _fails(_machine("a b", [_move("a", "x", "a"), _move("b", "x", "q")], "z"), "unknown_state"),
)

FAMILY = Family(
    number=62,
    slug="state-machine",
    title="State machine runner",
    category="systems-config",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("states", Array(label(), 1, 100), "The states, each by its name."),
        required("initial", label(), "The state at the start."),
        optional("finals", Array(label(), 0, 100), [], "The states that make a run accepted."),
        required(
            "transitions",
            Array(
                Record(
                    (
                        required("from", label()),
                        required("on", label()),
                        required("to", label()),
                        optional("emit", Nullable(Text(0, 100)), None),
                    )
                ),
                0,
                500,
            ),
            "The transitions.",
        ),
        required("events", Array(label(), 0, 1_000), "The events to run."),
        optional(
            "on_undefined",
            Choice("error", "ignore", "stop"),
            "error",
            "What happens if no transition applies.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_state", "A state is twice in `states`, or `*` is in `states`."),
        ErrorCode(
            "unknown_state",
            "`initial`, an element of `finals`, a `to`, or a `from` other than `*` is not in "
            "`states`.",
        ),
        ErrorCode("nondeterministic", "Two transitions have the same `from` and the same `on`."),
        ErrorCode(
            "undefined_transition",
            "`on_undefined` is `error`, and during the run no transition applies for an event.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_ran(
        _machine(
            "idle run done lost",
            [
                _move("idle", "start", "run", "go"),
                _move("run", "tick", "run", "t"),
                _move("run", "end", "done"),
                _move("done", "reset", "done"),
                _move("*", "reset", "idle", "r"),
            ],
            "start tick noise reset start end reset",
            finals=["done"],
            on_undefined="ignore",
        ),
        "idle run run idle run done done",
        accepted=True,
        emitted=["go", "t", "r", "go"],
        ignored=1,
        consumed=7,
        unreachable="lost",
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _ran(
            _machine(
                "off on hot spare",
                [
                    _move("*", "power", "on", "hum"),
                    _move("on", "power", "off", ""),
                    _move("on", "heat", "hot"),
                    _move("spare", "heat", "off"),
                ],
                "power power power heat power cool power",
                finals=["on", "off"],
                on_undefined="stop",
            ),
            "off on off on hot on",
            accepted=True,
            emitted=["hum", "", "hum", "hum"],
            consumed=5,
            unreachable="spare",
        ),
        _fails(
            _machine("off on", [_move("off", "x", "on"), _move("*", "y", "off")], "x y y x x"),
            "undefined_transition",
        ),
    ),
    malformed=(
        {"states": [], "initial": "a", "transitions": [], "events": []},
        {"states": "a", "initial": "a", "transitions": [], "events": []},
        {"states": ["a", 1], "initial": "a", "transitions": [], "events": []},
        {"states": ["a", ""], "initial": "a", "transitions": [], "events": []},
        {"states": ["a", "a" * 41], "initial": "a", "transitions": [], "events": []},
        {"states": ["a", "a"], "initial": None, "transitions": [], "events": []},
        {"states": ["a"], "initial": ["a"], "transitions": [], "events": []},
        {"states": ["a"], "initial": "", "transitions": [], "events": []},
        _machine("a", [], finals="a"),
        _machine("a", [], finals=None),
        _machine("a", [], finals=[""]),
        {**_machine("a", []), "transitions": {"a": {"x": "a"}}},
        _machine("a", ["a"]),
        _machine("a", [["a", "x", "a"]]),
        _machine("a", [{"on": "x", "to": "a"}]),
        _machine("a", [{"from": "a", "to": "a"}]),
        _machine("a", [{"from": "a", "on": "x"}]),
        _machine("a", [{"from": "a", "on": "x", "to": None}]),
        _machine("a", [{"from": ["a"], "on": "x", "to": "a"}]),
        _machine("a", [{"from": "a", "on": "", "to": "a"}]),
        _machine("a", [{"from": "a", "on": "x", "to": "a", "emit": 1}]),
        _machine("a", [{"from": "a", "on": "x", "to": "a", "emit": False}]),
        _machine("a", [{"from": "a", "on": "x", "to": "a", "emit": ["x"]}]),
        _machine("a", [{"from": "a", "on": "x", "to": "a", "emit": "😀" * 101}]),
        {**_machine("a", []), "events": "x"},
        {**_machine("a", []), "events": None},
        {**_machine("a", []), "events": ["x", 1]},
        {**_machine("a", []), "events": ["x", ""]},
        _machine("a", [], on_undefined="Error"),
        _machine("a", [], on_undefined="skip"),
        _machine("a", [], on_undefined=None),
        _machine("a a", [], "x", on_undefined=["error"]),
    ),
)
