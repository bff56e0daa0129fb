"""An acceptor of `hued.sync.v1` that does what a case tells it, after the document Protocol.md."""

import base64
import contextlib
import hashlib
import os
import select
import socket
import threading
import time

import cbor
import codes
from peer import (BUCKETS, CHALLENGE, CREDIT, FRONTIER_OF, HELLO, PALETTES, PING, PONG, PROOF, SUBPROTOCOL,
                  SUMMARY, WELCOME, hash_of_secret, milliseconds, proof_of)
from websocket import BINARY, CLOSE, GUID, TimedOut, close_payload, frame_bytes, parse_header
from websocket import PING as WS_PING
from websocket import PONG as WS_PONG


class Gone(Exception):
    """The dialer is not there any more."""


# The hashes of the secrets that acceptors were shown: what they can prove to know.
HASHES = {}
# The library of every acceptor: a join code names it, and a dialer knows its hub by it.
LIBRARY = os.urandom(16)


def know(secret):
    """Notes a secret, so that it can be proved."""
    hash = hash_of_secret(secret)
    HASHES[hash[:8]] = hash
    return secret


def join_code(urls, secret=None, pin=b"", role="relay", palette=None, library=None, name=None):
    """A join code as `hued share` would print it."""
    return codes.write(urls, know(secret or os.urandom(16)), pin, role, palette, library or LIBRARY, name)


