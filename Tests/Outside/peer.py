"""A dialer of `hued.sync.v1`, after Sources/PaletteSync/PaletteSync.docc/Protocol.md."""

import hashlib
import os
import select
import time
import uuid

import cbor
import changes
import codes
from websocket import BINARY, Closed, TimedOut, WebSocket

(HELLO, WELCOME, REFUSE, SUMMARY, BUCKETS, PALETTES, FRONTIER_OF, CHANGES, SNAPSHOT, ACK, NACK,
 CREDIT, PRESENCE, PING, PONG, GOAWAY, BYE, LINKS_OF, LINKS) = range(19)
HISTORY_OF, HISTORY = 20, 21
PACKED, PACKED_CHANGES = 23, 24
CHALLENGE, PROOF, BINDINGS, GIVE_BACK = 25, 26, 27, 28
SUBPROTOCOL = "hued.sync.v1"
FRAME_BYTES = 64 * 1024
CREDIT_BYTES = 1 << 20


def secret_of(text):
    """The secret in what `hued token` prints."""
    return bytes.fromhex(text.removeprefix("hued_"))


def read_code(text):
    """What a join code says: addresses, secret, pin, role, palette, library, palette's name."""
    return codes.read(text)


def hash_of_secret(secret):
    """What an acceptor keeps of a secret."""
    return hashlib.blake2b(b"hued token" + secret, digest_size=32).digest()


def proof_of(hash, theirs, ours, address):
    """The code of a proof: both nonces, and the acceptor's own address and port."""
    data = b"hued proof" + theirs + ours + address.encode()
    return hashlib.blake2b(data, digest_size=32, key=hash).digest()


def invite(home, role="relay", palette=None):
    """A join code of a home whose node runs."""
    return home.hued("share", *([palette] if palette else []), "--role", role)["code"]


def milliseconds():
    return time.time_ns() // 1_000_000


