"""Hubs that lie, flood, stall or speak nonsense to a node that joined them: it stays alive and idle,
keeps what it acknowledged, and an honest hub gets all of it."""

import os
import time
import zlib

import cbor
import changes
from acceptor import Acceptor, join_code, polite
from cases import Case
from cbor import Raw, encode
from changes import ADD, COLOR, DELETE, DROP, NAME, PLACE, SET
from peer import (ACK, CHANGES, CREDIT, FRONTIER_OF, GOAWAY, HISTORY, LINKS, LINKS_OF, NACK, PALETTES,
                  PING, PONG, PRESENCE, REFUSE, SNAPSHOT, SUMMARY, WELCOME, milliseconds)
from processes import Home, Node, join, wait_for
from rpc import RPC
from running import sized
from websocket import BINARY, CONTINUATION, TEXT

PACKED = 23
LAST = (1 << 32) - 2


def packed(palette, columns, plain=b""):
    """A `packed` frame that is the only part; columns may be any bytes."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return [PACKED, palette, 0, True, plain, deflate.compress(columns) + deflate.flush()]


class VictimCase(Case):
    """One node for all cases of a class; it joined an honest hub and one that misbehaves."""

    has_hub = True

    @classmethod
    def setUpClass(cls):
        cls.victim = Home()
        cls.homes_of_class = [cls.victim]
        cls.nodes = []
        if cls.has_hub:
            cls.hub = Home()
            cls.homes_of_class.append(cls.hub)
        text = cls.homes_of_class[-1].hued("new", "Brand")["id"]
        cls.palette = bytes.fromhex(text.replace("-", ""))
        if cls.has_hub:
            cls.nodes.append(Node(cls.hub))
            join(cls.victim, cls.hub)
        cls.evil = Acceptor()
        cls.victim.hued("join", join_code([cls.evil.url]))
        cls.nodes.insert(0, Node(cls.victim))
        cls.rpcs = [RPC(unix=str(home.folder / "node.sock")) for home in cls.homes_of_class]
        cls.expected = {}      # color's name -> hex, as acknowledged last
        cls.count = 0

    @classmethod
    def tearDownClass(cls):
        cls.evil.end()
        for rpc in cls.rpcs:
            rpc.close()
        codes = [node.stop() for node in cls.nodes]
        for node in cls.nodes:
            node.process.stdout.close()
            node.reader.join(5)
            node.process.stderr.close()
        for home in cls.homes_of_class:
            home.remove()
        assert not any(codes), f"they ended with {codes}"

    @property
    def node(self):
        return self.nodes[0]

    def victim_id(self):
        return int(self.rpcs[0].call("status")["node"], 16)

    def edit(self):
        """An edit by each of the honest ones, and one of an older color."""
        for rpc, who in zip(self.rpcs, ("victim", "hub")):
            type(self).count += 1
            name, value = f"{who} {self.count}", f"#{self.count:06x}"
            rpc.call("add", palette="Brand", value=value, name=name)
            self.expected[name] = value
        older = [name for name in self.expected if name.startswith("victim")][0]
        value = f"#ff{self.count:04x}"
        self.rpcs[0].call("set", palette="Brand", color=older, value=value)
        self.expected[older] = value

    def shown(self, rpc):
        return {c["name"]: c["hex"] for c in rpc.call("list", palette="Brand")["colors"]}

    def missing(self):
        return {name for name, value in self.expected.items()
                for rpc in self.rpcs if self.shown(rpc).get(name) != value}

    def cpu(self):
        """Seconds of processor time that the victim has used."""
        fields = open(f"/proc/{self.node.process.pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def share(self, seconds=0.5):
        """The part of a processor that the victim uses for a while."""
        before, start = self.cpu(), time.monotonic()
        wait_for(lambda: time.monotonic() > start + seconds, 2 * seconds + 2)
        return (self.cpu() - before) / (time.monotonic() - start)

    def suffer(self, attack, finishes=True, within=20):
        """Lets the victim meet an attack, edits meanwhile, and looks at what is left."""
        self.evil.behave(attack)
        self.edit()
        if finishes:
            wait_for(lambda: self.evil.finished or self.evil.problems, within, "the end of the attack")
        else:
            wait_for(lambda: self.evil.links, within, "a connection")
        self.assertEqual(self.evil.problems, [])
        self.edit()
        wait_for(lambda: not self.missing(), 10, lambda: f"edits everywhere: {self.missing()}")
        # It may still have much to look at; who spins comes to no end.
        wait_for(lambda: self.share() < 0.8, 5, "an end: it spins")
        self.assertTrue(self.node.is_running, self.node.lines[-3:])
        # A connection may leave 256 MiB unfinished, and what holds them is there twice while it grows.
        self.assertLess(self.node.memory(), 480 << 20)

    def assert_well(self):
        """With a hub that is polite again everything settles."""
        self.evil.behave(polite)
        self.edit()
        wait_for(lambda: not self.missing(), 10, lambda: f"edits everywhere: {self.missing()}")
        if self.has_hub:
            self.assert_settled(self.homes_of_class)
        # The polite one may be the only clock that there is.
        wait_for(lambda: self.victim.peer()["state"] == "live", 10, lambda: f"live: {self.victim.peer()}")
        for home in self.homes_of_class:
            self.assert_healthy(home)

    def check_all(self, attacks, **how):
        names = list(attacks)
        for name in self.random.sample(names, min(len(names), sized(7, 1000))):
            attack = attacks[name]
            with self.subTest(name):
                self.suffer(attack, **how)
        self.assert_well()


class UpgradeTests(VictimCase):
    """Before a WebSocket is there."""

    def test_answers_that_are_none(self):
        reached = []
        elsewhere = Acceptor(lambda link: (link.read_request(), reached.append(link.request)))
        self.addCleanup(elsewhere.end)

        def answer(data, hold=0.0):
            def attack(link):
                link.read_request()
                link.send_raw(data(link) if callable(data) else data)
                if hold:
                    link.hold(hold)
            return attack

        def endless(link):
            link.read_request()
            link.send_raw(b"HTTP/1.1 101 Switching Protocols\r\n")
            for number in range(20_000):
                link.send_raw(b"X-%d: %s\r\n" % (number, b"y" * 1000))

        def page(link):
            link.read_request()
            link.send_raw(b"HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in range(2_000):
                link.send_raw(b"1000\r\n" + b"z" * 4096 + b"\r\n")

        self.check_all({
            "it hangs up": lambda link: None,
            "garbage": answer(self.random.randbytes(3000)),
            "a redirect": answer(
                f"HTTP/1.1 302 Found\r\nLocation: {elsewhere.url}/sync\r\nContent-Length: 0\r\n\r\n".encode(), 0.2),
            "a permanent redirect": answer(
                f"HTTP/1.1 308 There\r\nLocation: {elsewhere.url}/sync\r\n\r\n".encode(), 0.2),
            "401": answer(b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n"),
            "502": answer(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\noh!"),
            "200 and a page": answer(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>" + b" " * 9999),
            "an endless page": page,
            "endless headers": endless,
            "the accept of another key": answer(lambda link: link.accepted(key="dGhlIHNhbXBsZSBub25jZQ==")),
            "no accept": answer(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                b"Connection: Upgrade\r\nSec-WebSocket-Protocol: hued.sync.v1\r\n\r\n"),
            "another subprotocol": answer(lambda link: link.accepted(subprotocol="hued.rpc.v1")),
            "an extension nobody asked for": answer(lambda link: link.accepted(
                extra="Sec-WebSocket-Extensions: permessage-deflate\r\n") + b"\xc2\x04abcd", 0.2),
            "another protocol to switch to": answer(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", 0.2),
        })
        self.assertEqual(reached, [], "it followed a redirect")

    def test_never_to_the_end(self):
        self.check_all({
            "no answer at all": lambda link: link.hold(60),
            "a byte now and then": lambda link: (
                link.read_request(), link.send_slowly(link.accepted()[:-2], 0.1)),
            "half an answer": lambda link: (
                link.read_request(), link.send_raw(link.accepted()[:50]), link.hold(60)),
            "no welcome": lambda link: (link.upgrade(), link.hold(60)),
            "pongs but no welcome": lambda link: (link.upgrade(), link.listen(60)),
        }, finishes=False)


class FrameTests(VictimCase):
    """A WebSocket that breaks the rules of WebSockets, or of the greeting."""

    def test_frames(self):
        def after_greeting(*frames):
            def attack(link):
                link.upgrade().greet().mirror()
                for opcode, payload, how in frames:
                    link.send_frame(opcode, payload, **how)
                link.listen(0.3)
            return attack

        def endless(link):
            link.upgrade().greet().mirror()
            link.send_frame(BINARY, bytes(1000), fin=False)
            for _ in range(20_000):
                link.send_frame(CONTINUATION, bytes(1000), fin=False)

        def pings(link):
            link.upgrade().greet().mirror()
            for _ in range(200):
                link.send_frame(9, bytes(100))
            link.listen(0.3)

        self.check_all({
            "masked": after_greeting((BINARY, b"\x82\x0d\x01", {"mask": b"abcd"})),
            "a reserved bit": after_greeting((BINARY, b"\x82\x0d\x01", {"rsv": 4})),
            "a reserved opcode": after_greeting((5, b"", {})),
            "a fragmented ping": after_greeting((9, b"", {"fin": False})),
            "a continuation of nothing": after_greeting((CONTINUATION, b"x", {})),
            "text": after_greeting((TEXT, b"hello", {})),
            "text that is no text": after_greeting((TEXT, b"\xff\xfe", {})),
            "2^62 bytes announced": after_greeting((BINARY, b"abc", {"length": 1 << 62})),
            "2^63 bytes announced": after_greeting((BINARY, b"abc", {"length": 1 << 63})),
            "ten mebibytes": after_greeting((BINARY, bytes(10 << 20), {})),
            "an endless message": endless,
            "half a frame": after_greeting((BINARY, b"abc", {"length": 200})),
            "a close with a reason that is no text": after_greeting((8, b"\x03\xe8\xff\xfe\xc0", {})),
            "a close of one byte": after_greeting((8, b"\x03", {})),
            "a close code from nowhere": after_greeting((8, b"\x00\x05why", {})),
            "a close with escapes": after_greeting((8, b"\x03\xe8\x1b[2J\x1b]0;x\x07", {})),
            "frames after the close": after_greeting((8, b"\x03\xe8", {}), (BINARY, b"\x81\x10", {})),
            "many pings": pings,
        })

    def test_greetings(self):
        own = self.victim_id()

        def raw(data):
            return lambda link: (link.upgrade(), link.send_frame(BINARY, data), link.listen(0.3))

        def refused(code, reason):
            def attack(link):
                link.upgrade().send([REFUSE, code, reason])
                link.close(1000)
                link.listen(0.2)
            return attack

        def welcome(then=(), **how):
            def attack(link):
                link.upgrade().greet(**how)
                for frame in then:
                    link.send(frame)
                link.listen(0.3)
            return attack

        good = [WELCOME, 1, 9, bytes(16), "hub", [["relay", None, None]], 65536, 0, []]
        self.check_all({
            "garbage": raw(self.random.randbytes(500)),
            "an empty frame": raw(b""),
            "deep nesting": raw(b"\x81" * 60_000),
            "an endless array": raw(cbor.head(4, 1 << 63)),
            "a cut welcome": raw(encode(good)[:-2]),
            "a welcome in longer form": raw(b"\x98\x09" + encode(good)[1:]),
            "a hello": raw(encode([0, [1], [], 9, bytes(16), "", 0, bytes(32), b"", []])),
            "changes first": raw(encode([CHANGES, self.palette, 9, 1, [b"x"]])),
            "a version nobody offered": welcome(version=99),
            "the dialer's own node id": welcome(node=own),
            "a role from nowhere": welcome(role="king"),
            "a viewer's role": welcome(role="viewer"),
            "another palette": welcome(palette=os.urandom(16)),
            "frames of no bytes": welcome(frame_bytes=0),
            "frames of 2^64 bytes": welcome(frame_bytes=(1 << 64) - 1),
            "the year 584 million": welcome(time=(1 << 64) - 1),
            "1970": welcome(time=0),
            "features nobody named": welcome(features=["telepathy"] * 50),
            "two welcomes": welcome(then=[good]),
            "goaway for ever": welcome(then=[[GOAWAY, (1 << 64) - 1]]),
            "bye": welcome(then=[[16]]),
            "a refusal from nowhere": refused("because", "\x1b[31m\u202e" + "x" * 50_000),
            "incompatible": refused("incompatible", "upgrade"),
            "revoked": refused("revoked", "the token is revoked"),
        })

    def test_node_taken_for_ever(self):
        """A hub that refuses every id does not make the node go through ever new ones."""
        def attack(link):
            link.upgrade().send([REFUSE, "node-taken", "no"])
            link.close(4409)
            link.listen(0.2)
        before = self.victim_id()
        for _ in range(8):
            self.suffer(attack)
        self.assertLessEqual(len([line for line in self.node.lines if "goes on as" in line]), 4)
        self.assertNotEqual(before, 0)
        self.assert_well()


class ComparisonTests(VictimCase):
    """What a hub says of what it holds."""

    def test_lies_about_holdings(self):
        p = self.palette

        def compared(respond):
            def attack(link):
                link.upgrade().greet()
                frontier, digest = link.compare(p)
                respond(link, frontier, digest)
                link.listen(0.4)
            return attack

        def own(link):
            return link.hello[3]

        def frontier(link, entries, digest=None):
            link.send([FRONTIER_OF, p, entries, digest or os.urandom(16), False, True])

        def more(link, held, _):
            frontier(link, held | {own(link): [LAST, b"\1" * 8]})

        def another(link, held, _):
            frontier(link, {node: [sequence, os.urandom(8)] for node, (sequence, _) in held.items()})

        def liar(answers):
            def respond(link, held, digest):
                another(link, held, digest)
                for _ in range(6):
                    frame = link.wait_for(LINKS_OF, 2)
                    link.send([LINKS, frame[1], frame[2], answers(frame[3])])
            return respond

        def palettes(link):
            link.upgrade().greet()
            link.wait_for(SUMMARY)
            link.send([CREDIT, 1 << 20])
            link.send([SUMMARY, os.urandom(16)])
            link.wait_for(4)
            for last in range(10):
                link.send([PALETTES, bytes(range(256)) if last == 9 else b"",
                           sorted([os.urandom(16), os.urandom(16)] for _ in range(1000)), last == 9])
            link.listen(0.5)

        def asks(link, held, digest):
            for _ in range(300):
                link.send([FRONTIER_OF, p, {}, bytes(16), True, True])

        def acknowledges(link, held, digest):
            link.send([ACK, p, {own(link): [LAST, b"\xff" * 8]}])
            link.send([ACK, os.urandom(16), {own(link): [LAST, b"\xff" * 8]}])
            link.send([ACK, p, {77: [1, bytes(8)]}])
            frontier(link, held, digest)

        def rejects(code):
            def respond(link, held, digest):
                frontier(link, {})
                for sequence in (1, 2, held.get(own(link), [1])[0], LAST):
                    link.send([NACK, p, own(link), sequence, code, "\x1b[2Jno " + "y" * 5000])
            return respond

        self.check_all({
            "the same, with another digest": compared(lambda link, held, _: frontier(link, held)),
            "nothing, and then nothing": compared(lambda link, held, _: frontier(link, {})),
            "more of the dialer than it made": compared(more),
            "other changes of everybody": compared(another),
            "links that are all unknown": compared(liar(lambda numbers: [])),
            "links that were all compacted": compared(liar(lambda numbers: [[n, None] for n in numbers])),
            "links of chance": compared(liar(lambda numbers: [[n, os.urandom(8)] for n in numbers])),
            "links nobody asked for": compared(liar(lambda numbers: [[n + 7, bytes(8)] for n in range(900)])),
            "links out of order": compared(liar(lambda numbers: [[2, bytes(8)], [1, bytes(8)]])),
            "links unasked": compared(lambda link, *_: link.send([LINKS, p, own(link), [[1, bytes(8)]]])),
            "ten thousand palettes": palettes,
            "asking without end": compared(asks),
            "acknowledging what it never got": compared(acknowledges),
            "refusing as malformed": compared(rejects("malformed")),
            "refusing as not allowed": compared(rejects("not-allowed")),
            "refusing as forks": compared(rejects("fork")),
            "refusing for no reason": compared(rejects("\u202e")),
        })

    def test_odd_frames(self):
        p = self.palette

        def live(*frames):
            def attack(link):
                link.upgrade().greet().mirror()
                for frame in frames:
                    link.send(frame)
                link.listen(0.3)
            return attack

        self.check_all({
            "buckets": live([4, [bytes(16)] * 256]), "unknown": live([99, 1]),
            "credit without end": live(*[[CREDIT, (1 << 64) - 1]] * 5),
            "clocks": live(*[[PONG, 0, (1 << 64) - 1], [PONG, (1 << 64) - 1, 0], [PING, (1 << 64) - 1]] * 20),
            "presence": live(*[[PRESENCE, n, n, "\x1b[2J" * 16, (1 << 64) - 1, p, bytes(16)] for n in range(1, 3000)]),
            "presence too long": live([PRESENCE, 5, 1, "x" * 5000, 9, p, None]),
            "history nobody asked for": live([HISTORY, p, 9, 5, None, [b"junk"]]),
            "history asked for": live([20, p, 9, 1, LAST], [20, p, 9, LAST, 1], [20, os.urandom(16), 9, 1, 2]),
            "links asked for": live(*[[LINKS_OF, p, n, list(range(1, 1000))] for n in range(50)]),
            "a summary again": live([SUMMARY, bytes(16)]),
            "a hello": live([0, [1], [], 9, bytes(16), bytes(32), 0]),
        })


class ContentTests(VictimCase):
    """What a hub sends as changes and snapshots."""

    def sender(self, make, seconds=0.5, features=(), **how):
        """An attack that compares, says to hold more, and sends what `make` gives."""
        def attack(link):
            link.upgrade().greet(features=features, **how)
            held, digest = link.compare(self.palette)
            link.send([FRONTIER_OF, self.palette, held | {5: [9, b"\1" * 8]}, os.urandom(16), False, True])
            for frame in make(link, held):
                link.send(frame)
            link.listen(seconds)
        return attack

    def change(self, node, sequence=1, previous=bytes(8), **parts):
        parts = dict(stamp=milliseconds() << 16, record=os.urandom(16), kind=ADD,
                     effect={NAME: [], COLOR: [], PLACE: []},
                     body=["evil", b"\xff\0\0", b"\x80\x01\x02\x03\x80\x00"]) | parts
        return changes.change(node=node, sequence=sequence, previous=previous, **parts)

    def test_changes(self):
        p = self.palette
        hub = int(self.rpcs[1].call("status")["node"], 16)
        self.edit()
        about = self.older()

        def sends(node, first, *batch):
            return self.sender(lambda link, held: [[CHANGES, p, node, first, list(batch)]])

        def own(link, held):
            # The victim's next change, by somebody else.
            sequence, previous = held.get(link.hello[3], [0, bytes(8)])
            return [[CHANGES, p, link.hello[3], sequence + 1,
                     [self.change(link.hello[3], sequence + 1, previous)]]]

        def twin(link, held):
            return [[CHANGES, p, link.hello[3], 1, [self.change(link.hello[3], 1)]]]

        def forging(author):
            # The next change of somebody, as the victim knows them.
            def make(link, held):
                sequence, previous = held.get(author, [0, bytes(8)])
                return [[CHANGES, p, author, sequence + 1, [self.change(author, sequence + 1, previous)]]]
            return self.sender(make)

        def foreseeing(kind, effect, body):
            author = int.from_bytes(os.urandom(8), "big")

            def make(link, held):
                # Once only: whoever goes on writes over what it then has seen, as it may.
                if author in held:
                    return []
                node = link.hello[3]
                first = held.get(node, [0])[0] + 1
                dots = [[node, sequence, os.urandom(4)] for sequence in range(first, first + 50)]
                return [[CHANGES, p, author, 1, [self.change(
                    author, kind=kind, record=about, effect=effect(dots), body=body)]]]
            return self.sender(make)

        def flood(link, held):
            for _ in range(200):
                author = int.from_bytes(os.urandom(8), "big")
                yield [CHANGES, p, author, 2, [self.change(author, 2, os.urandom(8))]]

        def overdrawn(link, held):
            for _ in range(60):
                yield [CHANGES, p, 5, 1, [bytes(60_000)]]

        self.check_all({
            "garbage": sends(5, 1, b"\xff" * 300),
            "an empty change": sends(5, 1, b""),
            "a cut change": sends(5, 1, self.change(5)[:-4]),
            "another author than announced": sends(5, 1, self.change(6)),
            "another number than announced": sends(5, 3, self.change(5)),
            "a gap": sends(5, 4, self.change(5, 4, b"\2" * 8)),
            "a wrong link": sends(5, 1, self.change(5, 1, b"\2" * 8)),
            "an author that the hub is": sends(hub, 1, self.change(hub)),
            "the hub's far future": sends(hub, LAST, self.change(hub, LAST, b"\3" * 8)),
            "the victim's next change": self.sender(own),
            "the victim's first change, another": self.sender(twin),
            "the hub's next change": forging(hub),
            "a delete of what is to come": foreseeing(DELETE, lambda dots: dots, []),
            "a write that saw what is to come": foreseeing(SET, lambda dots: {COLOR: dots}, [b"\xff\0\0"]),
            "gaps of two hundred authors": self.sender(flood),
            "more than there is credit for": self.sender(overdrawn),
            "numbers past the end": sends(5, LAST, self.change(5, LAST), self.change(5, LAST)),
        })

    def older(self):
        """The record of the victim's color that every `edit` sets."""
        name = next(name for name in self.expected if name.startswith("victim"))
        listed = self.rpcs[0].call("list", palette="Brand")["colors"]
        return bytes.fromhex(next(c["id"] for c in listed if c["name"] == name).replace("-", ""))

    def test_a_drop_of_all_that_is_to_come(self):
        """Whoever drops what nobody has made yet drops nothing."""
        self.edit()
        wait_for(lambda: not self.missing(), 10)
        nodes = [int(rpc.call("status")["node"], 16) for rpc in self.rpcs]

        def drop(link, held):
            author = int.from_bytes(os.urandom(8), "big")
            effect = [[], {node: [LAST, os.urandom(4)] for node in sorted({*held, *nodes})}]
            return [[CHANGES, self.palette, author, 1, [self.change(
                author, kind=DROP, record=self.palette, effect=effect, body=[])]]]

        self.evil.behave(self.sender(drop, seconds=60))
        self.rpcs[0].call("sync")
        for rpc in self.rpcs:
            wait_for(lambda: any(c["kind"] == "drop" for c in rpc.call("history", palette="Brand")["changes"]),
                     10, "the drop")
            self.assertTrue(rpc.call("palettes")["palettes"])
        self.assert_well()

    def test_snapshots(self):
        p = self.palette
        good = encode([{}, {}, {}, [], []])
        row = self.change(5)
        self.edit()
        about = self.older()

        def parts(*frames):
            return self.sender(lambda link, held: frames)

        def state(frontier=None, dropped=None, written=None, ahead=(), rows=()):
            return encode([frontier or {}, dropped or {}, written or {}, list(ahead), list(rows)])

        def whole(data):
            return parts([SNAPSHOT, p, 0, True, data])

        link = changes.hash_of(p, row)[:8]

        def cut(connection):
            connection.upgrade().greet()
            held, _ = connection.compare(p)
            connection.send([FRONTIER_OF, p, held | {5: [9, b"\1" * 8]}, os.urandom(16), False, True])
            connection.send([SNAPSHOT, p, 0, False, state({5: [1, link]}, rows=[[row, [0, 1, 2], False]])[:90]])

        def foreseen(connection, held):
            own = connection.hello[3]
            first = held.get(own, [0])[0]
            marks = [[about, own, first + n, register] for n in range(1, 9) for register in (0, 1)]
            return [[SNAPSHOT, p, 0, True, state({5: [1, link]}, {}, {5: 1}, marks, [[row, [0, 1, 2], False]])]]

        def endless(connection, held):
            for index in range(5000):
                yield [SNAPSHOT, p, index, False, bytes(50_000)]

        def beginnings(connection, held):
            for _ in range(12_000):
                yield [SNAPSHOT, os.urandom(16), 0, False, bytes(100)]

        columns = encode([good, 0, b"", b"", b"", b"", b""])
        packing = dict(features=["packed-snapshots"])

        def squeezed(*frames):
            return self.sender(lambda link, held: frames, **packing)

        self.check_all({
            "garbage": whole(b"\xff" * 500), "nothing": whole(b""), "cut": whole(good[:-1]),
            "bytes behind": whole(good + b"\0"), "endless rows": whole(good[:-1] + cbor.head(4, 1 << 62)),
            "the second part first": parts([SNAPSHOT, p, 1, True, good]),
            "a part twice": parts(*[[SNAPSHOT, p, 0, False, good[:2]]] * 2),
            "an empty part": parts([SNAPSHOT, p, 0, False, b""]),
            "never the last part": cut,
            "another palette's": parts([SNAPSHOT, os.urandom(16), 0, True, good]),
            "a row beyond the frontier": whole(state(rows=[[row, [0], False]])),
            "a row that is no change": whole(state({5: [1, link]}, rows=[[b"junk", [0], False]])),
            "registers that a row does not write": whole(state({5: [1, link]}, rows=[[row, [0, 1, 2, 3], False]])),
            "a mark out of order": whole(state({5: [1, link]}, ahead=[[bytes(16), 9, 2, 0, bytes(4)], [bytes(16), 9, 1, 0, bytes(4)]])),
            "a frontier of number 0": whole(encode([{5: [0, link]}, {}, {}, [], []])),
            "other changes of the victim": self.sender(lambda link, held: [[SNAPSHOT, p, 0, True, state(
                {link.hello[3]: [held.get(link.hello[3], [1])[0], b"\5" * 8]})]]),
            "marks on what is to come": self.sender(foreseen),
            "endless parts": self.sender(endless),
            "the beginnings of many": self.sender(beginnings),
            "packed without being asked": parts(packed(p, columns)),
            "a packed bomb": squeezed(packed(p, bytes(60 << 20))),
            "packed garbage": squeezed([PACKED, p, 0, True, b"", os.urandom(3000)]),
            "packed and cut": squeezed([PACKED, p, 0, True, b"", packed(p, columns)[5][:-1]]),
            "packed columns that are none": squeezed(packed(p, b"\xff" * 100)),
            "packed, 2^63 rows": squeezed(packed(p, encode([good, 1 << 63, b"", b"", b"", b"", b""]))),
            "packed, rows of nothing": squeezed(packed(p, encode([good, 100_000, b"", b"", b"", b"", b""]))),
            "packed, the second part first": squeezed([PACKED, p, 1, True, b"", packed(p, columns)[5]]),
        })


class LonelyTests(VictimCase):
    """A node that knows no other hub, and no other clock."""

    has_hub = False

    def test_clocks(self):
        def greeted(*times):
            return lambda link: (link.upgrade().greet(time=times[0]).mirror(), [
                link.send([PONG, sent, time]) for time in times for sent in (0, time, (1 << 64) - 1)],
                link.listen(0.3))
        end = (1 << 64) - 1
        self.check_all({
            "the end of time": greeted(end), "1970": greeted(0),
            "the end of 63 bits": greeted(end >> 1), "of 48": greeted((1 << 48) - 1),
            "to and fro": greeted(0, end, 0, end >> 1, 0, (1 << 48) - 1, 0),
        })
