"""Peers that lie, flood, stall or speak nonsense: they are refused with a code and a log line, change
nothing that they may not, and nobody else notices."""

import contextlib
import math
import os
import pty
import subprocess
import time

import cbor
import changes
import peer as protocol
from cases import Case
from cbor import Raw, encode, head
from changes import ADD, COLOR, DELETE, DROP, NAME, NOTE, PLACE, SET
from peer import invite, Peer, pump
from processes import Home, Node, binary, wait_for
from running import sized
from websocket import BINARY, CONTINUATION, PING, TEXT, Closed, HandshakeFailed, TimedOut, frame_bytes

PLACE_BYTES = b"\x80\x01\x02\x03\x80\x00"
RED = b"\xff\x00\x00"
BROKEN, TOO_BIG, UNAUTHORIZED, TAKEN, INCOMPATIBLE = 1002, 1009, 4401, 4409, 4426


class HubCase(Case):
    """One hub for all cases of a class, with a witness whose edits must keep flowing."""

    @classmethod
    def setUpClass(cls):
        cls.hub_home = Home()
        cls.palette_text = cls.hub_home.hued("new", "Brand")["id"]
        cls.palette = bytes.fromhex(cls.palette_text.replace("-", ""))
        cls.hub_home.hued("add", "Brand", "#00ff00", "hub's own")
        cls.hub_home.hued("new", "Private")
        cls.node_process = Node(cls.hub_home)
        cls.tokens, cls.libraries = {}, {}
        for role, palette in (("viewer", "Brand"), ("editor", "Brand"), ("relay", None)):
            # A member is the library that redeemed its code.
            member = Peer(cls.node_process.url, invite(cls.hub_home, role, palette)).live()
            cls.tokens[role], cls.libraries[role] = member.token, member.library
            member.hang_up()
        cls.witness = Peer(cls.node_process.url, invite(cls.hub_home))
        cls.reader = Peer(cls.node_process.url, invite(cls.hub_home, "viewer"))
        cls.witness.live()
        cls.reader.live()

    @classmethod
    def tearDownClass(cls):
        for client in (cls.witness, cls.reader):
            client.hang_up()
        code = cls.node_process.stop()
        cls.node_process.process.stdout.close()
        cls.node_process.reader.join(5)
        cls.node_process.process.stderr.close()
        cls.hub_home.remove()
        assert code == 0, f"the hub ended with {code}: {cls.node_process.lines[-5:]}"

    def attacker(self, role="editor", **how):
        client = Peer(self.node_process.url, self.tokens[role], library=self.libraries[role], **how)
        self.addCleanup(lambda: client.socket and client.socket.hang_up())
        return client

    def assert_flowing(self, within=5):
        """An edit of the witness reaches the hub's command line and another client."""
        name = f"flow {os.urandom(4).hex()}"
        record = self.witness.add(self.palette, name)
        pump([self.witness, self.reader], lambda: self.witness.pending(self.palette) == 0
             and self.reader.palette(self.palette).shown(record, NAME) == name, within)

    def held(self):
        """What the hub holds: the digest of everything, as a new client is told."""
        return self.hub_home.digest()

    @contextlib.contextmanager
    def unharmed(self, log=None, unchanged=True):
        """The library stays as it was, the others' edits flow, and the log says something."""
        before = self.held()
        lines = len(self.node_process.lines)
        yield
        self.assertTrue(self.node_process.is_running, self.node_process.lines[-3:])
        if unchanged:
            self.assertEqual(self.held(), before, "the library changed")
        self.assert_flowing()
        if log:
            wait_for(lambda: any(log in line for line in self.node_process.lines[lines:]), 3,
                     lambda: f"a log line with '{log}' in {self.node_process.lines[lines:]}")

    def closes(self, client, *codes, within=5):
        client.pump(lambda: client.closed, within)
        self.assertIn(client.closed.code, codes, client.closed)
        return client.closed


