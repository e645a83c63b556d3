"""The whole of it in real network namespaces: what gets out, and that nothing else does.

It makes all of its hosts and wires itself, and needs root, nftables, iproute2 and the environment
of the proxy. ``nox -s egress`` prepares that and runs it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.egress.gates import CAPABILITY_SETS

WORLD = Path(__file__).parent / "live" / "world.py"

REACHED_STILL = {"proxy", "own server"}


@pytest.fixture(scope="module")
def world(namespaces: None, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What came of everything that was tried."""
    folder = tmp_path_factory.mktemp("world")
    argv = ("unshare", "--net", "--mount", sys.executable, str(WORLD), str(folder))
    own = {**os.environ, "TMPDIR": str(folder)}  # where killed ones leave what they had
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False, env=own)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_without_rules_every_way_leads_out(world: Any) -> None:
    """Else what is shown of the rules would be shown by nothing."""
    assert set(world["policy"]["before"].values()) == {"reached"}


def test_with_rules_only_the_proxy_and_the_namespace_itself_are_reached(world: Any) -> None:
    """Raw sockets, ICMP, IPv6, name service, marks and old connections get nowhere."""
    after = world["policy"]["after"]
    assert {name for name, how in after.items() if how == "reached"} == REACHED_STILL


def test_what_is_not_let_out_is_told_at_once(world: Any) -> None:
    """It is rejected: nobody waits for an answer that never comes."""
    assert "lost" not in world["policy"]["after"].values()


def test_the_rules_are_listed_as_they_were_asked_for(world: Any) -> None:
    """So the gate that compares them can open."""
    assert world["policy"]["same"]


def test_a_process_that_may_change_rules_is_kept_out_by_the_gate(world: Any) -> None:
    """The neighbour is root, as the test is: the filter holds it, and the gate still refuses it."""
    faults = world["policy"]["faults"]
    assert "it has CAP_NET_RAW in CapBnd" in faults
    assert "it has CAP_NET_ADMIN in CapEff" in faults


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("https", "page pages.example.org/a?b=c"),
        ("http", "page pages.example.org/d"),
        ("body", "page pages.example.org/e"),
    ],
)
def test_an_allowed_page_passes_through_the_proxy(world: Any, name: str, said: str) -> None:
    """By the variables that most programs read, with the certificate that is published."""
    assert world["passage"]["said"]["pages"][name] == [200, said]


@pytest.mark.parametrize("name", ["blocked path", "blocked host", "wrapped"])
def test_a_blocked_page_is_refused_with_the_reason(world: Any, name: str) -> None:
    """In the path, by the host, and wrapped in the URL of another page."""
    status, said = world["passage"]["said"]["pages"][name]
    assert status == 403
    assert "kept from subjects" in said


@pytest.mark.parametrize("name", ["blocked tunnel", "blocked path with a body"])
def test_what_is_refused_early_has_no_page(world: Any, name: str) -> None:
    """The tunnel is not made, and a long body is not read."""
    status, said = world["passage"]["said"]["pages"][name]
    assert status in (0, 403), said
    assert "page " not in said


@pytest.mark.parametrize(
    "name",
    [
        "address nearby",
        "address of the machine",
        "loopback of the machine",
        "literal loopback",
        "metadata",
    ],
)
def test_the_proxy_leads_to_no_machine_nearby(world: Any, name: str) -> None:
    """It stands in the host's network, and what listens there is for nobody in a sandbox."""
    status, said = world["passage"]["said"]["pages"][name]
    assert status == 502, said


@pytest.mark.parametrize("name", ["shell", "bytes", "lines", "name service"])
def test_a_tunnel_for_something_else_than_http_is_ended(world: Any, name: str) -> None:
    """Not a byte of it reaches the other side, which would have echoed it."""
    _, echoed = world["passage"]["said"]["raw"][name]
    assert not echoed


def test_a_tunnel_serves_the_host_that_it_was_made_for(world: Any) -> None:
    """Neither a greeting nor a header can name another one behind it."""
    assert world["passage"]["said"]["fronted"] == [403, 403, 403]


@pytest.mark.parametrize("name", ["two lengths", "two hosts", "whole address", "tunnel in it"])
def test_what_two_readers_could_read_differently_is_refused(world: Any, name: str) -> None:
    """The proxy and the host behind it must not see two different requests."""
    said = world["passage"]["said"]["spoken"][name]
    assert "page pages" not in said
    assert said.split()[1][0] in "45", said


def test_each_request_on_a_connection_is_judged(world: Any) -> None:
    """The first of two passes, the second does not."""
    said = world["passage"]["said"]["spoken"]["two requests"]
    assert "page pages.example.org/one" in said
    assert "403" in said
    assert "/terminal-bench" not in said


def test_the_proxy_is_root_without_what_makes_it_root(world: Any) -> None:
    """It reads what hostile programs send, in the network of this machine."""
    assert world["passage"]["proxy"] == {name: "0" * 16 for name in CAPABILITY_SETS}


def test_a_subject_has_no_other_way_out(world: Any) -> None:
    """Whatever it does with its variables, and whatever socket it makes."""
    assert set(world["passage"]["said"]["ways"].values()) == {"refused"}


def test_a_subject_sees_the_certificate_and_the_address_and_nothing_else(world: Any) -> None:
    """The key of the authority, the settings and the record are not there."""
    said = world["passage"]["said"]
    assert said["published"] == ["mitmproxy-ca-cert.pem", "proxy-ipv4"]
    assert not said["hidden"]


def test_the_record_says_what_was_tried(world: Any) -> None:
    """What passed, what did not, and why; it ends as a whole one does."""
    lines = world["passage"]["lines"]
    passed = {(line["host"], line.get("path")) for line in lines if line.get("verdict") == "passed"}
    refused = [line for line in lines if line.get("verdict") == "refused"]
    why = {(line["event"], line["why"]) for line in refused}
    assert ("pages.example.org", "/a?b=c") in passed
    assert not [host for host, _ in passed if "tbench" in host]
    assert ("request", "benchmark names: terminal-bench") in why
    assert ("tunnel", "task registries: tbench.ai") in why
    assert ("request", "task registries: tbench.ai") in why
    assert ("request", "it names another host than it goes to") in why
    assert ("tunnel", "name service") in why
    assert ("tunnel", "it is no HTTP") in why
    assert ("connection", "it is in no address of the internet") in why
    assert lines[0]["event"] == "begun"
    assert lines[-1] == {"event": "ended", "lines": len(lines) - 1}


def test_nothing_passes_when_the_proxy_has_ended(world: Any) -> None:
    """The rules stay, and there is nobody behind the one address that they let through."""
    assert "Connection refused" in world["passage"]["without"]


def test_a_proxy_that_died_leaves_an_attempt_that_says_nothing(world: Any) -> None:
    """Its record has no end."""
    assert "egress record has no end" in world["died"]


def test_a_subject_without_the_name_of_its_proxy_is_not_started(world: Any) -> None:
    """The gate asks as the subject would."""
    assert "the proxy's name leads to nowhere" in world["unnamed"]


def test_a_subject_that_is_shown_too_much_is_not_started(world: Any) -> None:
    """What a declaration shows may hold what is private too, as all of ``/tmp`` may."""
    assert "the key of its proxy is in its file system" in world["shown"]


def test_a_harness_that_is_killed_leaves_no_proxy_and_no_wire(world: Any) -> None:
    """Both end with it, and nobody has to clean up after it."""
    assert world["abandoned"] == {"before": True, "proxy": False, "wire": False}