class Peer:
    """A library of its own, as far as it was told, and its connection to a node.

    It is driven: `pump` waits until something is so and meanwhile does what the protocol asks for.
    """

    def __init__(self, url, secret, node=None, library=None, clock=milliseconds):
        """`secret` is that of a member, or a join code as text."""
        self.url = url
        self.code = read_code(secret)[1] if isinstance(secret, str) else b""
        # A member makes its secret itself, before it redeems a code.
        self.token = os.urandom(32) if isinstance(secret, str) else secret
        self.name = "peer.py"
        self.node = node if node is not None else int.from_bytes(os.urandom(8), "big")
        self.library = library or uuid.uuid4().bytes
        self.clock = clock
        self.author = changes.Author(self.node, clock)
        self.palettes = {}
        self.socket = None
        self.forget()

    def forget(self):
        """What lasts only as long as a connection."""
        self.welcome = None
        self.refusal = None
        self.closed = None
        self.nacks = []
        self.credit = 0
        self.outbox = []          # changes that wait for credit
        self.consumed = 0
        self.theirs = {}          # palette -> the newest frontier they stated
        self.stated = {}          # palette -> (frontier, digest) they compared with
        self.halves = {}          # palette -> the frontier's parts so far
        self.bindings = []
        self.parts = {}           # palette -> the snapshot's parts so far
        self.entries = []
        self.is_compared = False
        self.compared = None
        self.pongs = []
        self.links = []
        self.got = []             # types of the frames that arrived
        self.is_reading = True

    # The connection.

    def connect(self, within=10, greets=True, versions=(1,)):
        self.forget()
        self.socket = WebSocket(self.url, "/sync", SUBPROTOCOL, within=within)
        if greets:
            self.send(self.hello(versions=list(versions)))
        return self

    def hello(self, versions=(1,), features=(), time=None, others=()):
        return [HELLO, list(versions), list(features), self.node, self.library, self.name,
                self.clock() if time is None else time, self.token, self.code, list(others)]

    def live(self, within=20):
        """Connects and waits until everything is exchanged."""
        self.connect()
        self.pump(lambda: self.is_compared or self.closed, within)
        assert not self.closed, f"closed: {self.closed} {self.refusal}"
        return self

    def send(self, frame):
        self.socket.send_frame(BINARY, cbor.encode(frame))

    def hang_up(self):
        self.socket.hang_up()

    def fileno(self):
        return self.socket.fileno()

    def pump(self, until, within=10):
        pump([self], until, within)
        return self

    def read(self):
        """Takes what arrived."""
        for message in self.socket.messages():
            if isinstance(message, Closed):
                self.closed = message
                self.hang_up()
            else:
                self.take(message)

    # What arrives.

    def take(self, message):
        frame = cbor.decode(message)
        assert len(message) <= FRAME_BYTES, "a frame is too long"
        self.got.append(frame[0])
        handler = self.handlers()[frame[0]]
        if frame[0] in (CHANGES, SNAPSHOT, PACKED):
            self.consumed += len(message)
        handler(*frame[1:])
        if self.consumed > CREDIT_BYTES // 4 and self.is_reading:
            self.send([CREDIT, self.consumed])
            self.consumed = 0

    def handlers(self):
        return {
            WELCOME: self.take_welcome, REFUSE: self.take_refuse, SUMMARY: self.take_summary,
            PALETTES: self.take_palettes, FRONTIER_OF: self.take_frontier, CHANGES: self.take_changes,
            SNAPSHOT: self.take_snapshot, ACK: self.take_ack, NACK: self.take_nack,
            CREDIT: self.take_credit, PING: self.take_ping, PONG: lambda *pong: self.pongs.append(pong),
            LINKS: lambda *links: self.links.append(links), HISTORY: lambda *_: None,
            PRESENCE: lambda *_: None, GOAWAY: lambda *_: None, BYE: lambda *_: None,
            LINKS_OF: self.take_links_of, BINDINGS: self.bindings.extend, HISTORY_OF: self.take_history_of,
        }

    def take_welcome(self, version, node, library, name, grants, frame_bytes, time, features):
        self.welcome = dict(version=version, node=node, library=library, name=name, grants=grants,
                            time=time)
        self.code = b""
        self.send([CREDIT, CREDIT_BYTES])
        self.send([SUMMARY, self.summary()])

    def summary(self):
        return changes.library_digest(self.digests())

    def digests(self, bucket=None):
        """(palette, digest) of every palette of which anything is held."""
        return [(id, palette.digest()) for id, palette in self.palettes.items()
                if palette.tips and bucket in (None, id[15])]

    def take_refuse(self, code, reason):
        self.refusal = (code, reason)

    def take_summary(self, digest):
        if digest == self.summary():
            self.is_compared = True
            return
        self.send([BUCKETS, [changes.library_digest(self.digests(n)) for n in range(256)]])

    def take_palettes(self, buckets, entries, is_last):
        self.entries += entries
        if not is_last:
            return
        theirs = {palette: digest for palette, digest in self.entries}
        own = {id: digest for id, digest in self.digests() if id[15] in buckets}
        self.compared = {p for p in theirs.keys() | own.keys() if theirs.get(p) != own.get(p)}
        for palette in self.compared:
            self.send_frontier(palette, True)
        self.note_comparison()

    def note_comparison(self):
        if self.compared is not None:
            self.is_compared = not self.compared and not self.stated

    def palette(self, identity):
        return self.palettes.setdefault(identity, changes.Palette(identity))

    def send_frontier(self, identity, asks):
        palette = self.palettes.get(identity) or changes.Palette(identity)
        self.send([FRONTIER_OF, identity, palette.frontier(), palette.digest(), asks, True])

    def take_frontier(self, identity, part, digest, asks, is_last):
        frontier = self.halves.pop(identity, {}) | dict(part)
        if not is_last:
            self.halves[identity] = frontier
            return
        if asks:
            self.send_frontier(identity, False)
        self.theirs[identity] = dict(frontier)
        self.stated[identity] = (frontier, digest)
        self.push(identity)
        self.check(identity)

    def check(self, identity):
        """Compares digests as soon as what they stated is held."""
        if identity in self.stated:
            frontier, digest = self.stated[identity]
            palette = self.palette(identity)
            if not all(palette.tips.get(node, (0,))[0] >= s for node, (s, _) in frontier.items()):
                return
            if palette.frontier() == frontier:
                assert palette.digest() == digest, "the digests differ"
            del self.stated[identity]
            (self.compared or set()).discard(identity)
        self.note_comparison()

    def take_changes(self, identity, node, first, batch):
        palette = self.palette(identity)
        for data in batch:
            palette.take(data)
        sequence, link = palette.tips[node]
        self.send([ACK, identity, {node: [sequence, link]}])
        self.check(identity)

    def take_snapshot(self, identity, index, is_last, part):
        parts = self.parts.setdefault(identity, [])
        assert index == len(parts), "a part is missing"
        parts.append(part)
        if is_last:
            palette = self.palette(identity)
            palette.take_snapshot(cbor.decode(b"".join(self.parts.pop(identity))))
            self.send([ACK, identity, palette.frontier()])
            self.check(identity)

    def take_ack(self, identity, frontier):
        self.theirs.setdefault(identity, {}).update(frontier)

    def take_nack(self, identity, node, sequence, code, reason):
        self.nacks.append((identity, node, sequence, code, reason))

    def take_links_of(self, identity, node, numbers):
        links = {(n, s): changes.hash_of(identity, data)[:8]
                 for n, s, data in self.palette(identity).log}
        self.send([LINKS, identity, node, [[s, links[(node, s)]] for s in numbers if (node, s) in links]])

    def take_history_of(self, identity, node, first, last):
        rows = [data for n, s, data in self.palette(identity).log if n == node and first <= s <= last]
        self.send([HISTORY, identity, node, last, None, rows[:50]])

    def take_credit(self, amount):
        self.credit += amount
        self.flush()

    def take_ping(self, time):
        self.send([PONG, time, self.clock()])

    # What leaves.

    def push(self, identity):
        """Sends what the other side stated to lack of this peer's own changes."""
        has = self.theirs.get(identity, {}).get(self.node, [0])[0]
        for node, sequence, data in self.palette(identity).log:
            if node == self.node and sequence > has:
                self.send_changes(identity, node, sequence, [data])

    def send_changes(self, identity, node, first, batch):
        """Sends changes as soon as there is credit."""
        self.outbox.append(cbor.encode([CHANGES, identity, node, first, batch]))
        self.flush()

    def flush(self):
        while self.outbox and self.credit > 0 and not self.closed:
            self.credit -= len(self.outbox[0])
            self.socket.send_frame(BINARY, self.outbox.pop(0))

    def commit(self, identity, data):
        """Takes a change of our own and sends it."""
        palette = self.palette(identity)
        palette.take(data)
        self.push_last(palette)
        return data

    def push_last(self, palette):
        node, sequence, data = palette.log[-1]
        self.send_changes(palette.identity, node, sequence, [data])

    def add(self, identity, name="Ripe", **how):
        record = changes.new_record()
        self.commit(identity, self.author.add(self.palette(identity), name, record=record, **how))
        return record

    def pending(self, identity):
        """How many changes of our own they have not stated to hold."""
        own = self.palette(identity).tips.get(self.node, (0,))[0]
        return own - self.theirs.get(identity, {}).get(self.node, [0])[0]

    def settle(self, identity, within=10):
        """Waits until everything of ours is stated to be held there."""
        return self.pump(lambda: self.pending(identity) == 0, within)


def pump(peers, until, within=10):
    """Lets peers take what arrives until something is so."""
    deadline = time.monotonic() + within
    while True:
        for peer in peers:
            if peer.socket and not peer.closed and peer.is_reading:
                peer.read()
        if until():
            return
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimedOut(f"not so within {within} s: " + "; ".join(
                f"{p.node:016x} closed={p.closed} refusal={p.refusal} nacks={p.nacks[-3:]}"
                for p in peers[:4]))
        waiting = [peer for peer in peers if peer.socket and not peer.closed and peer.is_reading]
        select.select(waiting, [], [], min(left, 0.25))
