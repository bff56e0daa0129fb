"""The WebSocket protocol (RFC 6455), strictly, against the `/echo` of `hued serve --enable-echo`."""

import contextlib
import unittest

from cases import Case
from processes import Home, Node
from running import sized
from websocket import (BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Closed, HandshakeFailed,
                       TimedOut, WebSocket, close_payload, frame_bytes)

MASK = b"\x37\xfa\x21\x3d"
HELLO = "Hello-µ@ßöäüàá-UTF-8!!".encode()
PROTOCOL_ERROR, NOT_TEXT, TOO_BIG = 1002, 1007, 1009


class EchoCase(Case):
    """A node for all cases of a class; each has a connection of its own."""

    @classmethod
    def setUpClass(cls):
        cls.shared = Home()
        cls.echo = Node(cls.shared, "--enable-echo")

    @classmethod
    def tearDownClass(cls):
        cls.echo.stop()
        cls.echo.process.stdout.close()
        cls.echo.reader.join(5)
        cls.echo.process.stderr.close()
        cls.shared.remove()

    def open(self, **how):
        socket = WebSocket(self.echo.url, "/echo", **how)
        self.addCleanup(socket.hang_up)
        return socket

    def assert_echo(self, socket, *messages, within=10):
        for message in messages:
            self.assertEqual(socket.receive(within), message)

    def assert_alive(self, socket):
        socket.send_text("still here")
        self.assert_echo(socket, "still here")

    def assert_failed(self, socket, *codes, within=5):
        """The connection fails by one of the codes, and the server hangs up."""
        message = socket.receive(within)
        self.assertIsInstance(message, Closed, "not failed")
        self.assertIn(message.code, codes)
        try:
            socket.send_frame(CLOSE, close_payload(message.code), mask=MASK)
        except OSError:
            pass  # it has hung up already
        self.assertIsNone(socket.frame(within), "something follows the close")

    def each(self, items):
        """A subtest with a connection of its own for each (name, item)."""
        return [(self.attempt(name), item) for name, item in items]

    @contextlib.contextmanager
    def attempt(self, name):
        with self.subTest(name):
            yield self.open()


class FramingTests(EchoCase):
    """Messages of every form of length come back whole."""

    sizes = [0, 1, 125, 126, 127, 128, 65535, 65536, 65537]

    def test_text(self):
        for attempt, size in self.each((s, s) for s in self.sizes):
            with attempt as socket:
                socket.send_frame(TEXT, b"*" * size, mask=MASK)
                self.assert_echo(socket, "*" * size)

    def test_binary(self):
        for attempt, size in self.each((s, s) for s in self.sizes):
            with attempt as socket:
                socket.send_frame(BINARY, b"\xfe" * size, mask=MASK)
                self.assert_echo(socket, b"\xfe" * size)

    def test_in_pieces(self):
        for attempt, step in self.each((s, s) for s in (1, 2, 13, 997)):
            with attempt as socket:
                size = 65536 if step > 100 else 2000
                socket.send_slowly(frame_bytes(TEXT, b"*" * size, mask=MASK), step)
                self.assert_echo(socket, "*" * size)

    def test_several_in_one_write(self):
        socket = self.open()
        socket.send_raw(b"".join(frame_bytes(TEXT, str(n).encode(), mask=MASK) for n in range(500)))
        self.assert_echo(socket, *map(str, range(500)))

    def test_a_length_that_could_be_shorter(self):
        # RFC 6455, 5.2: the minimal number of bytes MUST be used.
        for name, head in (("16 bits for 5", b"\x81\xfe\x00\x05"),
                           ("64 bits for 5", b"\x81\xff" + bytes(7) + b"\x05"),
                           ("64 bits for 1000", b"\x82\xff" + (1000).to_bytes(8, "big"))):
            with self.subTest(name):
                socket = self.open()
                count = int.from_bytes(head[2:], "big")
                socket.send_raw(head + bytes(4) + b"a" * count)
                self.assert_failed(socket, PROTOCOL_ERROR)

    def test_length_with_the_highest_bit(self):
        socket = self.open()
        socket.send_raw(b"\x82\xff" + b"\x80" + bytes(7) + bytes(4))
        self.assert_failed(socket, PROTOCOL_ERROR, TOO_BIG, 1006)

    def test_without_a_mask(self):
        for attempt, opcode in self.each([("text", TEXT), ("binary", BINARY), ("ping", PING),
                                         ("close", CLOSE)]):
            with attempt as socket:
                socket.send_frame(opcode, close_payload(1000) if opcode == CLOSE else b"x", mask=None)
                self.assert_failed(socket, PROTOCOL_ERROR, 1006)

    def test_every_mask(self):
        socket = self.open()
        for _ in range(50):
            mask = self.random.randbytes(4)
            data = self.random.randbytes(self.random.randrange(300))
            socket.send_frame(BINARY, data, mask=mask)
            self.assert_echo(socket, data)


