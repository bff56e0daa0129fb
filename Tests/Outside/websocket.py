"""A WebSocket client (RFC 6455) that can also break every rule of it."""

import base64
import hashlib
import os
import select
import socket
import ssl
import struct
import time
import urllib.parse
from collections import namedtuple

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

Frame = namedtuple("Frame", "opcode payload fin rsv")
Closed = namedtuple("Closed", "code reason")


class HandshakeFailed(Exception):
    """The server did not switch protocols; `status` is 0 when it hung up."""

    def __init__(self, status, text=""):
        super().__init__(f"status {status} {text}")
        self.status = status


class TimedOut(Exception):
    """The deadline passed."""


def frame_bytes(opcode, payload=b"", fin=True, rsv=0, mask=b"\0\0\0\0", length=None):
    """A frame; without a mask when `mask` is None, with any announced length."""
    length = len(payload) if length is None else length
    first = fin << 7 | rsv << 4 | opcode
    masked = 0x80 if mask is not None else 0
    if length < 126:
        head = struct.pack(">BB", first, masked | length)
    elif length < 1 << 16:
        head = struct.pack(">BBH", first, masked | 126, length)
    else:
        head = struct.pack(">BBQ", first, masked | 127, length)
    if mask is None:
        return head + payload
    if mask != b"\0\0\0\0":
        wide = mask * (len(payload) // 4 + 1)
        payload = bytes(a ^ b for a, b in zip(payload, wide))
    return head + mask + payload


def close_payload(code, reason=b""):
    return struct.pack(">H", code) + reason


def parse_header(data):
    """Where a frame's payload, or its mask, begins, and how long the payload is; None when the header is not whole."""
    if len(data) < 2:
        return None
    length = data[1] & 127
    if length <= 125:
        return 2, length
    size = 2 if length == 126 else 8
    if len(data) < 2 + size:
        return None
    return 2 + size, int.from_bytes(data[2:2 + size], "big")


class WebSocket:
    """A connection. Reads take a deadline in seconds; pings are answered unless `is_mute`."""

    def __init__(self, url=None, path="/", subprotocol=None, headers=(), unix=None, within=10,
                 pin=None, origin=None):
        self.buffer = b""
        self.is_mute = False
        self.closed = None
        self.partial = b""
        self.socket = self._connect(url, unix, within)
        try:
            self._handshake(url, path, subprotocol, list(headers), within, origin)
        except BaseException:
            self.socket.close()
            raise

    def _connect(self, url, unix, within):
        if unix:
            link = socket.socket(socket.AF_UNIX)
            link.settimeout(within)
            link.connect(unix)
            return link
        parts = urllib.parse.urlsplit(url)
        link = socket.create_connection((parts.hostname, parts.port), timeout=within)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if parts.scheme == "https":
            # Nobody vouches for a node's own certificate; its key is pinned by join codes.
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            link = context.wrap_socket(link, server_hostname=parts.hostname)
        return link

    def _handshake(self, url, path, subprotocol, headers, within, origin):
        key = base64.b64encode(os.urandom(16))
        host = urllib.parse.urlsplit(url).netloc if url else "localhost"
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket",
                 "Connection: Upgrade", f"Sec-WebSocket-Key: {key.decode()}",
                 "Sec-WebSocket-Version: 13"]
        if subprotocol:
            lines.append(f"Sec-WebSocket-Protocol: {subprotocol}")
        if origin:
            lines.append(f"Origin: {origin}")
        self.send_raw(("\r\n".join(lines + headers) + "\r\n\r\n").encode())
        deadline = time.monotonic() + within
        while b"\r\n\r\n" not in self.buffer:
            if not self._fill(deadline):
                raise HandshakeFailed(0, "the server hung up")
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status = int(head.split(b" ", 2)[1])
        if status != 101:
            raise HandshakeFailed(status, head.decode(errors="replace"))
        expected = base64.b64encode(hashlib.sha1(key + GUID).digest())
        if expected not in head:
            raise HandshakeFailed(status, "Sec-WebSocket-Accept is wrong")
        self.head = head.decode(errors="replace")

    def fileno(self):
        return self.socket.fileno()

    # What leaves.

    def send_raw(self, data):
        self.socket.sendall(data)

    def send_slowly(self, data, step=1):
        """Sends in pieces that the other side receives one by one, as far as the system lets us."""
        for start in range(0, len(data), step):
            self.socket.sendall(data[start:start + step])

    def send_frame(self, opcode, payload=b"", **how):
        self.send_raw(frame_bytes(opcode, payload, **how))

    def send_text(self, text):
        self.send_frame(TEXT, text.encode())

    def send_binary(self, data):
        self.send_frame(BINARY, data)

    # What arrives.

    def _fill(self, deadline):
        """Reads some bytes; false when the other side has hung up."""
        left = deadline - time.monotonic()
        pending = isinstance(self.socket, ssl.SSLSocket) and self.socket.pending()
        if not pending and not select.select([self.socket], [], [], max(0, left))[0]:
            raise TimedOut("nothing arrived in time")
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionError:
            data = b""
        self.buffer += data
        return bool(data)

    def _parse(self):
        """The first frame in the buffer; None when it is not whole."""
        data = self.buffer
        header = parse_header(data)
        if header is None:
            return None
        at, length = header
        if len(data) < at + length:
            return None
        assert not data[1] & 0x80, "a server masks nothing"
        self.buffer = data[at + length:]
        return Frame(data[0] & 15, data[at:at + length], data[0] >> 7, data[0] >> 4 & 7)

    def frame(self, within=10):
        """The next frame; None when the connection ended without one."""
        deadline = time.monotonic() + within
        while True:
            frame = self._parse()
            if frame:
                return frame
            if not self._fill(deadline):
                return None

    def receive(self, within=10):
        """The next message as str or bytes, or `Closed`: code 1006 when nothing was said."""
        deadline = time.monotonic() + within
        while True:
            frame = self.frame(max(0, deadline - time.monotonic()))
            message = self.take(frame)
            if message is not None:
                return message

    def take(self, frame):
        """The message that a frame completes, if it does."""
        if frame is None:
            self.closed = Closed(1006, "")
            return self.closed
        if frame.opcode == PING:
            if not self.is_mute:
                self.send_frame(PONG, frame.payload)
        elif frame.opcode == CLOSE:
            code = int.from_bytes(frame.payload[:2], "big") if frame.payload else 1005
            self.closed = Closed(code, frame.payload[2:].decode())
            return self.closed
        elif frame.opcode in (CONTINUATION, TEXT, BINARY):
            if frame.opcode != CONTINUATION:
                self.kind = frame.opcode
            self.partial += frame.payload
            if frame.fin:
                data, self.partial = self.partial, b""
                return data.decode() if self.kind == TEXT else data
        return None

    def messages(self):
        """What arrived meanwhile, without waiting."""
        found = []
        while not self.closed:
            frame = self._parse()
            if frame is None:
                try:
                    if not self._fill(time.monotonic()):
                        found.append(self.take(None))
                except TimedOut:
                    break
                continue
            message = self.take(frame)
            if message is not None:
                found.append(message)
        return found

    def ended(self, within=10):
        """Reads on until the other side is gone, and tells how it closed."""
        while not self.closed:
            self.receive(within)
        return self.closed

    def hang_up(self):
        """Ends the connection without a word."""
        self.socket.close()

    def reset(self):
        """Ends the connection by a reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()
