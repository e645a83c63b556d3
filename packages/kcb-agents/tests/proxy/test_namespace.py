"""The proxy at a socket that was made in a subject's own network namespace."""

import json
import socket
import subprocess
import sys
from typing import Any

import pytest

USAGE = {"prompt_tokens": 5, "completion_tokens": 2}

NO_NAMESPACE = 77

SUBJECT = """
import ctypes, fcntl, http.client, json, os, socket, struct, sys

NEW_USER, NEW_NET = 0x10000000, 0x40000000
libc = ctypes.CDLL(None, use_errno=True)
if libc.unshare(NEW_NET) and libc.unshare(NEW_USER | NEW_NET):
    sys.exit(77)
with socket.socket() as probe:  # SIOCSIFFLAGS: up, running
    fcntl.ioctl(probe, 0x8914, struct.pack("16sh14x", b"lo", 0x41))
with socket.create_server(("127.0.0.1", 0)) as listener:
    port = listener.getsockname()[1]
    with socket.socket(fileno=int(sys.argv[1])) as out:
        socket.send_fds(out, [b"x"], [listener.fileno()])
token, outside = sys.stdin.readline().split()
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
body = json.dumps({"model": "m"})
connection.request("POST", "/v1/chat/completions", body, {"Authorization": "Bearer " + token})
reply = connection.getresponse()
try:
    socket.create_connection(("127.0.0.1", int(outside)), timeout=5).close()
    reached = True
except OSError:
    reached = False
print(json.dumps({"status": reply.status, "said": json.load(reply), "reached": reached}))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="namespaces are Linux's")
def test_a_subject_without_any_network_reaches_its_model(endpoint: Any, serve: Any) -> None:
    """Its loopback holds the proxy and nothing else: no other route to a model exists."""
    endpoint.says({"choices": [], "usage": USAGE})
    ours, theirs = socket.socketpair()
    subject = subprocess.Popen(
        [sys.executable, "-c", SUBJECT, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    theirs.close()
    with ours:
        ours.settimeout(20)
        _, handles, *_ = socket.recv_fds(ours, 1, 1)
    if not handles:
        subject.communicate(timeout=20)
        assert subject.returncode == NO_NAMESPACE
        pytest.skip("this system gives nobody a network namespace")
    port = endpoint.url.rpartition(":")[2]
    with serve(models=("m",), listener=socket.socket(fileno=handles[0])) as client:
        out, _ = subject.communicate(f"{client.token} {port}\n", timeout=30)
        checkpoint = client.lease.end()
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(client.address, timeout=5)
    assert json.loads(out) == {
        "status": 200,
        "said": {"choices": [], "usage": USAGE},
        "reached": False,
    }
    assert checkpoint.usage_bearing == 1