class PingTests(EchoCase):
    """Pings are answered, each, in order; pongs that nobody asked for are not."""

    def pongs(self, socket, *payloads):
        for payload in payloads:
            frame = socket.frame(5)
            self.assertEqual((frame.opcode, frame.payload, frame.fin), (PONG, payload, 1))

    def test_payloads(self):
        for attempt, payload in self.each(
                [("none", b""), ("text", b"Hello, world!"), ("binary", b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff"),
                 ("125 bytes", b"\xfe" * 125)]):
            with attempt as socket:
                socket.send_frame(PING, payload, mask=MASK)
                self.pongs(socket, payload)
                self.assert_alive(socket)

    def test_126_bytes(self):
        for attempt, opcode in self.each([("ping", PING), ("pong", PONG)]):
            with attempt as socket:
                socket.send_frame(opcode, b"\xfe" * 126, mask=MASK)
                self.assert_failed(socket, PROTOCOL_ERROR)

    def test_byte_by_byte(self):
        socket = self.open()
        socket.send_slowly(frame_bytes(PING, b"\xfe" * 125, mask=MASK))
        self.pongs(socket, b"\xfe" * 125)

    def test_unsolicited_pong(self):
        for attempt, payload in self.each([("empty", b""), ("full", b"unsolicited")]):
            with attempt as socket:
                socket.send_frame(PONG, payload, mask=MASK)
                socket.send_frame(PING, b"ping", mask=MASK)
                self.pongs(socket, b"ping")

    def test_ten_pings_at_once(self):
        payloads = [f"payload-{n}".encode() for n in range(10)]
        data = b"".join(frame_bytes(PING, p, mask=MASK) for p in payloads)
        for attempt in range(20):
            socket = self.open()
            socket.send_raw(data)
            self.pongs(socket, *payloads)
            self.assert_alive(socket)

    def test_ten_pings_byte_by_byte(self):
        payloads = [f"payload-{n}".encode() for n in range(10)]
        socket = self.open()
        socket.send_slowly(b"".join(frame_bytes(PING, p, mask=MASK) for p in payloads))
        self.pongs(socket, *payloads)

    def test_pings_in_separate_writes(self):
        payloads = [f"payload-{n}".encode() for n in range(10)]
        for _ in range(5):
            socket = self.open()
            for payload in payloads:
                socket.send_frame(PING, payload, mask=MASK)
            self.pongs(socket, *payloads)

    def test_a_flood_of_pings_among_messages(self):
        socket = self.open()
        data = b""
        for number in range(1000):
            data += frame_bytes(PING, str(number).encode(), mask=MASK)
            data += frame_bytes(TEXT, str(number).encode(), mask=MASK)
        socket.send_raw(data)
        pongs, texts = [], []
        while len(texts) < 1000 or len(pongs) < 1000:
            frame = socket.frame(10)
            (pongs if frame.opcode == PONG else texts).append(int(frame.payload))
        self.assertEqual((pongs, texts), (list(range(1000)),) * 2)


class ReservedTests(EchoCase):
    """Bits and opcodes that mean nothing end the connection."""

    def test_reserved_bits(self):
        for bits in range(1, 8):
            for name, opcode in (("text", TEXT), ("binary", BINARY), ("ping", PING), ("pong", PONG),
                                 ("close", CLOSE)):
                with self.subTest(bits=bits, kind=name):
                    socket = self.open()
                    payload = close_payload(1000) if opcode == CLOSE else HELLO
                    socket.send_frame(opcode, payload, rsv=bits, mask=MASK)
                    self.assert_failed(socket, PROTOCOL_ERROR)

    def test_reserved_bits_after_a_good_message(self):
        for attempt, step in self.each([("frame by frame", 0), ("one write", 4096), ("bytes", 1)]):
            with attempt as socket:
                frames = [frame_bytes(TEXT, HELLO, mask=MASK), frame_bytes(TEXT, HELLO, rsv=2, mask=MASK),
                          frame_bytes(PING, mask=MASK)]
                if step:
                    socket.send_slowly(b"".join(frames), step)
                else:
                    for frame in frames:
                        socket.send_raw(frame)
                self.assert_echo(socket, HELLO.decode())
                self.assert_failed(socket, PROTOCOL_ERROR)

    def test_reserved_bits_in_a_continuation(self):
        socket = self.open()
        socket.send_frame(TEXT, b"a", fin=False, mask=MASK)
        socket.send_frame(CONTINUATION, b"b", rsv=4, mask=MASK)
        self.assert_failed(socket, PROTOCOL_ERROR)

    def test_reserved_opcodes(self):
        for attempt, opcode in self.each((f"{n:#x}", n) for n in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)):
            with attempt as socket:
                socket.send_frame(TEXT, HELLO, mask=MASK)
                socket.send_frame(opcode, b"payload", mask=MASK)
                socket.send_frame(PING, mask=MASK)
                self.assert_echo(socket, HELLO.decode())
                self.assert_failed(socket, PROTOCOL_ERROR)

    def test_reserved_opcode_without_payload(self):
        for attempt, opcode in self.each((f"{n:#x}", n) for n in (3, 7, 11, 15)):
            with attempt as socket:
                socket.send_frame(opcode, mask=MASK)
                self.assert_failed(socket, PROTOCOL_ERROR)


