"""A subject with a route to the internet and every privilege, in a namespace of its own.

It says its process id, waits for a line, and tries each way out; for each further line it tries
them again, with the connection that it made the first time. What came of each is one word:
``reached``, ``refused`` if an error came back, or ``lost`` if nothing did.
"""

import ctypes
import json
import os
import socket
import struct
import sys
import threading

SITE, SITE6, PROXY, PORT = "93.184.215.14", "2606:2800:21f::14", "198.18.9.1", 8080
WAIT_S = 5.0


def say(line):
    """One line to whoever started this."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if ctypes.CDLL(None, use_errno=True).unshare(0x40000000):
    sys.exit("no network namespace")
say(os.getpid())
sys.stdin.readline()


def tcp(address, port, mark=0):
    """A connection, and a byte that comes back or an answer."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    connection = socket.socket(family, socket.SOCK_STREAM)
    connection.settimeout(WAIT_S)
    if mark:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, mark)
    connection.connect((address, port))
    return connection


def answered(connection):
    """Whether an echo comes back over a connection."""
    connection.sendall(b"x")
    if not connection.recv(1):
        raise ConnectionResetError


def udp(address, port):
    """A packet, and its echo."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(WAIT_S)
        sender.connect((address, port))
        sender.send(b"\0" * 12)
        sender.recv(512)


def ping(address):
    """An echo request by a raw socket."""
    header = struct.pack("!BBHHH", 8, 0, 0, 1, 1)
    halves = struct.unpack("!4H", header)
    total = sum(halves)
    total = (total >> 16) + (total & 0xFFFF)
    header = struct.pack("!BBHHH", 8, 0, ~total & 0xFFFF, 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as sender:
        sender.settimeout(WAIT_S)
        sender.sendto(header, (address, 0))
        while sender.recv(512)[20:21] != b"\0":
            pass


def forged(address):
    """A segment of TCP that no connection has, by a raw socket: sent, or not."""
    segment = struct.pack("!HHIIBBHHH", 4000, 80, 1, 0, 5 << 4, 2, 1024, 0, 0)
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP) as sender:
        sender.sendto(segment, (address, 0))


def stub(address, port):
    """A resolver on an address of this namespace, that answers whatever it is asked."""
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind((address, port))

    def work():
        while True:
            data, peer = receiver.recvfrom(512)
            receiver.sendto(data, peer)

    threading.Thread(target=work, daemon=True).start()


def local():
    """A server of the namespace's own."""
    listener = socket.create_server(("127.0.0.1", 0))

    def work():
        while True:
            connection, _ = listener.accept()
            connection.sendall(connection.recv(1))
            connection.close()

    threading.Thread(target=work, daemon=True).start()
    return listener.getsockname()[1]


for place in (("127.0.0.11", 53), ("127.0.0.11", 40053), ("127.0.0.53", 53), ("127.0.0.54", 53)):
    stub(*place)
own_port = local()
inherited = tcp(SITE, 22)

WAYS = {
    "proxy": lambda: answered(tcp(PROXY, PORT)),
    "own server": lambda: answered(tcp("127.0.0.1", own_port)),
    "direct connection": lambda: tcp(SITE, 80),
    "direct connection with a mark": lambda: tcp(SITE, 80, mark=0x1),
    "another port of the proxy's machine": lambda: tcp(PROXY, 9000),
    "direct connection over IPv6": lambda: tcp(SITE6, 80),
    "inherited connection": lambda: answered(inherited),
    "direct name service": lambda: udp(SITE, 53),
    "resolver 127.0.0.11": lambda: udp("127.0.0.11", 53),
    "resolver 127.0.0.11 on another port": lambda: udp("127.0.0.11", 40053),
    "resolver 127.0.0.53": lambda: udp("127.0.0.53", 53),
    "resolver 127.0.0.54": lambda: udp("127.0.0.54", 53),
    "ICMP by a raw socket": lambda: ping(SITE),
    "TCP by a raw socket": lambda: forged(SITE),
}


def outcome(way):
    try:
        way()
    except TimeoutError:
        return "lost"
    except OSError:
        return "refused"
    return "reached"


while True:
    say(json.dumps({name: outcome(way) for name, way in WAYS.items()}))
    if not sys.stdin.readline():
        break
