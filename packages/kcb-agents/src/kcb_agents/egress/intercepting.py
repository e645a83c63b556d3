"""One intercepting proxy: started for one subject, asked whether it is well, and ended with it."""

from __future__ import annotations

import json
import os
import resource
import secrets
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from pathlib import Path

from kcb_agents.egress.component import VERSION, Component, blocklist_text, lay_out
from kcb_core.errors import MachineError

PORT = 8080
CERTIFICATE, ADDRESS = "mitmproxy-ca-cert.pem", "proxy-ipv4"
"""All that is published to a subject: the certificate of its proxy's authority, and where it is."""

MOST_AUDIT_BYTES = 16 << 20

_MOST_FILES, _MOST_BYTES = 2048, 4 << 30
"""What one proxy may have open and take of memory: a subject can flood its own, and no other."""

_UNPRIVILEGED = (
    *("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"),
    *("--no-new-privs", "--"),
)
"""Root without what makes it root: of this machine it keeps its own files."""

_START_S, _END_S, _LOOK_S = 60.0, 15.0, 0.05
_OPTIONS = {
    # Nothing is connected to before it is judged, and what is no HTTP is never handed on.
    "connection_strategy": "lazy",
    "rawtcp": "false",
    # One request at a time on a connection: a body begins where the headers say so.
    "http2": "false",
    "http3": "false",
    "onboarding": "false",
    "flow_detail": "0",
    "termlog_verbosity": "error",
}


@dataclass(slots=True, kw_only=True)
class Intercepting:
    """A proxy that runs."""

    private: Path
    """Its settings, the key of its authority and the record; no subject sees this folder."""
    published: Path
    """What its subject can read."""
    nonce: str = field(repr=False)
    _process: subprocess.Popen[bytes]

    @property
    def audit(self) -> Path:
        """Where the record is written."""
        return self.private / "audit.jsonl"

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def publish(self, address: IPv4Address, port: int = PORT) -> None:
        """Wait until it listens with a certificate, and publish that and its address.

        Args:
            address: where it was told to listen.
            port: at which port.

        Raises:
            MachineError: it has ended, or does not begin.
        """
        certificate = self.private / "authority" / CERTIFICATE
        until = time.monotonic() + _START_S
        while not (certificate.is_file() and self.audit.is_file() and _answers(address, port)):
            if not self.running or time.monotonic() > until:
                raise MachineError(f"the egress proxy did not start: {self._complaint()}")
            time.sleep(_LOOK_S)
        shutil.copyfile(certificate, self.published / CERTIFICATE)
        (self.published / ADDRESS).write_text(f"{address}\n", encoding="ascii")
        for path in self.published.iterdir():
            path.chmod(0o444)

    def end(self) -> None:
        """Have it write the last line of its record and end; kill it if it does not."""
        if self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _complaint(self) -> str:
        """The last line that it left on its standard error."""
        self.end()
        with suppress(OSError):
            lines = self._log.read_text("utf-8", "replace").strip().splitlines()
            return lines[-1] if lines else "it says nothing"
        return "it says nothing"

    @property
    def _log(self) -> Path:
        return self.private / "proxy.log"


def _answers(address: IPv4Address, port: int) -> bool:
    with suppress(OSError), socket.create_connection((str(address), port), _END_S):
        return True
    return False


def start(
    component: Component,
    folder: Path,
    published: Path,
    address: IPv4Address,
    *,
    port: int = PORT,
    names: tuple[str, ...] = (),
    most_bytes: int = MOST_AUDIT_BYTES,
) -> Intercepting:
    """Start a proxy at an address of this machine.

    Args:
        component: the pinned program.
        folder: an empty folder that nobody else can read; all that is private lies in there.
        published: an empty folder, for what its subject can read.
        address: where it listens.
        port: at which port.
        names: names to refuse besides those of the blocklist.
        most_bytes: greatest size of its record.

    Raises:
        MachineError: it cannot be started.
    """
    nonce = secrets.token_hex(16)
    program = folder / "program"
    program.mkdir(0o700)
    addon = lay_out(program)
    settings = folder / "settings.json"
    audit = folder / "audit.jsonl"
    told = {"nonce": nonce, "audit": str(audit), "most_bytes": most_bytes}
    settings.write_text(
        json.dumps({**told, "blocklist": blocklist_text(), "names": names}), "utf-8"
    )
    options = {**_OPTIONS, "confdir": str(folder / "authority")}
    options |= {"listen_host": str(address), "listen_port": str(port)}
    if trusted := os.environ.get("SSL_CERT_FILE"):
        options["ssl_verify_upstream_trusted_ca"] = trusted
    words = [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    environment = {
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(folder),
        "KCB_EGRESS_SETTINGS": str(settings), "KCB_EGRESS_VERSION": VERSION,
    }  # fmt: skip
    try:
        with open(folder / "proxy.log", "xb") as log:
            process = subprocess.Popen(
                (*_UNPRIVILEGED, *component.command, "--scripts", str(addon), *words),
                stdin=subprocess.PIPE, stdout=log, stderr=log,
                env=environment, cwd=folder, start_new_session=True,
            )  # fmt: skip
    except OSError as error:
        raise MachineError(f"the egress proxy cannot be started: {error.strerror}") from None
    proxy = Intercepting(private=folder, published=published, nonce=nonce, _process=process)
    try:
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (_MOST_FILES, _MOST_FILES))
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))
    except OSError as error:
        proxy.end()
        raise MachineError(f"the egress proxy cannot be bounded: {error.strerror}") from None
    return proxy