class FragmentTests(EchoCase):
    """Fragments make one message, with control frames among them."""

    def fragments(self, socket, *pieces, opcode=TEXT, step=0):
        data = b""
        for index, piece in enumerate(pieces):
            data += frame_bytes(CONTINUATION if index else opcode, piece,
                                fin=index == len(pieces) - 1, mask=MASK)
        socket.send_slowly(data, step or len(data))

    def test_pieces(self):
        for pieces in (2, 3, 5, 100):
            for step in (0, 1, 7):
                with self.subTest(pieces=pieces, step=step):
                    socket = self.open()
                    texts = [f"fragment{n}".encode() for n in range(pieces)]
                    self.fragments(socket, *texts, step=step)
                    self.assert_echo(socket, b"".join(texts).decode())

    def test_empty_pieces(self):
        for attempt, pieces in self.each([("all", [b"", b"", b""]), ("around", [b"", b"middle", b""]),
                                         ("first", [b"", b"end"]), ("last", [b"start", b""])]):
            with attempt as socket:
                self.fragments(socket, *pieces)
                self.assert_echo(socket, b"".join(pieces).decode())

    def test_empty_binary_pieces(self):
        socket = self.open()
        self.fragments(socket, b"", b"", opcode=BINARY)
        self.assert_echo(socket, b"")

    def test_pings_between(self):
        for attempt, step in self.each([("frames", 0), ("bytes", 1), ("fives", 5)]):
            with attempt as socket:
                data = frame_bytes(TEXT, b"fragment1", fin=False, mask=MASK)
                data += frame_bytes(PING, b"ping", mask=MASK)
                data += frame_bytes(CONTINUATION, b"fragment2", mask=MASK)
                socket.send_slowly(data, step or len(data))
                pong = socket.frame(5)
                self.assertEqual((pong.opcode, pong.payload), (PONG, b"ping"))
                self.assert_echo(socket, "fragment1fragment2")

    def test_many_with_pings(self):
        for attempt, step in self.each([("one write", 0), ("bytes", 1)]):
            with attempt as socket:
                data, whole = b"", b""
                for number in range(5):
                    piece = f"fragment{number}".encode()
                    whole += piece
                    data += frame_bytes(CONTINUATION if number else TEXT, piece, fin=number == 4, mask=MASK)
                    if number < 4:
                        data += frame_bytes(PING, f"p{number}".encode(), mask=MASK)
                socket.send_slowly(data, step or len(data))
                pongs = [socket.frame(5).payload for _ in range(4)]
                self.assertEqual(pongs, [b"p0", b"p1", b"p2", b"p3"])
                self.assert_echo(socket, whole.decode())

    def test_fragmented_control_frames(self):
        for attempt, opcode in self.each([("ping", PING), ("pong", PONG), ("close", CLOSE)]):
            with attempt as socket:
                socket.send_frame(opcode, close_payload(1000), fin=False, mask=MASK)
                socket.send_frame(CONTINUATION, b"", mask=MASK)
                self.assert_failed(socket, PROTOCOL_ERROR)

    def test_continuation_of_nothing(self):
        for fin in (True, False):
            for step in (0, 1):
                with self.subTest(fin=fin, step=step):
                    socket = self.open()
                    data = frame_bytes(CONTINUATION, b"nothing to continue", fin=fin, mask=MASK)
                    data += frame_bytes(TEXT, b"Hello, world!", mask=MASK)
                    socket.send_slowly(data, step or len(data))
                    self.assert_failed(socket, PROTOCOL_ERROR)

    def test_continuation_after_the_end(self):
        for attempt, fin in self.each([("final", True), ("not final", False)]):
            with attempt as socket:
                self.fragments(socket, b"fragment1", b"fragment2")
                socket.send_frame(CONTINUATION, b"fragment3", fin=fin, mask=MASK)
                socket.send_frame(TEXT, b"Hello, world!", mask=MASK)
                self.assert_echo(socket, "fragment1fragment2")
                self.assert_failed(socket, PROTOCOL_ERROR)

    def test_a_message_within_a_message(self):
        for attempt, opcode in self.each([("text", TEXT), ("binary", BINARY)]):
            with attempt as socket:
                socket.send_frame(TEXT, b"fragment1", fin=False, mask=MASK)
                socket.send_frame(opcode, b"fragment2", mask=MASK)
                self.assert_failed(socket, PROTOCOL_ERROR)


