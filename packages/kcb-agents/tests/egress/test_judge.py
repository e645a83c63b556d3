"""What leads to answers is refused however it is spelt, and nothing else is."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_agents.egress.component import blocklist_text
from kcb_agents.egress.judge import MOST_WRAPPED, Blocklist
from kcb_agents.egress.spelling import MOST_CHARACTERS, MOST_ROUNDS

BLOCKLIST = Blocklist.read(blocklist_text())

REFUSED = [
    ("klein-code-bench.org", "/"),
    ("github.com", "/someone/klein-code-bench"),
    ("github.com", "/someone/Klein_Code_Bench/blob/main/README.md"),
    ("raw.githubusercontent.com", "/laude-institute/terminal-bench-2/main/x/solution.sh"),
    ("codeload.github.com", "/harbor-framework/terminal-bench/zip/refs/heads/main"),
    ("gitlab.com", "/api/v4/projects/someone%2Fterminal-bench/repository"),
    ("cdn.jsdelivr.net", "/gh/laude-institute/harbor@main/registry.json"),
    ("huggingface.co", "/datasets/x/terminal-bench-trajectories"),
    ("index.example", "/simple/kcb-references/"),
    ("duckduckgo.com", "/?q=kcb-easy-001-word-frequency"),
    ("files.example", "/packages/ab/cd/kcb_tasks-0.1.0-py3-none-any.whl"),
    ("www.tbench.ai", "/leaderboard"),
    ("tbench.ai.", "/"),
    ("TBENCH.AI", "/"),
    ("tbench-ai.translate.goog", "/leaderboard"),
    ("klein--code--bench-org.translate.goog", "/"),
    ("tbench-ai.cdn.ampproject.org", "/c/s/tbench.ai/"),
    ("web.archive.org", "/web/2025id_/https://www.tbench.ai/registry"),
    ("r.jina.ai", "/https://tbench.ai"),
    ("duckduckgo.com", "/?q=terminal+bench+solutions"),
    ("duckduckgo.com", "/?q=%22terminal%20bench%22"),
    ("example.org", "/fetch?url=" + quote(quote("https://tbench.ai/x", safe=""), safe="")),
    ("example.org", "/p/" + base64.urlsafe_b64encode(b"https://www.tbench.ai/a").decode()),
    ("github.com", "/a/b/commit/69671fbaac6d67a7ef0dfec016cc38a64ef7a77c"),
    ("example.org", "/blob/69671fbaac6d"),
    ("github.com", "/laude-institute/x/../harbor/blob/main/registry.json"),
    ("github.com", "//laude-institute//harbor"),
    ("github.com", "/laude-institute\\harbor"),
    ("github.com", "/someone/tеrminal-bench"),  # a Cyrillic letter
    ("github.com", "/someone/%EF%BD%94erminal-bench"),  # a fullwidth one, encoded
    ("github.com", "/someone/termi\u200bnal\u2010bench"),
    ("xn--trminal-bench-w3k.org", "/"),
    ("patch-diff.githubusercontent.com", "/raw/a/b/pull/1.patch"),
]  # fmt: skip

ALLOWED = [
    ("github.com", "/torvalds/linux"),
    ("github.com", "/alacritty/vtebench"),
    ("github.com", "/someone/terminal-benchmark"),
    ("github.com", "/goharbor/harbor/releases"),
    ("github.com", "/search?q=bench+press+terminal"),
    ("index.example", "/simple/requests/"),
    ("index.example", "/simple/kcb/"),
    ("files.example", "/packages/70/8e/requests-2.32.3-py3-none-any.whl"),
    ("registry.example", "/@types%2fnode"),
    ("docs.python.org", "/3/library/curses.html?highlight=terminal#bench"),
    ("api.github.com", "/repos/a/b/commits/69671f0000000000000000000000000000000000"),
    ("web.archive.org", "/web/2025/https://docs.python.org/3/"),
    ("crates.io", "/api/v1/crates/criterion?x=benchmark-terminal"),
    ("mirror.example", "/debian/dists/bookworm/InRelease"),
    ("terminal.org", "/bench"),
    ("example.org", "/?data=" + base64.urlsafe_b64encode(bytes(range(60))).decode()),
    ("93.184.215.14", "/"),
]


@pytest.mark.parametrize(("host", "target"), REFUSED)
def test_what_leads_to_answers_is_refused(host: str, target: str) -> None:
    """Each is a spelling that a program, a mirror or a page in between really uses."""
    assert BLOCKLIST.judge(host, target) is not None


@pytest.mark.parametrize(("host", "target"), ALLOWED)
def test_everything_else_passes(host: str, target: str) -> None:
    """The network is there to be used: only pages on a benchmark are kept away."""
    assert BLOCKLIST.judge(host, target) is None


def test_a_name_that_only_the_host_holds_is_found_there() -> None:
    """And one that only the path holds, in the path."""
    in_host = BLOCKLIST.judge("terminal-bench.example.org", "/")
    in_path = BLOCKLIST.judge("example.org", "/terminal-bench")
    assert in_host is not None
    assert in_path is not None
    assert (in_host.field, in_path.field) == ("host", "path")


def test_a_finding_in_a_wrapped_url_is_one_in_the_path() -> None:
    """Though it is a host there."""
    found = BLOCKLIST.judge("web.archive.org", "/web/1/https://tbench-ai.translate.goog/")
    assert found is not None
    assert (found.field, found.entry) == ("path", "tbench.ai")


@given(st.sampled_from(["terminal-bench", "klein-code-bench"]), st.data())
def test_no_rule_matches_across_host_and_path(name: str, data: st.DataObject) -> None:
    """Half of a name in each is no name, wherever it is cut."""
    words = name.split("-")
    cut = data.draw(st.integers(1, len(words) - 1))
    host, path = "-".join(words[:cut]), "-".join(words[cut:])
    assert BLOCKLIST.judge(f"a.{host}", f"/{path}") is None
    assert BLOCKLIST.judge(f"a.{host}", path) is None


PLAIN = [pair for pair in REFUSED if "%" not in pair[1]]
ENCODED = st.text(alphabet="01", min_size=16, max_size=16)


@given(st.sampled_from(PLAIN), st.integers(0, MOST_ROUNDS - 4), ENCODED, st.booleans())
def test_encoding_more_often_hides_nothing(
    pair: tuple[str, str], rounds: int, bits: str, upper: bool
) -> None:
    """Any letters may be percent-encoded, as often as is read; case never matters."""
    host, target = pair
    encoded = "".join(
        f"%{ord(letter):02X}" if bits[n % len(bits)] == "1" and letter.isascii() and
        letter not in "/?%" else letter
        for n, letter in enumerate(target)
    )  # fmt: skip
    for _ in range(rounds):
        encoded = quote(encoded, safe="/?&=")
    if upper and BLOCKLIST.judge(host, "/") is not None:
        host = host.upper()
    assert BLOCKLIST.judge(host, encoded) is not None


@given(st.sampled_from(REFUSED), st.integers(0, 2))
def test_wrapping_again_hides_nothing(pair: tuple[str, str], times: int) -> None:
    """A page of a page of a page is still that page."""
    host, target = pair
    for _ in range(times):
        host, target = "web.archive.org", f"/web/2025/https://{host}{target}"
    assert BLOCKLIST.judge(host, target) is not None


ANY = st.characters(exclude_categories=())


@given(st.text(ANY, max_size=60), st.text(ANY, max_size=200))
def test_any_text_gets_a_verdict(host: str, target: str) -> None:
    """Whatever a hostile client sends, the judge does not fail."""
    BLOCKLIST.judge(host, target)


@given(st.sampled_from(ALLOWED), st.sampled_from(ALLOWED))
def test_wrapping_what_is_allowed_stays_allowed(
    outer: tuple[str, str], inner: tuple[str, str]
) -> None:
    """A URL in a URL is nothing to be refused for."""
    assert BLOCKLIST.judge(outer[0], f"/go?to=https://{inner[0]}{inner[1]}") is None


@pytest.mark.parametrize(
    "target",
    [
        "/" + "a" * MOST_CHARACTERS,
        "/" + "%25" * 1 + "25" * MOST_ROUNDS + "41",
        "/?" + "&".join(f"u=https://a{n}.org/" for n in range(MOST_WRAPPED + 1)),
        "/" + "http://a.org/" * (MOST_WRAPPED + 1),
        "/" + "%20".join(f"http://a.org/{n}" for n in range(MOST_WRAPPED + 1)),
    ],
)
def test_what_cannot_be_read_to_its_end_is_refused(target: str) -> None:
    """It says so, and costs no time."""
    found = BLOCKLIST.judge("example.org", target)
    assert found is not None
    assert found.why == "cannot be read"


def test_further_names_are_refused_too() -> None:
    """Those of another benchmark that an experiment uses."""
    more = Blocklist.read(blocklist_text(), ["Other Bench"])
    assert BLOCKLIST.judge("github.com", "/x/other-bench") is None
    found = more.judge("github.com", "/x/other_bench")
    assert found is not None
    assert found.why == "configured names"


@pytest.mark.parametrize("name", ["", "a", "---", "x.*y", "abc"])
def test_a_name_that_means_nothing_is_refused(name: str) -> None:
    """It would keep everything away, or nothing."""
    with pytest.raises(ValueError, match="is no name"):
        Blocklist.read(blocklist_text(), [name])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("format = 2\nentries = []", "no blocklist of format"),
        ("format = 1", "no blocklist of format"),
        ('format = 1\n[[entries]]\nwhy = "x"\nnmes = []', "unknown field 'nmes'"),
        ('format = 1\n[[entries]]\nwhy = "x"\nrevisions = ["abc"]', "no revision"),
        ('format = 1\n[[entries]]\nwhy = "x"\nrepositories = ["abc"]', "no repository"),
    ],
)
def test_a_list_with_a_slip_is_refused(text: str, says: str) -> None:
    """An entry that is not understood would be one that is not kept."""
    with pytest.raises(ValueError, match=says):
        Blocklist.read(text)
