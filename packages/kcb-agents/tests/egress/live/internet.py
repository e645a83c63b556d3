"""All hosts of the live test's internet, in a network namespace of their own.

It says its process id, waits for a line that says that its addresses are there, serves, says so,
and ends when its standard input does. HTTP on 80 and 443, bytes echoed on 22, name service on 53.
"""

import ctypes
import os
import socket
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def say(line):
    """One line to whoever started this."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if ctypes.CDLL(None, use_errno=True).unshare(0x40000000):  # CLONE_NEWNET
    sys.exit("no network namespace")
say(os.getpid())
sys.stdin.readline()


class Page(BaseHTTPRequestHandler):
    """Any page says which one it is."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = f"page {self.headers['Host']}{self.path}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    """Over both versions of IP."""

    address_family = socket.AF_INET6
    daemon_threads = True


def serve(work):
    threading.Thread(target=work, daemon=True).start()


def echo(connection):
    with connection:
        while data := connection.recv(1 << 12):
            connection.sendall(data)


def shell(listener):
    while True:
        connection, _ = listener.accept()
        serve(lambda connection=connection: echo(connection))


def names(receiver):
    while True:
        data, peer = receiver.recvfrom(512)
        receiver.sendto(data, peer)


plain, safe = Server(("::", 80), Page), Server(("::", 443), Page)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
safe.socket = context.wrap_socket(safe.socket, server_side=True)
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("0.0.0.0", 53))
listener = socket.create_server(("0.0.0.0", 22))
serve(plain.serve_forever)
serve(safe.serve_forever)
serve(lambda: shell(listener))
serve(lambda: names(receiver))
say("serving")
sys.stdin.read()