class TextTests(EchoCase):
    """Text is UTF-8, however it is cut; what is not ends the connection at once."""

    valid = [
        "κόσμε".encode(), b"\xc2\x80", b"\xdf\xbf", b"\xe0\xa0\x80", b"\xed\x9f\xbf", b"\xee\x80\x80",
        b"\xef\xbf\xbd", b"\xef\xbf\xbe", b"\xef\xbf\xbf", b"\xf0\x90\x80\x80", b"\xf4\x8f\xbf\xbf",
        b"\xf0\x9f\xbf\xbe", b"\x00", b"\x7f", HELLO * 20,
    ]
    invalid = [
        b"\x80", b"\xbf", b"\x80\xbf", b"\xc0", b"\xc1", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x80\xaf",
        b"\xe0\x9f\xbf", b"\xf0\x80\x80\xaf", b"\xf0\x8f\xbf\xbf", b"\xf8\x88\x80\x80\x80",
        b"\xfc\x84\x80\x80\x80\x80", b"\xfe", b"\xff", b"\xf5", b"\xf4\x90\x80\x80", b"\xf7\xbf\xbf\xbf",
        b"\xed\xa0\x80", b"\xed\xaf\xbf", b"\xed\xb0\x80", b"\xed\xbf\xbf", b"\xed\xa0\x80\xed\xb0\x80",
        b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80\x65\x64", b"\xc2", b"\xe0\xa0",
        b"\xf0\x90\x80", b"a\xc2b", b"\xe2\x82a", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce",
    ]

    def test_valid(self):
        for attempt, text in self.each((t[:12].hex(), t) for t in self.valid):
            with attempt as socket:
                socket.send_frame(TEXT, text, mask=MASK)
                self.assert_echo(socket, text.decode())

    def test_valid_cut_at_every_byte(self):
        socket = self.open()
        for text in self.valid:
            for index in range(len(text)):
                socket.send_frame(TEXT, text[index:index + 1], fin=False, mask=MASK) if index == 0 \
                    else socket.send_frame(CONTINUATION, text[index:index + 1], fin=False, mask=MASK)
            socket.send_frame(CONTINUATION, b"", mask=MASK)
            self.assert_echo(socket, text.decode())

    def test_valid_byte_by_byte_on_the_wire(self):
        socket = self.open()
        for text in self.valid:
            socket.send_slowly(frame_bytes(TEXT, text, mask=MASK))
            self.assert_echo(socket, text.decode())

    def test_invalid(self):
        for attempt, text in self.each((t[:12].hex(), t) for t in self.invalid):
            with attempt as socket:
                socket.send_frame(TEXT, text, mask=MASK)
                self.assert_failed(socket, NOT_TEXT)

    def test_invalid_behind_long_good_text(self):
        for attempt, text in self.each((t[:12].hex(), t) for t in self.invalid):
            with attempt as socket:
                socket.send_frame(TEXT, HELLO * 1000 + text, mask=MASK)
                self.assert_failed(socket, NOT_TEXT)

    def test_invalid_cut_at_every_byte(self):
        for attempt, text in self.each((t[:12].hex(), t) for t in self.invalid):
            with attempt as socket:
                data = b"".join(
                    frame_bytes(CONTINUATION if index else TEXT, text[index:index + 1], fin=False, mask=MASK)
                    for index in range(len(text)))
                socket.send_raw(data + frame_bytes(CONTINUATION, b"", mask=MASK))
                self.assert_failed(socket, NOT_TEXT)

    def test_fails_before_the_message_ends(self):
        socket = self.open()
        socket.send_frame(TEXT, "κόσμε".encode(), fin=False, mask=MASK)
        socket.send_frame(CONTINUATION, b"\xf4\x90\x80\x80", fin=False, mask=MASK)
        self.assert_failed(socket, NOT_TEXT)

    def test_fails_before_the_character_ends(self):
        for attempt, text in self.each([("above the last", b"\xf4\x90"), ("surrogate", b"\xed\xa0"),
                                       ("overlong", b"\xe0\x80"), ("overlong 4", b"\xf0\x80")]):
            with attempt as socket:
                socket.send_frame(TEXT, "κόσμε".encode() + text, fin=False, mask=MASK)
                self.assert_failed(socket, NOT_TEXT)

    def test_fails_within_a_frame(self):
        for attempt, text in self.each([("whole", b"\xf4\x90\x80\x80"), ("begun", b"\xf4\x90")]):
            with attempt as socket:
                good = "κόσμε".encode()
                socket.send_raw(frame_bytes(TEXT, good, mask=MASK, length=len(good) + 8))
                self.assertRaises(TimedOut, socket.receive, 0.2)
                socket.send_raw(bytes(a ^ b for a, b in zip(
                    text, (MASK * 3)[len(good) % 4:])))
                self.assert_failed(socket, NOT_TEXT)

    def test_binary_is_anything(self):
        socket = self.open()
        for text in self.invalid:
            socket.send_frame(BINARY, text, mask=MASK)
            self.assert_echo(socket, text)

    def test_a_bad_message_after_good_ones(self):
        socket = self.open()
        socket.send_raw(frame_bytes(TEXT, HELLO, mask=MASK) * 3 + frame_bytes(TEXT, b"\xff", mask=MASK)
                        + frame_bytes(TEXT, HELLO, mask=MASK))
        self.assert_echo(socket, *[HELLO.decode()] * 3)
        self.assert_failed(socket, NOT_TEXT)


