"""Gates before a subject is started: each fails closed, and says what it found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.egress.component import (
    PIN,
    VARIABLE,
    blocklist_text,
    find_component,
    lay_out,
    refuse_other_pin,
)
from kcb_agents.egress.gates import (
    CAPABILITY_SETS,
    NET_ADMIN,
    NET_RAW,
    Expected,
    capability_faults,
    require,
)
from kcb_core.errors import DeclarationError, MachineError

NONE = dict.fromkeys(CAPABILITY_SETS, "0000000000000000")

EXPECTED = Expected(
    namespace="net:[4026532281]",
    rules_asked="table inet kcb_egress {}\n",
    rules_live="table inet kcb_egress {}\n",
    address="198.18.7.1",
    nonce="n",
    published={"proxy-ipv4": "ab"},
)

SAID: dict[str, Any] = {
    "capabilities": NONE,
    "namespace": "net:[4026532281]",
    "address": "198.18.7.1",
    "health": {"status": 200, "body": '{"nonce": "n"}'},
    "refused": {"status": 403, "body": ""},
    "published": {"proxy-ipv4": "ab"},
    "writable": False,
    "private": False,
}


def test_the_gates_open_for_a_subject_that_has_no_other_way() -> None:
    """What the others spoil is good as it is."""
    require(json.dumps(SAID).encode(), EXPECTED)


@pytest.mark.parametrize("name", CAPABILITY_SETS)
@pytest.mark.parametrize("number", [NET_ADMIN, NET_RAW])
def test_a_capability_in_any_set_keeps_the_gates_shut(name: str, number: int) -> None:
    """One that is only in the bounding set can be had again by a program with privileges."""
    held = {**NONE, name: f"{1 << number:016x}"}
    with pytest.raises(MachineError, match=f"has CAP_NET_.* in {name}"):
        require(json.dumps({**SAID, "capabilities": held}).encode(), EXPECTED)


def test_other_capabilities_change_no_network() -> None:
    """Only the two that do are asked for."""
    others = ~(1 << NET_ADMIN | 1 << NET_RAW) & (1 << 41) - 1
    assert [*capability_faults(dict.fromkeys(CAPABILITY_SETS, f"{others:016x}"))] == []


@pytest.mark.parametrize("name", CAPABILITY_SETS)
def test_a_set_that_is_not_told_keeps_them_shut(name: str) -> None:
    """Nothing is taken for granted."""
    lacking = {key: value for key, value in NONE.items() if key != name}
    assert [*capability_faults(lacking)] == [f"its set {name} of capabilities is unknown"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"namespace": "net:[1]"}, r"would run in net:\[1\]"),
        ({"namespace": ""}, "would run in no namespace"),
        ({"address": ""}, "leads to nowhere"),
        ({"address": "127.0.0.1"}, "leads to 127.0.0.1"),
        ({"health": {"error": "timed out"}}, "not well: timed out"),
        ({"health": {"status": 200, "body": '{"nonce": "m"}'}}, "not well"),
        ({"health": {"status": 200, "body": "hello"}}, "not well"),
        ({"refused": {"status": 200, "body": ""}}, "does not refuse"),
        ({"published": {"proxy-ipv4": "ab", "key": "cd"}}, "what is published"),
        ({"writable": True}, "could change that"),
        ({"private": True}, "the key of its proxy is in its file system"),
    ],
)
def test_each_gate_is_one_of_its_own(change: dict[str, Any], says: str) -> None:
    """And what it found is in the message."""
    with pytest.raises(MachineError, match=says):
        require(json.dumps({**SAID, **change}).encode(), EXPECTED)


@pytest.mark.parametrize("live", ["", "table inet other {}\n", "table inet kcb_egress {}\nmore"])
def test_other_rules_or_none_keep_them_shut(live: str) -> None:
    """All rules of the namespace are compared, so that none was added either."""
    expected = Expected(
        namespace=EXPECTED.namespace, rules_asked=EXPECTED.rules_asked, rules_live=live,
        address=EXPECTED.address, nonce="n", published=EXPECTED.published,
    )  # fmt: skip
    with pytest.raises(MachineError, match="rules of its namespace"):
        require(json.dumps(SAID).encode(), expected)


@pytest.mark.parametrize("output", [b"", b"{}", b"[]", b"x" * 99, b'{"capabilities": {}}'])
def test_a_witness_that_says_nothing_keeps_them_shut(output: bytes) -> None:
    """Silence is no evidence."""
    with pytest.raises(MachineError, match="nothing that can be read"):
        require(output, EXPECTED)


@pytest.mark.parametrize("pin", ["mitmproxy", "mitmproxy==11.0.0", "http://proxy:8080", "x" * 200])
def test_a_proxy_that_is_not_pinned_to_the_one_version_is_refused(pin: str) -> None:
    """No other is known to keep what is promised."""
    with pytest.raises(DeclarationError, match="say 'mitmproxy=="):
        refuse_other_pin(pin)
    refuse_other_pin(PIN)


def test_an_environment_that_is_not_named_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the variable and the version, so that it can be made."""
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(DeclarationError, match=f"{VARIABLE} is not set.*{PIN}"):
        find_component()


@pytest.mark.parametrize(("said", "says"), [("11.0.0", "mitmproxy is 11.0.0"), ("", "is none")])
def test_another_version_in_it_is_refused(
    said: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there is asked, and not what its folder is called."""
    (tmp_path / "bin").mkdir()
    for name in ("python", "mitmdump"):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\nprintf '%s' '{said}'\n")
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(DeclarationError, match=says):
        find_component()


def test_an_environment_without_the_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty folder, or none."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(DeclarationError, match="there is no mitmproxy"):
        find_component()


def test_what_runs_in_the_proxy_names_nothing_of_this_project(tmp_path: Path) -> None:
    """It is copied flat, with all that it needs; the blocklist comes with its settings."""
    addon = lay_out(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert addon.name == "addon.py"
    assert names == {"addon.py", "warden.py", "judge.py", "spelling.py", "reach.py", "audit_log.py"}
    for path in tmp_path.iterdir():
        imports = [line for line in path.read_text().splitlines() if "import" in line.split()]
        assert not [line for line in imports if "kcb_" in line]
    assert "terminal-bench" in blocklist_text()