class Link:
    """One connection of a dialer."""

    def __init__(self, connection, number):
        self.socket = connection
        self.number = number
        self.buffer = b""
        self.request = {}
        self.hello = None
        self.library = LIBRARY

    # Bytes.

    def fill(self, deadline):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.socket], [], [], left)[0]:
            raise TimedOut("the dialer says nothing")
        try:
            data = self.socket.recv(1 << 16)
        except OSError as error:
            raise Gone from error
        if not data:
            raise Gone
        self.buffer += data

    def send_raw(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Gone from error

    def send_slowly(self, data, seconds):
        """A byte at a time, until the dialer has enough."""
        for byte in data:
            self.send_raw(bytes([byte]))
            self.hold(seconds)

    def hold(self, seconds):
        """Waits and reads nothing, as long as the dialer stays."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if select.select([self.socket], [], [], min(0.05, seconds))[0]:
                with contextlib.suppress(OSError):
                    if not self.socket.recv(1, socket.MSG_PEEK):
                        raise Gone
                time.sleep(min(0.01, seconds))

    # The upgrade.

    def read_request(self, within=10):
        deadline = time.monotonic() + within
        while b"\r\n\r\n" not in self.buffer:
            self.fill(deadline)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")[1:]
        self.request = {k.lower(): v.strip() for k, v in (line.split(":", 1) for line in lines)}

    def accepted(self, subprotocol=SUBPROTOCOL, key=None, extra=""):
        """The answer to the request."""
        key = key or self.request["sec-websocket-key"]
        answer = base64.b64encode(hashlib.sha1(key.encode() + GUID).digest()).decode()
        chosen = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        return (f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Accept: {answer}\r\n{chosen}{extra}\r\n").encode()

    def upgrade(self, **how):
        self.read_request()
        self.send_raw(self.accepted(**how))
        return self

    # Frames.

    def send_frame(self, opcode, payload=b"", **how):
        how.setdefault("mask", None)
        self.send_raw(frame_bytes(opcode, payload, **how))

    def send(self, frame):
        self.send_frame(BINARY, cbor.encode(frame))

    def close(self, code, reason=b""):
        self.send_frame(CLOSE, close_payload(code, reason))

    def receive(self, within=10):
        """The next frame of the protocol."""
        deadline = time.monotonic() + within
        while True:
            parsed = self._parse()
            if parsed is None:
                self.fill(deadline)
                continue
            opcode, payload = parsed
            if opcode == CLOSE:
                raise Gone
            if opcode == WS_PING:
                self.send_frame(WS_PONG, payload)
            if opcode == BINARY:
                return cbor.decode(payload)

    def _parse(self):
        data = self.buffer
        header = parse_header(data)
        if header is None:
            return None
        at, length = header
        if len(data) < at + 4 + length:
            return None
        assert data[1] & 0x80, "a client masks everything"
        assert data[0] & 0xF0 == 0x80, "one frame a message, no extensions"
        mask = data[at:at + 4] * (length // 4 + 1)
        body = data[at + 4:at + 4 + length]
        payload = (int.from_bytes(body, "big") ^ int.from_bytes(mask[:length], "big")).to_bytes(length, "big")
        self.buffer = data[at + 4 + length:]
        return data[0] & 15, payload

    def wait_for(self, kind, within=10, matches=lambda frame: True):
        """The next frame of a type; pings are answered meanwhile."""
        deadline = time.monotonic() + within
        while True:
            frame = self.receive(max(0, deadline - time.monotonic()))
            if frame[0] == PING:
                self.send([PONG, frame[1], milliseconds()])
            if frame[0] == CHALLENGE and kind == HELLO:
                self.prove(*frame[1:])
            if frame[0] == kind and matches(frame):
                return frame

    # The protocol, as it should be.

    def prove(self, secret_id, nonce):
        """Shows that the secret is known that the dialer does not show yet."""
        own = os.urandom(32)
        host, port = self.socket.getsockname()[:2]
        self.send([PROOF, own, proof_of(HASHES.get(secret_id, bytes(32)), nonce, own, f"{host}:{port}")])

    def greet(self, version=1, node=None, library=None, role="relay", palette=None,
              frame_bytes=65536, time=None, features=(), grants=None):
        """Takes the hello and welcomes the dialer."""
        self.hello = self.wait_for(HELLO)
        self.node = int.from_bytes(os.urandom(8), "big") if node is None else node
        # By its secret the dialer knows the acceptor again.
        know(self.hello[7])
        self.send([WELCOME, version, self.node, library or self.library, "acceptor.py",
                   [[role, palette, None]] if grants is None else grants, frame_bytes,
                   milliseconds() if time is None else time, list(features)])
        return self

    def mirror(self):
        """Says that it holds exactly what the dialer holds."""
        self.send([SUMMARY, self.wait_for(SUMMARY)[1]])
        return self

    def compare(self, palette, credit=1 << 20):
        """Says that one palette differs; returns the frontier and digest that the dialer states."""
        self.wait_for(SUMMARY)
        if credit:
            self.send([CREDIT, credit])
        self.send([SUMMARY, os.urandom(16)])
        self.wait_for(BUCKETS)
        self.send([PALETTES, palette[15:], [[palette, os.urandom(16)]], True])
        _, _, frontier, digest, _, _ = self.wait_for(FRONTIER_OF, matches=lambda f: f[1] == palette)
        return frontier, digest

    def listen(self, seconds=3600.0):
        """Answers pings and takes whatever comes."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(TimedOut):
                self.wait_for(None, min(0.2, deadline - time.monotonic()))


def polite(link):
    """Holds what the dialer holds, and wants nothing."""
    link.upgrade().greet().mirror()
    link.listen()


class Acceptor:
    """Listens, and treats every dialer as `behaviour` says; when that returns, it hangs up."""

    def __init__(self, behaviour=polite, port=0):
        self.behaviour = behaviour
        self.listener = socket.create_server(("127.0.0.1", port), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.lock = threading.Lock()
        self.links = []
        self.accepted = 0
        self.finished = 0        # connections that got all of the present behaviour, or fled from it
        self.problems = []
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.accepted += 1
                link = Link(connection, self.accepted)
                self.links.append(link)
            threading.Thread(target=self._treat, args=(link, self.behaviour), daemon=True).start()

    def _treat(self, link, behaviour):
        try:
            behaviour(link)
        except (Gone, TimedOut):
            pass
        except Exception as error:  # told by whoever waits
            self.problems.append(error)
        with self.lock:
            if behaviour is self.behaviour:
                self.finished += 1
            if link in self.links:
                self.links.remove(link)
        link.socket.close()

    def behave(self, behaviour):
        """Treats everybody so from now on, also those who are connected."""
        with self.lock:
            self.behaviour = behaviour
            self.finished = 0
            self.problems = []
            links, self.links = self.links, []
        for link in links:
            with contextlib.suppress(OSError):
                link.socket.shutdown(socket.SHUT_RDWR)

    def stop_listening(self):
        """Leaves the port to somebody else; who is connected stays."""
        with contextlib.suppress(OSError):
            # A thread that waits in `accept` would keep it open.
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def end(self):
        self.stop_listening()
        self.behave(polite)