class CloseTests(EchoCase):
    """A close is answered, nothing follows it, and bad ones are told apart."""

    def assert_answered(self, socket, code):
        message = socket.receive(5)
        self.assertIsInstance(message, Closed)
        self.assertEqual(message.code, code)
        self.assertIsNone(socket.frame(5), "the server did not hang up")

    def test_after_an_echo(self):
        socket = self.open()
        socket.send_text("Hello World!")
        socket.send_frame(CLOSE, close_payload(1000), mask=MASK)
        self.assert_echo(socket, "Hello World!")
        self.assert_answered(socket, 1000)

    def test_twice(self):
        socket = self.open()
        socket.send_raw(frame_bytes(CLOSE, close_payload(1000), mask=MASK) * 2)
        self.assert_answered(socket, 1000)

    def test_nothing_follows(self):
        for attempt, frame in self.each([("ping", frame_bytes(PING, mask=MASK)),
                                        ("text", frame_bytes(TEXT, b"late", mask=MASK)),
                                        ("garbage", b"\xff" * 30)]):
            with attempt as socket:
                socket.send_raw(frame_bytes(CLOSE, close_payload(1000), mask=MASK) + frame)
                self.assert_answered(socket, 1000)

    def test_within_a_fragmented_message(self):
        socket = self.open()
        socket.send_frame(TEXT, b"fragment1", fin=False, mask=MASK)
        socket.send_frame(CLOSE, close_payload(1000), mask=MASK)
        socket.send_frame(CONTINUATION, b"fragment2", mask=MASK)
        self.assert_answered(socket, 1000)

    def test_behind_a_long_message(self):
        socket = self.open()
        text = "BAsd7&jh23" * 26 * 1024
        socket.send_raw(frame_bytes(TEXT, text.encode(), mask=MASK)
                        + frame_bytes(CLOSE, close_payload(1000), mask=MASK)
                        + frame_bytes(PING, mask=MASK))
        message = socket.receive(10)
        if not isinstance(message, Closed):
            self.assertEqual(message, text)
            message = socket.receive(10)
        self.assertEqual(message.code, 1000)

    def test_payloads(self):
        for name, payload in [("code alone", close_payload(1000)), ("reason", close_payload(1000, b"Hello World!")),
                              ("longest", close_payload(1000, b"*" * 123)),
                              ("text", close_payload(1001, "ß€𝄞".encode()))]:
            with self.subTest(name):
                socket = self.open()
                socket.send_frame(CLOSE, payload, mask=MASK)
                self.assert_answered(socket, int.from_bytes(payload[:2], "big"))

    def test_without_payload(self):
        socket = self.open()
        socket.send_frame(CLOSE, mask=MASK)
        message = socket.receive(5)
        self.assertIn(message.code, (1000, 1005))
        self.assertIsNone(socket.frame(5))

    def test_one_byte(self):
        socket = self.open()
        socket.send_frame(CLOSE, b"a", mask=MASK)
        self.assert_failed(socket, PROTOCOL_ERROR)

    def test_126_bytes(self):
        socket = self.open()
        socket.send_frame(CLOSE, close_payload(1000, b"*" * 124), mask=MASK)
        self.assert_failed(socket, PROTOCOL_ERROR)

    def test_reason_that_is_no_text(self):
        for attempt, reason in self.each([("surrogate", b"\xce\xba\xed\xa0\x80ed"), ("cut", b"a\xc2"),
                                         ("0xff", b"\xff")]):
            with attempt as socket:
                socket.send_frame(CLOSE, close_payload(1000, reason), mask=MASK)
                self.assert_failed(socket, NOT_TEXT, PROTOCOL_ERROR)

    def test_valid_codes(self):
        codes = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
        for attempt, code in self.each((c, c) for c in codes):
            with attempt as socket:
                socket.send_frame(CLOSE, close_payload(code), mask=MASK)
                self.assert_answered(socket, code)

    def test_invalid_codes(self):
        codes = [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535]
        for attempt, code in self.each((c, c) for c in codes):
            with attempt as socket:
                socket.send_frame(CLOSE, close_payload(code, b"" if code % 2 else b"reason"), mask=MASK)
                self.assert_failed(socket, PROTOCOL_ERROR)

    def test_byte_by_byte(self):
        socket = self.open()
        socket.send_slowly(frame_bytes(CLOSE, close_payload(1000, b"slow"), mask=MASK))
        self.assert_answered(socket, 1000)


