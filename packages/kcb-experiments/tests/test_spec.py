"""Specs: what a person may write, and how plainly a slip is named."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from kcb_core.codec import encode
from kcb_core.errors import DataError, DeclarationError
from kcb_experiments.spec import Spec, decode_spec, read_spec

SPEC: dict[str, Any] = {
    "name": "small",
    "benchmark": {"dataset": "toy", "subset": "easy"},
    "budget": {},
    "subjects": [{"name": "a", "agent": "toy-agent"}, {"name": "b", "agent": "toy-agent"}],
}


def decoded(value: object, **rest: Any) -> Spec:
    """The spec of a value."""
    return decode_spec(encode(value), source="spec.json", **rest)


def changed(path: str, value: object) -> dict[str, Any]:
    """The small spec with something else at a path such as ``subjects.0.name``."""
    spec: Any = deepcopy(SPEC)
    *above, last = path.split(".")
    place = spec
    for step in above:
        place = place[int(step)] if step.isdigit() else place.setdefault(step, {})
    place[last] = value
    return spec  # type: ignore[no-any-return]


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    """A byte-order mark of an editor is let be in both."""
    toml = (
        'name = "small"\n[benchmark]\ndataset = "toy"\nsubset = "easy"\n[budget]\n'
        '[[subjects]]\nname = "a"\nagent = "toy-agent"\n[[subjects]]\nname = "b"\n'
        'agent = "toy-agent"\n'
    )
    (tmp_path / "spec.toml").write_bytes(b"\xef\xbb\xbf" + toml.encode())
    (tmp_path / "spec.json").write_bytes(b"\xef\xbb\xbf" + encode(SPEC))
    assert read_spec(tmp_path / "spec.toml") == read_spec(tmp_path / "spec.json") == decoded(SPEC)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("repetitons", 2, "unknown field 'repetitons'; did you mean 'repetitions'"),
        ("subjects.0.setings", {}, r"'subjects\[0\]'.*did you mean 'settings'"),
        ("repetitions", 0, "'repetitions' must be from 1 to"),
        ("groups", 5000, "'groups' must be from 1 to"),
        ("name", " ", "'name' is empty"),
        ("subjects", [], "names no subject"),
        ("subjects.1.name", "A", "names 'a' twice"),
        ("subjects.0.name", "../up", "must be letters, digits"),
        ("subjects.0.credentials", ["A KEY=1"], "no name of an environment variable"),
        ("benchmark.tasks", ["t"], "'tasks' and 'subset'"),
        ("benchmark.subset", "", "field 'benchmark': .*there is none"),
        ("budget.dollars", 0, "field 'budget': 'dollars' must be greater than 0"),
        ("budget.dollars", 1.0, "subject 'a' has no bound in dollars; give it a 'price'"),
        ("budget.tokens", 10, "subject 'a' has no bound in tokens; give it 'bounds.tokens'"),
        (
            "subjects.0.bounds",
            {"seconds": -1},
            "bounds': 'seconds' must be greater",
        ),
        ("subjects.0.price", {"input": -1, "output": 1}, r"subjects\[0\].price': every price"),
        ("executor.egress_proxy", "mitmproxy==12.2.3", "cannot keep a subject to a proxy"),
        ("executor.egress_proxy", "mitmproxy", "'egress_proxy' 'mitmproxy' must be pinned"),
        ("executor.egress_proxy", "http://proxy:8080", "must be pinned"),
        ("subjects.0.egress_proxy", "http://p", r"subjects\[0\].egress_proxy': a subject cannot"),
        ("subjects.1.settings", {"egressProxy": ""}, r"subjects\[1\].settings.egressProxy'"),
        ("subjects.0.options", {"egress_proxy": ""}, r"subjects\[0\].options.egress_proxy'"),
        ("subjects.1.options", {"egress_blocked": "x"}, r"subjects\[1\].options.egress_blocked'"),
    ],
)
def test_a_slip_is_named_with_its_field(path: str, value: object, says: str) -> None:
    """One line, the field in it, exit status 2: before anything is asked or paid."""
    with pytest.raises(DataError, match=says) as caught:
        decoded(changed(path, value))
    assert "spec.json" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


def test_an_executor_that_enforces_a_proxy_may_have_one() -> None:
    """The fault is enforcement that would be absent, and not a proxy as such."""
    spec = decoded(changed("executor.egress_proxy", "mitmproxy==12.2.3"), enforcing=["process"])
    assert spec.executor.egress_proxy == "mitmproxy==12.2.3"


def test_a_free_model_keeps_a_cap_of_dollars() -> None:
    """A price of nothing is a price, and no bound is needed for it."""
    free = changed("budget.dollars", 1.0)
    for subject in free["subjects"]:
        subject["price"] = {"input": 0, "output": 0}
    assert decoded(free).subjects[0].unbounded == ("tokens",)


def test_the_worst_of_an_attempt_follows_from_bounds_and_price() -> None:
    """By the dearest class: no mixture of classes can cost more."""
    bounded = changed("subjects.0.bounds", {"seconds": 60, "tokens": 1_000_000})
    bounded["subjects"][0]["price"] = {"input": 1, "output": 4, "cache_read": 0.1}
    worst = decoded(bounded).subjects[0].worst
    assert (worst.dollars, worst.tokens, worst.seconds) == (4.0, 1_000_000, 60)


def test_an_unpriced_subject_may_be_allowed() -> None:
    """It is refused by default, since a cap in dollars would then mean nothing."""
    spec = changed("budget", {"dollars": 1.0, "allow_unpriced": True})
    assert decoded(spec).subjects[0].worst.dollars == 0


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """The path that was given, and no traceback."""
    with pytest.raises(DeclarationError, match=r"nothing\.toml"):
        read_spec(tmp_path / "nothing.toml")