class GreetingTests(HubCase):
    """Before the welcome."""

    def test_text_instead_of_frames(self):
        with self.unharmed(log="broke the protocol"):
            client = self.attacker().connect(greets=False)
            client.socket.send_text("hello")
            self.closes(client, 1003)

    def test_broken_first_frames(self):
        hello = [0, [1], [], 5, bytes(16), "", 0, bytes(32), b"", []]
        broken = {
            "nothing": b"",
            "garbage": self.random.randbytes(200),
            "a map": encode({0: 1}),
            "unknown type": encode([99]),
            "a type that is text": encode(["hello"]),
            "too few items": encode(hello[:-1]),
            "too many items": encode(hello + [1]),
            "bytes behind": encode(hello) + b"\0",
            "cut": encode(hello)[:-3],
            "long number": b"\x8a" + b"\x18\x00" + encode(hello)[2:],
            "indefinite array": b"\x9f\xff",
            "tag": b"\xc0" + encode(hello),
            "deep": b"\x81" * 60_000,
            "deep in features": b"\x8a\x00\x81\x01" + b"\x81" * 60_000,
            "endless array": head(4, 1 << 63),
            "endless versions": b"\x8a\x00" + head(4, (1 << 64) - 1) + b"\x01",
            "endless secret": b"\x8a" + encode(hello[:7])[1:] + head(2, (1 << 63) - 1),
            "library of 15 bytes": encode([0, [1], [], 5, bytes(15), "", 0, bytes(32), b"", []]),
            "negative node": encode([0, [1], [], -5, bytes(16), "", 0, bytes(32), b"", []]),
            "huge node": encode([0, [1], [], Raw(b"\xc2\x49" + bytes(9)), bytes(16), "", 0, bytes(32), b"", []]),
            "welcome": encode([1, 1, 5, bytes(16), "", [["owner", None, None]], 65536, 0, []]),
            "summary": encode([3, bytes(16)]),
            "changes": encode([7, self.palette, 5, 1, [b"x"]]),
            "ping": encode([13, 0]),
        }
        for name, data in broken.items():
            with self.subTest(name):
                client = self.attacker().connect(greets=False)
                client.socket.send_binary(data)
                self.closes(client, BROKEN)
        with self.unharmed(log="broke the protocol"):
            client = self.attacker().connect(greets=False)
            client.socket.send_binary(b"\xff")
            self.closes(client, BROKEN)

    def test_versions(self):
        for versions in ([2], [7, 9], [1 << 63]):
            with self.subTest(versions), self.unharmed():
                client = self.attacker().connect(versions=versions)
                self.closes(client, INCOMPATIBLE)
                self.assertEqual(client.refusal[0], "incompatible")
                self.assertIn("upgrade", client.refusal[1])
        for versions in ([0], []):
            with self.subTest(versions):
                self.closes(self.attacker().connect(versions=versions), INCOMPATIBLE, BROKEN)
        with self.subTest("newer ones too"):
            client = self.attacker("viewer").connect(versions=[1, 2, 900])
            client.pump(lambda: client.welcome)
            self.assertEqual(client.welcome["version"], 1)

    def test_tokens(self):
        code = self.hub_home.hued("share", "Brand", "--role", "editor", "--expires", "2s")["code"]
        guest = Peer(self.node_process.url, code).live()
        script = self.hub_home.hued("token", "--role", "owner")["token"]
        for name, token in {"wrong": bytes(32), "missing": b"", "short": b"abc", "long": bytes(5000),
                            "a script's": protocol.secret_of(script)}.items():
            with self.subTest(name), self.unharmed(log="refused"):
                client = self.attacker()
                client.token = token
                client.connect()
                self.closes(client, UNAUTHORIZED)
                self.assertTrue(client.refusal)
        with self.subTest("expired"):
            # The right ends in the live session, and for good.
            self.closes(guest, UNAUTHORIZED, within=5)
            self.assertEqual(guest.refusal[0], "expired")
            guest.connect()
            self.closes(guest, UNAUTHORIZED)
            self.assertEqual(guest.refusal[0], "expired")

    def test_revoked(self):
        client = Peer(self.node_process.url, invite(self.hub_home, "editor", "Brand"))
        client.name = "to be revoked"
        client.live()
        with self.unharmed():
            self.hub_home.hued("revoke", "to be revoked")
            self.closes(client, UNAUTHORIZED, within=2)
            self.assertEqual(client.refusal[0], "revoked")
            client.connect()
            self.closes(client, UNAUTHORIZED)

    def test_a_node_id_that_belongs_to_another_member(self):
        with self.unharmed(log="refused"):
            client = self.attacker("relay", node=self.witness.node).connect()
            self.closes(client, TAKEN)
            self.assertEqual(client.refusal[0], "node-taken")

    def test_the_hubs_own_node_id(self):
        own = int(self.hub_home.status()["node"], 16)
        with self.unharmed():
            self.closes(self.attacker("editor", node=own).connect(), TAKEN)

    def test_a_join_code_redeemed_twice(self):
        code = self.hub_home.hued("share", "Brand")["code"]
        self.home().hued("join", code)
        done = self.home().run("join", code)
        self.assertEqual(done.returncode, 6, done.stderr)

    def test_hello_twice(self):
        with self.unharmed(log="broke the protocol"):
            client = self.attacker().connect()
            client.send(client.hello())
            self.closes(client, BROKEN)

    def test_extreme_hellos(self):
        for name, parts in {"time": ([], (1 << 64) - 1), "features": (["x"] * 9000, 0),
                            "feature": (["x" * 60_000], 0)}.items():
            with self.subTest(name), self.unharmed():
                client = self.attacker("viewer").connect(greets=False)
                client.send(client.hello(features=parts[0], time=parts[1]))
                client.pump(lambda: client.welcome or client.closed)
                self.assertTrue(client.welcome, client.closed)

    def test_byte_by_byte(self):
        client = self.attacker().connect(greets=False)
        client.socket.send_slowly(frame_bytes(BINARY, encode(client.hello())))
        client.pump(lambda: client.is_compared)

    def test_half_a_frame(self):
        client = self.attacker().connect(greets=False)
        client.socket.send_raw(frame_bytes(BINARY, b"abc", length=200))
        with self.unharmed():
            pass
        self.closes(client, 1006, 1008, within=10)

    def test_silence(self):
        client = self.attacker().connect(greets=False)
        with self.unharmed():
            pass
        self.closes(client, 1006, 1008, within=10)

    def test_ten_mebibytes(self):
        for name, attack in {
                "one frame": lambda s: s.send_binary(bytes(10 << 20)),
                "announced": lambda s: s.send_raw(frame_bytes(BINARY, b"", length=10 << 20)),
                "64 KiB and one": lambda s: s.send_binary(bytes((64 << 10) + 1)),
                "fragments": lambda s: s.send_raw(
                    frame_bytes(BINARY, bytes(1000), fin=False)
                    + frame_bytes(CONTINUATION, bytes(1000), fin=False) * 100)}.items():
            with self.subTest(name), self.unharmed():
                client = self.attacker().connect()
                client.pump(lambda: client.is_compared)
                with contextlib.suppress(OSError):
                    attack(client.socket)
                with contextlib.suppress(OSError):
                    self.closes(client, TOO_BIG, 1006, within=5)

    def test_many_that_never_greet(self):
        clients = [self.attacker().connect(greets=False) for _ in range(sized(100, 500))]
        with self.unharmed():
            pass
        for client in clients:
            client.hang_up()