class LimitTests(EchoCase):
    """Up to 16 MiB, in any pieces; not a byte more."""

    sizes = [1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 23, 1 << 24]

    def test_large_messages(self):
        for opcode in (TEXT, BINARY):
            for size in self.sizes:
                with self.subTest(opcode=opcode, size=size):
                    socket = self.open()
                    socket.send_frame(opcode, b"*" * size)
                    answer = socket.receive(60)
                    self.assertEqual(len(answer), size)

    def test_large_messages_in_fragments(self):
        for piece in (64, 256, 1024, 4096, 16384, 65536, 1 << 18, 1 << 20):
            with self.subTest(piece=piece):
                total = sized(1 << 18 if piece < 4096 else 1 << 20, 1 << 22)
                socket = self.open()
                data = b"".join(frame_bytes(TEXT if at == 0 else CONTINUATION, b"*" * piece,
                                            fin=at + piece >= total) for at in range(0, total, piece))
                socket.send_raw(data)
                self.assertEqual(len(socket.receive(60)), max(total, piece))

    def test_large_message_in_small_writes(self):
        for attempt, step in self.each((s, s) for s in (64, 512, 2048)):
            with attempt as socket:
                data = frame_bytes(BINARY, self.random.randbytes(sized(1 << 17, 1 << 20)))
                socket.send_slowly(data, step)
                self.assertEqual(socket.receive(60), data[14:])

    def test_a_byte_too_many(self):
        for attempt, opcode in self.each([("text", TEXT), ("binary", BINARY)]):
            with attempt as socket:
                # The length alone is enough; the rest need not be sent.
                socket.send_raw(frame_bytes(opcode, b"*" * 100, length=(1 << 24) + 1))
                self.assert_failed(socket, TOO_BIG)

    def test_a_byte_too_many_in_fragments(self):
        socket = self.open()
        socket.send_frame(BINARY, b"*" * (1 << 24), fin=False)
        socket.send_frame(CONTINUATION, b"*")
        self.assert_failed(socket, TOO_BIG, within=20)

    def test_a_thousand_round_trips(self):
        for size in (0, 16, 256, 4096, 16384):
            with self.subTest(size):
                socket = self.open()
                for _ in range(sized(200, 1000)):
                    socket.send_frame(BINARY, bytes(size))
                    self.assertEqual(socket.receive(), bytes(size))

    def test_fragments_of_1300_bytes(self):
        socket = self.open()
        data = b"".join(frame_bytes(TEXT if at == 0 else CONTINUATION, b"*" * min(1300, 65536 - at),
                                    fin=at + 1300 >= 65536) for at in range(0, 65536, 1300))
        socket.send_raw(data)
        self.assert_echo(socket, "*" * 65536)


