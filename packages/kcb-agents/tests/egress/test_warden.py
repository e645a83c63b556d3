"""What passes is written down, what is written is bounded, and what cannot be written stops."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.egress.audit import read_audit
from kcb_agents.egress.audit_log import AuditLog
from kcb_agents.egress.component import blocklist_text
from kcb_agents.egress.reach import at_large, own
from kcb_agents.egress.warden import Warden
from kcb_core.errors import MachineError

MOST = 1 << 16


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Settings of a warden, and its record."""
    said = {"nonce": "n", "audit": str(tmp_path / "audit.jsonl"), "most_bytes": MOST,
            "blocklist": blocklist_text(), "names": ["another-bench"]}  # fmt: skip
    (tmp_path / "settings.json").write_text(json.dumps(said))
    return tmp_path


@pytest.fixture
def warden(folder: Path) -> Warden:
    """One that has just begun."""
    return Warden(folder / "settings.json")


def lines(folder: Path) -> list[dict[str, Any]]:
    """The record so far, without its times."""
    found = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    times = [line.pop("at_s") for line in found]
    assert times == sorted(times)
    return found


def test_a_request_passes_and_is_written_down(warden: Warden, folder: Path) -> None:
    """With what it asked for, and the verdict."""
    assert warden.request("GET", "example.org", 443, ("example.org", ""), "/a?b") == ""
    assert lines(folder)[-1] == {
        "event": "request", "verdict": "passed", "method": "GET", "host": "example.org",
        "port": 443, "path": "/a?b",
    }  # fmt: skip


def test_a_request_is_refused_and_the_reason_written_down(warden: Warden, folder: Path) -> None:
    """The subject is told why as well: nothing is hidden from it."""
    why = warden.request("GET", "github.com", 443, (), "/x/terminal-bench")
    assert "benchmark names: terminal-bench" in why
    assert lines(folder)[-1]["why"] == "benchmark names: terminal-bench"
    assert lines(folder)[-1]["found_in"] == "path"


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda w: w.tunnel("tbench.ai", 443, nested=False), "task registries"),
        (lambda w: w.tunnel("example.org", 443, nested=True), "a tunnel in a tunnel"),
        (lambda w: w.tunnel("example.org", 53, nested=False), "name service"),
        (lambda w: w.request("GET", "a.org", 80, ("b.org", ""), "/"), "another host"),
        (lambda w: w.request("GET", "a.org", 80, ("a.org", "b.org"), "/"), "another host"),
        (lambda w: w.request("GET", "a.org", 80, (), "/another_bench"), "configured names"),
        (lambda w: w.connection("www.tbench.ai"), "task registries"),
        (lambda w: w.connection("127.0.0.1"), "no address of the internet"),
        (lambda w: w.connection("169.254.169.254"), "no address of the internet"),
        (lambda w: w.raw("tcp", "example.org"), "no HTTP"),
    ],
)
def test_each_way_out_is_refused_for_its_own_reason(warden: Warden, call: Any, why: str) -> None:
    """A tunnel, a greeting, a request, a connection, and what is no HTTP."""
    assert why in call(warden)


def test_the_same_host_spelt_otherwise_is_the_same(warden: Warden) -> None:
    """Clients differ in case, in brackets and in a last dot."""
    assert warden.request("GET", "example.org", 80, ("EXAMPLE.org.", "example.ORG"), "/") == ""
    assert warden.request("GET", "2606:2800::1", 80, ("[2606:2800::1]",), "/") == ""


def test_names_lead_only_to_the_internet(warden: Warden, folder: Path) -> None:
    """Of several addresses those nearby are left out; where none is left, that is refused."""
    assert warden.reachable("x.org", ["10.0.0.1", "93.184.215.14"]) == ["93.184.215.14"]
    assert warden.reachable("x.org", ["10.0.0.1", "::1"]) == []
    assert lines(folder)[-1]["addresses"] == ["10.0.0.1", "::1"]


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
     "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1",
     "::ffff:127.0.0.1", "::ffff:93.184.215.14", "64:ff9b::7f00:1", "2002:7f00:1::",
     "2001:0:7f00:1::", "ff02::1", "fe80::1%eth0", "example.org", ""],
)  # fmt: skip
def test_what_is_nearby_is_no_address_of_the_internet(address: str) -> None:
    """A proxy stands in a network where a subject must not get."""
    assert not at_large(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "1.1.1.1", "2606:2800:21f::1"])
def test_the_internet_is(address: str) -> None:
    """Else nothing could be reached at all."""
    assert at_large(address)


def test_an_address_of_this_machine_is_told() -> None:
    """Though it may be one of the internet, things listen there that are for nobody else."""
    assert own("127.0.0.1")
    assert not own("93.184.215.14")
    assert not own("no address")


def test_a_record_that_is_full_ends_and_nothing_passes(warden: Warden, folder: Path) -> None:
    """A flood buys a subject nothing that is not written down."""
    answers = [warden.request("GET", "example.org", 80, (), f"/{n}") for n in range(MOST // 64)]
    assert answers[0] == ""
    assert "full" in answers[-1]
    assert (folder / "audit.jsonl").stat().st_size <= MOST
    warden.close()
    audit = read_audit(folder / "audit.jsonl", "n", MOST)
    assert audit.truncated
    assert audit.passed == sum(not answer for answer in answers)
    assert lines(folder)[-1] == {"event": "truncated", "lines": len(lines(folder)) - 1}


def test_a_long_path_is_shortened_in_the_record_only(warden: Warden, folder: Path) -> None:
    """One request cannot fill it."""
    assert warden.request("GET", "example.org", 80, (), "/" + "a" * 9000) == ""
    assert len(lines(folder)[-1]["path"]) == 2048


def test_a_whole_record_is_counted(warden: Warden, folder: Path) -> None:
    """What passed and what did not, and whether that is all."""
    warden.request("GET", "example.org", 80, (), "/")
    warden.request("GET", "tbench.ai", 80, (), "/")
    warden.close()
    warden.close()
    audit = read_audit(folder / "audit.jsonl", "n", MOST)
    assert (audit.passed, audit.refused, audit.truncated) == (1, 1, False)


def missing(path: Path) -> None:
    """Nobody wrote it."""
    path.unlink()


def unended(path: Path) -> None:
    """Its proxy died."""
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def torn(path: Path) -> None:
    """The last line has no end."""
    path.write_bytes(path.read_bytes()[:-1])


def thinned(path: Path) -> None:
    """A line was taken out."""
    found = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((found[0], *found[2:])))


def replaced(path: Path) -> None:
    """It is of another proxy."""
    path.write_bytes(path.read_bytes().replace(b'"nonce":"n"', b'"nonce":"m"'))


@pytest.mark.parametrize("spoil", [missing, unended, torn, thinned, replaced])
def test_a_record_that_is_not_whole_says_nothing(warden: Warden, folder: Path, spoil: Any) -> None:
    """The attempt is then void, and no failure of the subject."""
    warden.request("GET", "example.org", 80, (), "/")
    warden.close()
    spoil(folder / "audit.jsonl")
    with pytest.raises(MachineError, match="egress record") as caught:
        read_audit(folder / "audit.jsonl", "n", MOST)
    assert caught.value.exit_status == 3


def test_a_record_is_never_written_over(folder: Path, warden: Warden) -> None:
    """Two proxies do not share one."""
    with pytest.raises(FileExistsError):
        AuditLog(str(folder / "audit.jsonl"), MOST)
