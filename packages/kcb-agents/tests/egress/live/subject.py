"""A subject in its sandbox: what it reaches by its proxy, and what it does not in any other way.

Its words are the address of the proxy and a path that it must not see.
"""

import http.client
import json
import os
import socket
import ssl
import sys
import urllib.error
import urllib.request
from urllib.parse import urlsplit

address, hidden = sys.argv[1:]
PROXY = urlsplit(os.environ["HTTPS_PROXY"])
SITE = "93.184.215.14"
WAIT_S = 10.0
LAST = b"Connection: close\r\n\r\n"


def page(url, data=None):
    """What a program that follows its variables gets."""
    try:
        with urllib.request.urlopen(url, data, timeout=WAIT_S) as reply:
            return [reply.status, reply.read().decode()]
    except urllib.error.HTTPError as error:
        return [error.code, error.read().decode()]
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        return [0, str(error)]


def tunnel(host, port):
    """A tunnel through the proxy."""
    connection = socket.create_connection((PROXY.hostname, PROXY.port), WAIT_S)
    connection.sendall(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        data = connection.recv(1)
        if not data:
            break
        head += data
    return connection, int(head.split()[1]) if head else 0


def raw(host, port, sent):
    """What comes back of bytes that are no HTTP."""
    connection, status = tunnel(host, port)
    said = b""
    if status == 200:
        connection.sendall(sent)
        try:
            while data := connection.recv(1 << 12):
                said += data
        except OSError:
            pass
    return [status, sent in said]


def fronted(host, greeting, name):
    """What is answered to a request in a tunnel to one host, by a greeting and header to others."""
    connection, _ = tunnel(host, 443)
    with ssl.create_default_context().wrap_socket(connection, server_hostname=greeting) as safe:
        safe.sendall(f"GET / HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
        return int(safe.recv(1 << 12).split()[1])


def spoken(request):
    """What is answered, in all, to bytes of requests in a tunnel."""
    connection, _ = tunnel("pages.example.org", 80)
    connection.sendall(request)
    said = b""
    try:
        while data := connection.recv(1 << 12):
            said += data
    except OSError:
        pass
    return said.decode()


def attempt(work):
    """What came of something that must not work."""
    try:
        work()
    except TimeoutError:
        return "lost"
    except OSError:
        return "refused"
    return "reached"


def packet(place):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(WAIT_S)
        sender.connect(place)
        sender.send(b"x")
        sender.recv(1)


FOUND = {
    "pages": {
        "https": page("https://pages.example.org/a?b=c"),
        "http": page("http://pages.example.org/d"),
        "body": page("https://pages.example.org/e", b"x" * 300_000),
        "blocked path": page("https://pages.example.org/someone/terminal-bench"),
        "blocked path with a body": page("http://pages.example.org/terminal-bench", b"x" * 300_000),
        "blocked host": page("http://tbench.ai/"),
        "blocked tunnel": page("https://tbench.ai/"),
        "wrapped": page("http://pages.example.org/web/1/https%253A%252F%252Fwww.tbench.ai%252F"),
        "address nearby": page("http://nearby.example.org/"),
        "address of the machine": page("http://ours.example.org:9000/"),
        "loopback of the machine": page("http://loop.example.org:9000/"),
        "literal loopback": page("http://127.0.0.2:9000/"),
        "metadata": page("http://169.254.169.254/"),
    },
    "raw": {
        "shell": raw("pages.example.org", 22, b"SSH-2.0-x\r\n"),
        "bytes": raw("pages.example.org", 22, bytes(range(20)) * 3),
        "lines": raw("pages.example.org", 22, b"hello\r\n\r\n"),
        "name service": raw("pages.example.org", 53, b"\0" * 20),
    },
    "fronted": [
        fronted("pages.example.org", "pages.example.org", "tbench.ai"),
        fronted("pages.example.org", "tbench.ai", "pages.example.org"),
        fronted("pages.example.org", "tbench.ai", "tbench.ai"),
    ],
    "ways": {
        "direct": attempt(lambda: socket.create_connection((SITE, 80), WAIT_S)),
        "no proxy": attempt(
            lambda: urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                "http://93.184.215.14/", timeout=WAIT_S
            )
        ),
        "another port": attempt(lambda: socket.create_connection((address, 9000), WAIT_S)),
        "IPv6": attempt(lambda: socket.create_connection(("2606:2800:21f::14", 80), WAIT_S)),
        "name service": attempt(lambda: packet((SITE, 53))),
        "name service of the proxy's machine": attempt(lambda: packet((address, 53))),
        "resolver": attempt(lambda: packet(("127.0.0.53", 53))),
        "raw socket": attempt(
            lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
        ),
        "packet socket": attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    },
    "spoken": {
        "two requests": spoken(
            b"GET /one HTTP/1.1\r\nHost: pages.example.org\r\n\r\n"
            b"GET /terminal-bench HTTP/1.1\r\nHost: pages.example.org\r\n" + LAST
        ),
        "two lengths": spoken(
            b"POST /two HTTP/1.1\r\nHost: pages.example.org\r\nContent-Length: 80\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            b"GET /terminal-bench HTTP/1.1\r\nHost: pages.example.org\r\n" + LAST
        ),
        "two hosts": spoken(
            b"GET /three HTTP/1.1\r\nHost: pages.example.org\r\nHost: tbench.ai\r\n" + LAST
        ),
        "whole address": spoken(
            b"GET http://tbench.ai/four HTTP/1.1\r\nHost: pages.example.org\r\n" + LAST
        ),
        "tunnel in it": spoken(
            b"CONNECT www.example.org:22 HTTP/1.1\r\nHost: www.example.org:22\r\n" + LAST
        ),
    },
    "published": sorted(os.listdir(os.path.dirname(os.environ["SSL_CERT_FILE"]))),
    "hidden": os.path.exists(hidden),
}
sys.stdout.write(json.dumps(FOUND))