class HandshakeTests(EchoCase):
    """The upgrade, by the letter."""

    def test_the_subprotocol_is_answered(self):
        self.assertIn("sec-websocket-protocol: echo", self.open(subprotocol="echo").head.lower())
        self.assertNotIn("sec-websocket-protocol", self.open().head.lower())

    def test_the_first_known_subprotocol_is_taken(self):
        head = self.open(subprotocol="nonsense, echo").head.lower()
        self.assertIn("sec-websocket-protocol: echo", head)

    def test_an_unknown_subprotocol(self):
        with self.assertRaises(HandshakeFailed):
            self.open(subprotocol="nonsense")

    def test_no_extension_is_taken(self):
        socket = self.open(headers=["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"])
        self.assertNotIn("extensions", socket.head.lower())
        self.assert_alive(socket)

    def test_bad_requests(self):
        good = ["GET /echo HTTP/1.1", "Host: HOST", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"]
        for name, position, line in [
                ("no key", 4, None), ("version 12", 5, "Sec-WebSocket-Version: 12"),
                ("no version", 5, None), ("POST", 0, "POST /echo HTTP/1.1"),
                ("no upgrade", 2, None), ("h2c", 2, "Upgrade: h2c"),
                ("another host", 1, "Host: example.com"), ("short key", 4, "Sec-WebSocket-Key: YQ=="),
                ("key with a bad letter", 4, "Sec-WebSocket-Key: dGhlIHNhbXBsZS?ub25jZQ==")]:
            with self.subTest(name):
                lines = good[:]
                lines[position] = line
                text = "\r\n".join(l for l in lines if l is not None) + "\r\n\r\n"
                answer = self.request(text.replace("HOST", f"127.0.0.1:{self.echo.port}"))
                self.assertNotIn(b" 101 ", answer.split(b"\r\n")[0])

    def request(self, text):
        import socket as sockets
        with sockets.create_connection(("127.0.0.1", self.echo.port), timeout=10) as link:
            link.sendall(text.encode())
            answer = b""
            try:
                while b"\r\n\r\n" not in answer:
                    data = link.recv(4096)
                    if not data:
                        break
                    answer += data
            except ConnectionError:
                pass
            return answer

    def test_a_handshake_byte_by_byte(self):
        import socket as sockets
        with sockets.create_connection(("127.0.0.1", self.echo.port), timeout=10) as link:
            text = ("GET /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nuPgRaDe: WebSocket\r\n"
                    "connection: keep-alive, upgrade\r\nSEC-WEBSOCKET-KEY: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    "sec-websocket-version: 13\r\n\r\n").encode()
            for index in range(len(text)):
                link.sendall(text[index:index + 1])
            answer = self.read(link, b"\r\n\r\n")
            self.assertIn(b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", answer)
            link.sendall(frame_bytes(TEXT, b"behind", mask=MASK))
            self.read(link, b"behind")

    def read(self, link, end):
        """What comes up to an end, which must come."""
        answer = b""
        while end not in answer:
            data = link.recv(4096)
            self.assertTrue(data, answer)
            answer += data
        return answer

    def test_a_frame_before_the_answer(self):
        """A client must wait for the answer; of one that does not, nothing is taken for a message."""
        import socket as sockets
        for padding in range(600):
            with self.subTest(padding), sockets.create_connection(
                    ("127.0.0.1", self.echo.port), timeout=10) as link:
                link.sendall((f"GET /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                              f"X-Padding: {'-' * padding}\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                              "Sec-WebSocket-Version: 13\r\n\r\n").encode()
                             + frame_bytes(TEXT, b"behind", mask=MASK))
                answer = self.read(link, b"\r\n\r\n")
                with contextlib.suppress(ConnectionError):
                    link.sendall(frame_bytes(PING, mask=MASK) * 30)
                frames = answer.partition(b"\r\n\r\n")[2]
                while len(frames := frames.replace(frame_bytes(PONG, mask=None), b"")) < 4:
                    data = link.recv(4096)
                    self.assertTrue(data, frames)
                    frames += data
                self.assertEqual(frames[0], 0x80 | CLOSE)
                self.assertEqual(int.from_bytes(frames[2:4], "big"), PROTOCOL_ERROR)
        self.assert_alive(self.open())


if __name__ == "__main__":
    unittest.main()
