"""A subject's only way to the network, from before its sandbox is open until it has ended.

Everything is made for one subject and gone with it: a wire into its namespace, rules there, and a
proxy at the other end. Whatever cannot be had keeps the subject from being started.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from kcb_agents.egress.audit import Audit, read_audit
from kcb_agents.egress.component import (
    Component,
    blocklist_text,
    find_component,
    refuse_other_pin,
)
from kcb_agents.egress.gates import Expected, require
from kcb_agents.egress.intercepting import (
    CERTIFICATE,
    MOST_AUDIT_BYTES,
    PORT,
    Intercepting,
    start,
)
from kcb_agents.egress.judge import Blocklist
from kcb_agents.egress.link import RANGE, Ends, free_ends, lay, raise_inside
from kcb_agents.egress.namespace import Namespace, call, require_tools
from kcb_agents.egress.policy import rules
from kcb_agents.egress.warden import HEALTH_HOST
from kcb_core.codec import digest
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.roles import EGRESS_RECORD
from kcb_core.storage import write_whole
from kcb_runner.launch.leftovers import make_folder
from kcb_runner.machine import interpreter
from kcb_runner.sandbox import Sandbox
from kcb_runner.tree import remove_tree

NAME = "kcb-egress-proxy"
"""What the proxy is called in the subject's ``/etc/hosts``."""

REFUSED_HOST = "klein-code-bench.invalid"
"""A host that the proxy must refuse, to see whether it judges at all."""

_WITNESS_S = 60.0
_ALONE = ("unshare", "--net", "--")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
_CERTIFICATES = (
    *("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO"),
    *("NODE_EXTRA_CA_CERTS", "CARGO_HTTP_CAINFO"),
)
_NO_PROXY = "localhost,127.0.0.1,::1"


@dataclass(slots=True, kw_only=True)
class Passage:
    """What was made ready; nothing leads anywhere before :meth:`connect`."""

    component: Component
    ends: Ends
    private: Path
    published: Path
    names: tuple[str, ...]
    stack: ExitStack
    proxy: Intercepting | None = field(default=None)

    @property
    def hosts(self) -> dict[str, str]:
        """What stands in the subject's ``/etc/hosts`` besides."""
        return {NAME: str(self.ends.outside)}

    @property
    def environment(self) -> dict[str, str]:
        """Variables by which most programs find the proxy, and believe its certificate."""
        proxy = f"http://{NAME}:{PORT}"
        certificate = str(self.published / CERTIFICATE)
        return {
            **dict.fromkeys(_PROXIES, proxy),
            **dict.fromkeys(("NO_PROXY", "no_proxy"), _NO_PROXY),
            **dict.fromkeys(_CERTIFICATES, certificate),
            "NODE_USE_ENV_PROXY": "1",
        }

    def connect(self, box: Sandbox) -> None:
        """Give an open sandbox its way out, and see that it has no other.

        Args:
            box: it shows the folder of what is published, and has the proxy's name.

        Raises:
            MachineError: something does not hold; nothing may be started in the sandbox.
        """
        namespace = self.stack.enter_context(Namespace(box.pid))
        lay(self.ends, namespace, box.pid)
        asked = rules(self.ends.outside, PORT)
        namespace.run("nft", "-f", "-", text=asked)
        raise_inside(namespace)
        self.proxy = start(
            self.component, self.private, self.published, self.ends.outside, names=self.names
        )
        self.stack.callback(self.proxy.end)
        self.proxy.publish(self.ends.outside)
        said = self._testimony(box)
        expected = Expected(
            namespace=namespace.identity,
            rules_asked=listed_alone(asked),
            rules_live=namespace.run("nft", "list", "ruleset"),
            address=str(self.ends.outside),
            nonce=self.proxy.nonce,
            published={p.name: digest(p.read_bytes()) for p in self.published.iterdir()},
        )
        require(said, expected)

    def _testimony(self, box: Sandbox) -> bytes:
        """What a witness prints in the subject's place."""
        text = files("kcb_agents.egress").joinpath("witness.py").read_text(encoding="utf-8")
        words = (NAME, str(PORT), HEALTH_HOST, REFUSED_HOST, str(self.published), str(self.private))
        done = box.run((interpreter(), "-I", "-c", text, *words), timeout_s=_WITNESS_S)
        if done.status != 0:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["nothing"]
            raise MachineError(f"the subject was not started: its witness says: {lines[-1]}")
        return done.stdout

    def end(self, keep: Path) -> Audit:
        """End the proxy, once the subject has ended, and keep its record.

        Args:
            keep: a folder for the record, which is there whole or not at all.

        Raises:
            MachineError: the record is missing or not whole; nothing can be said of the subject.
        """
        if self.proxy is None:
            raise MachineError("the egress record is missing: there was no proxy")
        self.proxy.end()
        audit = read_audit(self.proxy.audit, self.proxy.nonce, MOST_AUDIT_BYTES)
        write_whole(keep / EGRESS_RECORD, self.proxy.audit.read_bytes())
        return audit


def require_means(pin: str, names: Sequence[str] = ()) -> Component:
    """Make sure that a subject can be kept to a proxy here; the program of the proxy.

    A namespace is made, gets a wire and rules, and is gone again.

    Args:
        pin: the proxy that is asked for.
        names: names to refuse besides those of the blocklist.

    Raises:
        DeclarationError: it is not the pinned one, a name means nothing, or this machine lacks
            something for it.
    """
    refuse_other_pin(pin)
    try:
        Blocklist.read(blocklist_text(), names)
    except ValueError as error:
        raise DeclarationError(f"field 'egress_blocked': {error}") from None
    require_tools()
    component = find_component()
    try:
        call(*_ALONE, "ip", "link", "add", "type", "veth")
        listed_alone(rules(next(RANGE.hosts()), PORT))
    except MachineError as error:
        raise DeclarationError(f"no egress policy here: {error}") from None
    return component


@contextmanager
def passage_for(pin: str, names: tuple[str, ...] = ()) -> Iterator[Passage]:
    """A passage by the pinned proxy; arguments and errors as in what it is made of."""
    with prepared(require_means(pin, names), names) as passage:
        yield passage


@contextmanager
def prepared(component: Component, names: tuple[str, ...] = ()) -> Iterator[Passage]:
    """A passage for one subject; in the end its proxy is ended and its folder removed.

    Args:
        component: the pinned program.
        names: names to refuse besides those of the blocklist.

    Raises:
        MachineError: this machine fails.
    """
    folder = make_folder("agent", None)
    try:
        private, published = folder / "private", folder / "published"
        private.mkdir(0o700)
        published.mkdir(0o755)
        folder.chmod(0o755)
        with ExitStack() as stack:
            yield Passage(
                component=component, ends=free_ends(), private=private, published=published,
                names=names, stack=stack,
            )  # fmt: skip
    finally:
        remove_tree(folder)


def listed_alone(asked: str) -> str:
    """How nft lists some rules, by a new namespace in which there are no others.

    How a rule is written differs from version to version; two lists of one version do not.

    Raises:
        MachineError: the rules are refused.
    """
    script = "nft -f - && nft list ruleset"
    return call(*_ALONE, "sh", "-c", script, text=asked)