class FrameTests(HubCase):
    """After the welcome: frames that break the protocol."""

    def established(self, role="editor"):
        client = self.attacker(role).connect()
        client.pump(lambda: client.is_compared)
        return client

    def test_frames_that_end_the_connection(self):
        p = self.palette
        stranger = os.urandom(16)
        broken = {
            "welcome": [1, 1, 5, bytes(16), "owner", None, b"", 65536, 0],
            "buckets late": [4, [bytes(16)] * 256],
            "buckets few": [4, [bytes(16)] * 255],
            "palettes": [5, b"\x11", [[p, bytes(16)]], True],
            "summary again": [3, bytes(16)],
            "digest of 15 bytes": [3, bytes(15)],
            "no changes": [7, p, 5, 1, []],
            "sequence 0": [7, p, 5, 0, [b"x"]],
            "sequence 2^32": [7, p, 5, 1 << 32, [b"x"]],
            "sequence 2^63": [7, p, 5, 1 << 63, [b"x"]],
            "sequences past the end": [7, p, 5, (1 << 32) - 1, [b"x", b"y"]],
            "frontier out of scope": [6, stranger, {}, bytes(16), True, True],
            "frontier with sequence 0": [6, p, {5: [0, bytes(8)]}, bytes(16), True, True],
            "frontier with a short link": [6, p, {5: [1, bytes(7)]}, bytes(16), True, True],
            "frontier out of order": [6, p, Raw(b"\xa2\x02\x82\x01\x48" + bytes(8) + b"\x01\x82\x01\x48"
                                                + bytes(8)), bytes(16), True, True],
            "snapshot of an editor": [8, p, 0, True, encode([{}, {}, {}, [], []])],
            "unknown type": [23],
            "unknown type 24": [24, 1],
            "bye with words": [16, "bye"],
            "negative credit": [11, -1],
            "credit over 64 bits": [11, Raw(b"\xc2\x49" + b"\xff" * 9)],
        }
        for name, frame in broken.items():
            with self.subTest(name):
                client = self.established()
                before = self.held()
                client.send(frame)
                self.closes(client, BROKEN)
                self.assertEqual(self.held(), before)
        with self.unharmed(log="broke the protocol"):
            client = self.established()
            client.send([23])
            self.closes(client, BROKEN)

    def test_snapshots_of_a_relay(self):
        good = encode([{}, {}, {}, [], []])
        other = os.urandom(16)
        broken = {
            "second part first": [[8, other, 1, True, good]],
            "garbage": [[8, other, 0, True, b"\xff" * 100]],
            "cut": [[8, other, 0, True, good[:-1]]],
            "row with a broken change": [[8, other, 0, True, encode(
                [{5: [1, bytes(8)]}, {}, {5: 1}, [], [[b"junk", [0], False]]])]],
            "row beyond the frontier": [[8, other, 0, True, encode(
                [{}, {}, {}, [], [[changes.Author(5, lambda: 1).title(changes.Palette(other), "x"),
                                   [0], False]]])]],
        }
        for name, frames in broken.items():
            with self.subTest(name), self.unharmed():
                client = self.established("relay")
                for frame in frames:
                    with contextlib.suppress(OSError):
                        client.send(frame)
                self.closes(client, BROKEN)

    def test_odd_but_harmless(self):
        harmless = {
            "credit without end": [[11, (1 << 64) - 1]] * 3,
            "no credit": [[11, 0]] * 100,
            "acks of what was never sent": [[9, self.palette, {
                int(self.hub_home.status()["node"], 16): [(1 << 32) - 1, b"\xff" * 8]}]],
            "ack of another palette": [[9, os.urandom(16), {7: [1, bytes(8)]}]],
            "pong of no ping": [[14, 0, (1 << 64) - 1], [14, (1 << 64) - 1, 0]],
            "nack of nothing": [[10, self.palette, 9, 4, "fork", "because"]],
            "nack with a strange code": [[10, self.palette, 9, 4, "‮\x1b[31m", "x" * 60_000]],
            "goaway": [[15, (1 << 64) - 1]],
            "time of the last day": [[13, (1 << 64) - 1]],
        }
        for name, frames in harmless.items():
            with self.subTest(name), self.unharmed():
                client = self.established("viewer")
                frames.append([12, client.node, 1, "me", 0, os.urandom(16), None])
                frames.append([12, 77, (1 << 64) - 1, "", (1 << 64) - 1, self.palette, bytes(16)])
                for frame in frames:
                    client.send(frame)
                client.send([13, 4711])
                client.pump(lambda: client.closed or any(p[0] == 4711 for p in client.pongs))

    def test_claims_about_the_hub_do_not_change_who_it_is(self):
        own = int(self.hub_home.status()["node"], 16)
        for role in ("viewer", "editor"):
            for name, frame in {
                    "nack fork": [10, self.palette, own, 1, "fork", "really"],
                    "more than it made": [6, self.palette, {own: [4_000_000_000, b"\1" * 8]}, bytes(16), False, True],
                    "another link": [6, self.palette, {own: [1, b"\1" * 8]}, bytes(16), True, True]}.items():
                with self.subTest(name, role=role), self.unharmed():
                    client = self.established(role)
                    client.send(frame)
                    client.send([13, 4711])
                    client.pump(lambda: client.closed or any(p[0] == 4711 for p in client.pongs))
                    self.assertEqual(int(self.hub_home.status()["node"], 16), own)

    def test_links_tell_what_may_be_read(self):
        own = int(self.hub_home.status()["node"], 16)
        private = next(bytes.fromhex(p["id"].replace("-", "")) for p in self.hub_home.status()["palettes"]
                       if p["name"] == "Private")
        with self.unharmed():
            client = self.established("viewer")
            client.send([17, private, own, [1, 2, 3]])
            client.send([20, private, own, 1, 3])
            client.send([17, self.palette, own, list(range(1, 9000))])
            client.send([17, self.palette, own, [1]])
            client.pump(lambda: len(client.links) == 3)
            self.assertEqual(client.links[0], (private, own, []))
            self.assertNotIn(protocol.HISTORY, client.got)
            self.assertLessEqual(len(client.links[1][2]), 1024)
            self.assertEqual(client.links[2][2][0][0], 1)

    def test_floods(self):
        count = sized(3_000, 30_000)
        for name, frame in {"pings": [13, 1], "presence": [12, 5, 1, "me", 9, self.palette, None],
                            "frontiers": [6, self.palette, {}, bytes(16), True, True],
                            "credit": [11, 1],
                            "acks": [9, self.palette, {1: [1, bytes(8)]}]}.items():
            with self.subTest(name):
                client = self.established("viewer")
                client.is_reading = False
                client.socket.socket.settimeout(0.2)
                data = frame_bytes(BINARY, encode(frame)) * 100
                with contextlib.suppress(OSError), self.unharmed():
                    for _ in range(count // 100):
                        with contextlib.suppress(TimeoutError):
                            client.socket.send_raw(data)
                client.hang_up()
                self.assertLess(self.node_process.memory(), 400 << 20)


class AuthorTests(HubCase):
    """Changes that must not be taken."""

    def setUp(self):
        super().setUp()
        self.editor = Peer(self.node_process.url, invite(self.hub_home, "editor", "Brand"))
        self.editor.live()
        self.addCleanup(self.editor.hang_up)
        self.own = self.editor.palette(self.palette)

    def assert_refused(self, data, code, sequence=None, client=None, palette=None):
        client = client or self.editor
        palette = palette or self.palette
        held = client.palette(palette).tips.get(client.node, (0,))[0]
        known = len(client.nacks)
        client.send([7, palette, client.node, sequence or held + 1, [data]])
        client.pump(lambda: len(client.nacks) > known or client.closed, 5)
        self.assertFalse(client.closed, client.closed)
        self.assertEqual(client.nacks[-1][3], code, client.nacks[-1])

    def make(self, **forged):
        return self.editor.author.add(self.own, **forged)

    def malformed(self):
        """A malformed change of each kind."""
        author, own, node = self.editor.author, self.own, self.editor.node
        record = changes.new_record()
        text, place = lambda name: self.make(name=name), lambda place: self.make(place=place)
        color = lambda color: self.make(color=color)
        sets = lambda effect, body: author.make(own, record, SET, effect, body)
        return {
            "control character": text("a\x07b"), "delete character": text("a\x7fb"),
            "C1": text("a\x85b"), "newline in a name": text("a\nb"), "NUL": text("\0"),
            "escape": text("\x1b[2J"), "name over 16 KiB": text("n" * (16 * 1024 + 1)),
            "name that is a number": text(5), "name that is bytes": text(b"name"),
            "name of broken UTF-8": text(Raw(b"\x62\xc3\x28")),
            "name of a surrogate": text(Raw(b"\x63\xed\xa0\x80")),
            "note with a tab": sets({NOTE: []}, ["a\tb"]), "note with CR": sets({NOTE: []}, ["a\rb"]),
            "note over 16 KiB": sets({NOTE: []}, ["n" * (16 * 1024 + 1)]),
            "empty place": place(b""), "place over 1 KiB": place(bytes(1025)), "place as text": place("a"),
            "NaN": color([0, math.nan, 0.0, 0.0]), "infinite": color([0, math.inf, 0.0, 0.0]),
            "negative infinite": color([6, -math.inf, 0.0, 0.0]), "alpha NaN": color([6, 0.5, 0.0, 0.0, math.nan]),
            "signalling NaN": color(Raw(b"\x84\x00\xf9\x7c\x01\xf9\0\0\xf9\0\0")),
            "a color with a shorter form": color([0, 1.0, 0.0, 0.0]),
            "alpha that is one": color([6, 0.5, 0.1, 20.0, 1.0]), "opaque in four bytes": color(b"\1\2\3\xff"),
            "two bytes": color(b"\1\2"), "five bytes": color(b"\1\2\3\4\5"), "space 15": color([15, 0.0, 0.0, 0.0]),
            "two components": color([0, 0.3, 0.3]), "six items": color([0, 0.3, 0.3, 0.3, 0.5, 0.5]),
            "integers for floats": color([0, 0, 0, 1]), "color as text": color("red"),
            "wide float": color(Raw(b"\x84\x06\xfb" + b"\x3f\xe0" + bytes(6) + b"\xf9\0\0\xf9\0\0")),
            "over 60 KiB": sets({900: []}, [bytes(61 * 1024)]),
            "no register": sets({}, []), "register 65536": sets({65536: []}, ["x"]),
            "register twice": sets(Raw(b"\xa2\x00\x80\x00\x80"), ["a", "b"]),
            "registers out of order": sets(Raw(b"\xa2\x01\x80\x00\x80"), [RED, "b"]),
            "a value too many": sets({NAME: []}, ["a", "b"]), "a value too few": sets({NAME: [], COLOR: []}, ["a"]),
            "unknown register with broken bytes": sets({900: []}, [Raw(b"\x62a")]),
            "unknown register, map out of order": sets({900: []}, [Raw(b"\xa2\x02\x01\x01\x01")]),
            "unknown register, indefinite": sets({900: []}, [Raw(b"\x9f\xff")]),
            "unknown register, NaN with a payload": sets({900: []}, [Raw(b"\xf9\x7e\x01")]),
            "unknown register, deep": sets({900: []}, [Raw(b"\x81" * 59_000 + b"\x00")]),
            "saw itself": sets({NAME: [[node, self.next()]]}, ["a"]),
            "saw its future": sets({NAME: [[node, self.next() + 5]]}, ["a"]),
            "saw out of order": sets({NAME: [[9, 2], [9, 1]]}, ["a"]), "saw twice": sets({NAME: [[9, 1], [9, 1]]}, ["a"]),
            "saw sequence 0": sets({NAME: [[9, 0]]}, ["a"]),
            "saw a sequence without another behind it": sets({NAME: [[9, (1 << 32) - 1]]}, ["a"]),
            "saw sequence 2^32": sets({NAME: [[9, 1 << 32]]}, ["a"]),
            "covers out of order": author.make(own, record, DELETE, [[9, 2], [8, 1]], []),
            "delete with a value": author.make(own, record, DELETE, [], ["x"]),
            "delete of the palette": author.make(own, self.palette, DELETE, [], []),
            "drop of a color": author.make(own, record, DROP, [[], {}], []),
            "drop with sequence 0": author.make(own, self.palette, DROP, [[], {9: 0}], []),
            "kind 5": author.make(own, record, 5, {NAME: []}, ["a"]),
            "kind as text": author.make(own, record, "add", {NAME: []}, ["a"]),
            "effect of another kind": author.make(own, record, SET, [[9, 1]], ["a"]),
            "record of 15 bytes": self.make(record=bytes(15)), "previous of 7 bytes": self.make(previous=bytes(7)),
            "stamp over 64 bits": self.make(stamp=Raw(b"\xc2\x49" + b"\1" * 9)), "negative stamp": self.make(stamp=-1),
            "bytes behind": self.make() + b"\0", "cut": self.make()[:-1], "nothing": b"", "a tag": b"\xc1" + self.make(),
            "long form": b"\x98\x02" + self.make()[1:], "another node's": self.make(node=77),
            "another number's": self.make(sequence=self.next() + 1),
        }

    def next(self):
        return self.own.tips.get(self.editor.node, (0,))[0] + 1

    def test_malformed(self):
        self.editor.add(self.palette)
        self.editor.settle(self.palette)
        for name, data in self.malformed().items():
            with self.subTest(name):
                before = self.held()
                self.assert_refused(data, "malformed")
                self.assertEqual(self.held(), before)
        # Only the first refusals of a connection are logged.
        self.editor.hang_up()
        self.editor.live()
        with self.unharmed(log="malformed"):
            self.assert_refused(self.make(name="\x07"), "malformed")
        # After all that the editor's next good change is still welcome.
        self.editor.add(self.palette)
        self.editor.settle(self.palette)

    def test_not_allowed(self):
        viewer = self.attacker("viewer").live()
        relay_palette = os.urandom(16)
        for name, client, palette, author in [
                ("a viewer", viewer, self.palette, viewer.node),
                ("a forged author", self.editor, self.palette, self.witness.node),
                ("an author nobody knows", self.editor, self.palette, 12345),
                ("the hub as author", self.editor, self.palette, int(self.hub_home.status()["node"], 16)),
                ("another palette", self.editor, relay_palette, self.editor.node)]:
            with self.subTest(name), self.unharmed(log="not-allowed"):
                known = len(client.nacks)
                forged = changes.Author(author, protocol.milliseconds)
                data = forged.add(client.palettes.get(palette) or changes.Palette(palette))
                sequence = cbor.decode(data)[0][1]
                client.send([7, palette, author, sequence, [data]])
                client.pump(lambda: len(client.nacks) > known or client.closed)
                self.assertEqual(client.nacks[-1][3], "not-allowed")

    def test_wrong_previous(self):
        self.editor.add(self.palette)
        self.editor.settle(self.palette)
        for name, previous in {"zeros": bytes(8), "others": b"\1" * 8}.items():
            with self.subTest(name), self.unharmed(log="fork"):
                self.assert_refused(self.make(previous=previous), "fork")

    def test_a_dot_with_other_content(self):
        first = self.make(name="first")
        twin = self.make(name="twin")
        self.editor.commit(self.palette, first)
        self.editor.settle(self.palette)
        with self.unharmed(log="fork"):
            self.assert_refused(twin, "fork", sequence=self.next() - 1)

    def test_a_gap(self):
        with self.unharmed():
            client = self.editor
            seen = len([t for t in client.got if t == protocol.FRONTIER_OF])
            client.send([7, self.palette, client.node, 5, [self.make(sequence=5)]])
            client.pump(lambda: len([t for t in client.got if t == protocol.FRONTIER_OF]) > seen)
        client.add(self.palette)
        client.settle(self.palette)

    def test_the_same_again(self):
        data = self.editor.commit(self.palette, self.make())
        self.editor.settle(self.palette)
        with self.unharmed():
            acks = self.editor.got.count(protocol.ACK)
            for _ in range(50):
                self.editor.push_last(self.own)
            self.editor.pump(lambda: self.editor.got.count(protocol.ACK) > acks)
        self.assertEqual(self.own.log[-1][2], data)

    def test_strange_but_true(self):
        """What is odd and allowed is kept, relayed, digested and shown with care."""
        names = {
            "bidi": "a\u202eb\u2066c", "zero width": "\u200b\u200d\ufeff", "long": "n" * 16384,
            "far future": "future", "before everything": "past", "combining": "e" + "\u0301" * 2000,
            "private": "\U000f0000\U0010ffff\ufffe", "html": "<script>alert(1)</script>", "empty": "",
        }
        for case, name in names.items():
            with self.subTest(case), self.unharmed(unchanged=False):
                how = {"far future": {"stamp": (1 << 64) - 1}, "before everything": {"stamp": 0}}.get(case, {})
                record = changes.new_record()
                self.editor.commit(self.palette, self.editor.author.add(self.own, name, record=record, **how))
                self.editor.settle(self.palette)
                pump([self.witness], lambda: self.witness.palette(self.palette).shown(record, NAME) == name)
                shown = [c for c in self.hub_home.hued("list", "Brand")["colors"]
                         if c["id"].replace("-", "") == record.hex()]
                self.assertEqual(shown[0]["name"], name)
        screen = self.on_a_terminal("list", "Brand")
        self.assertIn("flow", screen)
        for character in "\u202e\u2066\x07":
            self.assertNotIn(character, screen)
        # A stamp from the end of time does not stop anybody: what saw it replaces it.
        record = changes.new_record()
        self.editor.commit(self.palette, self.editor.author.add(self.own, "end", record=record, stamp=(1 << 64) - 1))
        self.editor.settle(self.palette)
        self.hub_home.hued("rename", "Brand", record.hex()[:8], "begun again")
        self.assertIn("begun again", self.hub_home.names("Brand"))

    def on_a_terminal(self, *arguments):
        """What a command shows on a terminal."""
        leader, follower = pty.openpty()
        process = subprocess.Popen([binary(), *arguments], env=self.hub_home.environment | {"TERM": "xterm"},
                                   stdin=follower, stdout=follower, stderr=follower)
        os.close(follower)
        shown = b""
        while True:
            try:
                piece = os.read(leader, 1 << 16)
            except OSError:  # so ends a terminal whose last user is gone
                break
            if not piece:
                break
            shown += piece
        process.wait()
        os.close(leader)
        return shown.decode()

    def test_unknown_registers_are_kept(self):
        record = self.editor.add(self.palette, "with more")
        for value in (None, [1, {"a": b"b"}], "text", -5, 1.5, False, [[[[[1]]]]]):
            self.editor.commit(self.palette, self.editor.author.set(self.own, record, 900, value))
        self.editor.settle(self.palette)
        pump([self.witness], lambda: self.witness.palette(self.palette).digest() == self.digest_now())

    def digest_now(self):
        return bytes.fromhex(next(p["digest"] for p in self.hub_home.status()["palettes"]
                                  if p["id"] == self.palette_text))


class ForesightTests(HubCase):
    """An editor says to have seen what the hub is yet to make: the hub's edits hold all the same."""

    def setUp(self):
        super().setUp()
        self.name = f"P{os.urandom(4).hex()}"
        self.own_palette = bytes.fromhex(self.hub_home.hued("new", self.name)["id"].replace("-", ""))
        self.record = bytes.fromhex(
            self.hub_home.hued("add", self.name, "#111111", "mine")["id"].replace("-", ""))
        self.editor = Peer(self.node_process.url, invite(self.hub_home, "editor", self.name)).live()
        self.addCleanup(self.editor.hang_up)

    def lie(self, kind, make):
        """Sends a change made from the hub's next dots, once everything so far has arrived."""
        palette = self.editor.palette(self.own_palette)
        own = int(self.hub_home.status()["node"], 16)
        digest = lambda: bytes.fromhex(next(p["digest"] for p in self.hub_home.status()["palettes"]
                                            if p["name"] == self.name))
        self.editor.pump(lambda: palette.digest() == digest())
        first = palette.tips.get(own, (0,))[0] + 1
        effect, body, record = make([[own, first + n] for n in range(40)], own)
        self.editor.commit(self.own_palette, self.editor.author.make(palette, record, kind, effect, body))
        self.editor.settle(self.own_palette)

    def shown(self):
        return {c["name"]: c["hex"] for c in self.hub_home.hued("list", self.name)["colors"]}

    def test_writes_that_saw_it(self):
        for round in range(3):
            with self.subTest(round):
                self.lie(SET, lambda dots, _: ({COLOR: dots}, [b"\x99\x99\x99"], self.record))
                self.lie(SET, lambda dots, _: ({NAME: dots, PLACE: dots}, ["theirs", PLACE_BYTES], self.record))
                color = next(iter(self.shown()))
                self.hub_home.hued("set", self.name, color, f"#22222{round}")
                self.hub_home.hued("rename", self.name, color, "again mine")
                self.assertEqual(self.shown(), {"again mine": f"#22222{round}"})
        self.assert_flowing()

    def test_deletes_of_it(self):
        palette = self.editor.palette(self.own_palette)
        def everything(dots, _):
            live = {tuple(dot) for register in range(4) for dot in palette.live(self.record, register)}
            return sorted(map(list, live | set(map(tuple, dots)))), [], self.record
        self.lie(DELETE, everything)
        self.assertEqual(self.shown(), {})
        self.hub_home.hued("restore", self.name, "mine")
        self.assertEqual(self.shown(), {"mine": "#111111"})

    def test_drops_of_it(self):
        last = (1 << 32) - 2
        self.lie(DROP, lambda dots, own: ([[], {own: last, self.editor.node: last - 5}], [], self.own_palette))
        self.assertIn(self.name, {p["name"] for p in self.hub_home.hued("palettes")["palettes"]})
        self.hub_home.hued("add", self.name, "#333333", "more")
        self.assertEqual(self.shown(), {"mine": "#111111", "more": "#333333"})

    def test_marks_without_end(self):
        """What is said of thousands of dots that never come costs little."""
        nodes = sorted(int.from_bytes(os.urandom(8), "big") for _ in range(sized(5, 40)))
        for node in nodes:
            self.lie(SET, lambda *_: ({NOTE: [[node, n] for n in range(1, 3000)]}, ["x"], self.record))
        with self.unharmed():
            pass
        self.hub_home.hued("set", self.name, "mine", "#444444")
        self.assertEqual(self.shown(), {"mine": "#444444"})
        self.assertLess(self.node_process.memory(), 400 << 20)

    def test_presence_at_the_end_of_time(self):
        for time_stated in ((1 << 64) - 1, 1 << 63, 1 << 48, (1 << 48) - 1, 0):
            with self.subTest(time_stated), self.unharmed():
                viewer = self.attacker("viewer").live()
                viewer.send([12, viewer.node, 1, "me", time_stated, self.palette, None])
                viewer.send([13, 4711])
                viewer.pump(lambda: any(p[0] == 4711 for p in viewer.pongs))
                # What a session told of ends with it.
                viewer.hang_up()


class BurdenTests(HubCase):
    """Clients that cost more than they should."""

    def test_a_million_tiny_changes(self):
        count = sized(4_000, 1_000_000)
        client = self.attacker("editor").live()
        own = client.palette(self.palette)
        sent = 0
        slowest = 0.0
        while sent < count:
            batch = []
            first = own.tips.get(client.node, (0,))[0] + 1
            record = changes.new_record()
            for _ in range(200):
                batch.append(client.author.set(own, record, NOTE, "x"))
                own.take(batch[-1])
            del own.log[:-1]
            client.send_changes(self.palette, client.node, first, batch)
            sent += len(batch)
            if sent % sized(1000, 20_000) == 0:
                start = time.monotonic()
                self.assert_flowing(within=10)
                slowest = max(slowest, time.monotonic() - start)
                client.pump(lambda: client.pending(self.palette) < 20_000, 60)
        client.settle(self.palette, within=sized(60, 600))
        print(f"  another client's edit took at most {slowest:.2f} s; {self.node_process.memory() >> 20} MiB")
        self.assertLess(self.node_process.memory(), sized(400, 1500) << 20)

    def test_peers_that_never_read(self):
        clients = [self.attacker("viewer") for _ in range(sized(10, 50))]
        for client in clients:
            client.live()
            client.send([11, 1 << 40])
            client.is_reading = False
            # Behind a million changes this takes longer than a hub waits for the answer to its ping.
            pump([self.witness, self.reader], lambda: True)
        before = self.node_process.memory()
        note = "n" * 1000
        record = self.witness.add(self.palette, "busy")
        for number in range(sized(1500, 10_000)):
            self.witness.commit(self.palette, self.witness.author.set(
                self.witness.palette(self.palette), record, NOTE, f"{number} {note}"))
            if number % 100 == 0:
                pump([self.witness, self.reader], lambda: self.witness.pending(self.palette) < 200, 30)
        self.assert_flowing(within=20)
        rise = self.node_process.memory() - before
        print(f"  memory rose by {rise >> 20} MiB")
        self.assertLess(rise, 200 << 20)
        for client in clients[:3]:
            # One that begins to read again was told to come back, or catches up.
            client.is_reading = True
            try:
                client.pump(lambda: client.closed or client.palette(self.palette).shown(record, NOTE)
                            == self.witness.palette(self.palette).shown(record, NOTE), 30)
            except OSError:
                pass
