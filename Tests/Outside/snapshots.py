"""Snapshots and catching up in columns, read by a client that is written from the documents; and new
places that it puts between those of others."""

import json
import uuid
from random import Random

import cbor
import changes
from cases import SEED, Case
from changes import (ADD, COLOR, DELETE, DROP, NAME, NOTE, PLACE, RESTORE, SET, Author, Places,
                     midpoint)
from packing import WHOLE, PackedSnapshot, read_changes
from peer import (ACK, CHANGES, PACKED, PACKED_CHANGES, PING, PONG, SNAPSHOT, Peer, invite,
                  milliseconds)
from processes import Home, Node
from running import sized

SNAPSHOTS, LOGS = "packed-snapshots", "packed-changes"
REGISTERS = {NAME: "name", COLOR: "color", NOTE: "note"}
# Registers that no version knows yet.
UNKNOWN, OTHER = 9, 4_000
LAST_TIME = (1 << 48) - 1


class Reader(Peer):
    """A client that reads what is packed, where it says so."""

    def __init__(self, url, secret, features=(), **how):
        self.features = features
        super().__init__(url, secret, **how)

    def forget(self):
        super().forget()
        self.packed = {}         # palette -> the packed snapshot's parts so far
        self.snapshots = {}      # palette -> the newest state that came
        self.statements = {}     # palette -> the frontier and the digest that were stated

    def hello(self, versions=(1,), features=(), **how):
        return super().hello(versions, features or self.features, **how)

    def handlers(self):
        packed = {SNAPSHOTS: (PACKED, self.take_packed), LOGS: (PACKED_CHANGES, self.take_packed_changes)}
        return super().handlers() | dict(packed[feature] for feature in self.features)

    def take_frontier(self, identity, part, digest, asks, is_last):
        if is_last:
            self.statements[identity] = ({**self.halves.get(identity, {}), **part}, digest)
        super().take_frontier(identity, part, digest, asks, is_last)

    def take_packed(self, identity, index, is_last, plain, squeezed):
        if index == 0:
            self.packed[identity] = PackedSnapshot(identity)
        state = self.packed[identity].add(index, is_last, plain, squeezed)
        if is_last:
            self.hold(identity, state)

    def take_snapshot(self, identity, index, is_last, part):
        parts = self.parts.setdefault(identity, [])
        assert index == len(parts), "a part is missing"
        parts.append(part)
        if is_last:
            self.hold(identity, cbor.decode(b"".join(self.parts.pop(identity))))

    def hold(self, identity, state):
        self.snapshots[identity] = state
        palette = self.palette(identity)
        palette.take_snapshot(state)
        self.send([ACK, identity, palette.frontier()])
        self.check(identity)

    def take_packed_changes(self, identity, plain, squeezed):
        palette = self.palette(identity)
        batch = read_changes(identity, plain, squeezed)
        self.consumed += sum(map(len, batch))
        for data in batch:
            palette.take(data)
        nodes = {cbor.decode(data)[0][0] for data in batch}
        self.send([ACK, identity, {node: list(palette.tips[node]) for node in nodes}])
        self.check(identity)


def behind(client, kind):
    """The types of the frames that came after the first of one type, other than questions for the time."""
    return [other for other in client.got[client.got.index(kind) + 1:] if other != PING]


def css(value):
    """A color as `list` shows it, as far as it is used here: its text, or its hex digits."""
    if isinstance(value, bytes):
        return "hex", "#" + value.hex()
    space, *parts = value
    first, second, third, *alpha = ["none" if part is None else f"{part:g}" for part in parts]
    tail = f" / {alpha[0]}" if alpha else ""
    forms = {7: f"oklch({first} {second} {third}{tail})", 8: f"color(display-p3 {first} {second} {third}{tail})",
             4: f"lab({first} {second} {third}{tail})"}
    return "color", forms[space]


class SnapshotCase(Case):
    """A hub and those who read from it."""

    def reader(self, home, node, features=(), role="viewer", palette="Brand", **how):
        client = Reader(node.url, invite(home, role, palette), features, **how)
        self.addCleanup(lambda: client.socket and client.socket.hang_up())
        return client

    def assert_shows(self, home, palette):
        """What the client holds is what `list` shows, in the same order; the colors as they are shown."""
        listing = json.loads(home.run("--json", "list", palette.shown(palette.identity, NAME)).stdout)
        shown = palette.records()
        colors = listing["colors"]
        self.assertEqual([bytes.fromhex(color["id"].replace("-", "")) for color in colors], shown)
        for index, (color, record) in enumerate(zip(colors, shown)):
            key, text = css(palette.shown(record, COLOR))
            conflicts = [name for register, name in REGISTERS.items() if self.differ(palette, record, register)]
            expected = {"name": palette.shown(record, NAME), "note": palette.shown(record, NOTE) or "",
                        "index": index, key: text}
            self.assertEqual({name: color[name] for name in expected}, expected)
            self.assertEqual(sorted(color["conflicts"]), sorted(conflicts), color)
        self.assertEqual(listing["palette"]["digest"], palette.digest().hex())
        return colors

    def differ(self, palette, record, register):
        live = palette.values.get((record, register), {}).values()
        return len({cbor.encode(value) for _, value, _ in live}) > 1

    def assert_as_stated(self, client, identity):
        """The client holds what the hub has stated: the same frontier, and the same digest."""
        frontier, digest = client.statements[identity]
        palette = client.palette(identity)
        self.assertEqual(palette.frontier(), frontier)
        self.assertEqual(palette.digest().hex(), digest.hex())


class Crowd:
    """Several authors who do whatever can be done to a palette; a relay tells the hub."""

    def __init__(self, relay, identity, random):
        self.relay = relay
        self.identity = identity
        self.random = random
        early = Author(0, lambda: 0)
        late = Author(changes.MASK, lambda: LAST_TIME)
        usual = [Author(random.getrandbits(64), milliseconds) for _ in range(4)]
        self.authors = [early, late, *usual]
        self.nodes = [author.node for author in self.authors]
        self.palette = relay.palette(identity)

    def settle(self, within=20):
        """Waits until the hub has stated to hold everything."""
        def is_held(node):
            stated = self.relay.theirs[self.identity].get(node)
            return list(stated or ()) == list(self.palette.tips[node])
        self.relay.pump(lambda: self.relay.nacks or all(map(is_held, self.nodes)), within)
        assert not self.relay.nacks, self.relay.nacks

    def drop(self):
        """One drops the palette, and another renames it without having seen that."""
        dots = [dot for register in range(4) for dot in self.palette.live(self.identity, register)]
        held = {node: sequence for node, (sequence, _) in self.palette.tips.items()}
        dropped = self.authors[2].make(self.palette, self.identity, DROP, [dots, held], [])
        self.commit(self.authors[1].title(self.palette, "Brand"), dropped)

    def commit(self, *batch):
        for data in batch:
            count = len(self.palette.log)
            self.relay.commit(self.identity, data)
            assert len(self.palette.log) == count + 1, "nothing new"

    def write(self, author, record, kind, values, saw=None):
        """A change that writes registers of a record, and replaces what is live there, or what it is told."""
        registers = sorted(values)
        effect = {register: self.palette.live(record, register) for register in registers}
        return author.make(self.palette, record, kind, effect | (saw or {}),
                           [values[register] for register in registers])

    def color(self):
        random = self.random
        eighths = [random.randrange(9) / 8 for _ in range(3)]
        return random.choice([
            random.randbytes(3), random.randbytes(3) + bytes([random.randrange(255)]),
            [8, *eighths], [7, eighths[0], None, eighths[2], 0.5], [4, 50.0 + eighths[0], -0.25, 1e3]])

    def place(self):
        return self.random.randbytes(self.random.choice([1, 2, 6, 9, 40])) + b"\x01"

    def text(self, most=60):
        return "".join(self.random.choice("aeio ntrs Äß 漢🎨") for _ in range(self.random.randrange(1, most)))

    def add(self, author, values=None):
        """A new color."""
        record = self.random.randbytes(16)
        usual = {NAME: self.text(), COLOR: self.color(), PLACE: self.place()}
        self.commit(self.write(author, record, ADD, usual | (values or {})))
        return record

    def value(self, register):
        return {NAME: self.text, COLOR: self.color, PLACE: self.place, NOTE: lambda: self.text(200)}[register]()

    def act(self, records):
        """Does something to one of some records."""
        random, palette = self.random, self.palette
        one, other = random.sample(self.authors, 2)
        record = random.choice(records)
        register = random.choice([NAME, COLOR, PLACE, NOTE])
        act = random.randrange(8)
        if act < 2:
            records.append(self.add(one))
        elif act < 4:
            self.commit(self.write(one, record, SET, {register: self.value(register)}))
        elif act == 4:
            # Both see the same, and neither the other: a conflict, unless it is about places.
            self.commit(self.write(one, record, SET, {register: self.value(register), NOTE: self.text()}),
                        self.write(other, record, SET, {register: self.value(register)}))
        elif act == 5:
            self.commit(one.delete(palette, record))
            if random.randrange(2):
                self.commit(self.write(other, record, RESTORE, {PLACE: self.place()}))
        elif act == 6:
            # One deletes it, the other edits it without having seen that.
            deletion = one.delete(palette, record)
            self.commit(self.write(other, record, SET, {NAME: self.text()}), deletion)
        else:
            self.commit(self.write(one, record, SET, {NAME: self.text(), UNKNOWN: {"of": [random.random()]}}))

    def special(self):
        """What chance would not do."""
        early, late, *usual = self.authors
        for author in self.authors:
            own = author.node.to_bytes(8, "big") + bytes.fromhex("b0e16a5c2f94d37b")
            self.commit(self.write(author, own, ADD, {NAME: f"author {author.node}"}))
        # Two titles at once; the later one is shown.
        self.commit(early.title(self.palette, "Early"), late.title(self.palette, "Brand"))
        # What a stranger wrote is replaced, of whom nothing is held.
        stranger = [self.random.getrandbits(64), 7]
        record = self.add(usual[0])
        saw = {NAME: sorted([*self.palette.live(record, NAME), stranger]), UNKNOWN: [stranger]}
        self.commit(self.write(usual[0], record, SET, {NAME: "knows a stranger", UNKNOWN: 1}, saw=saw))
        # Records whose first row comes whole, and rows that follow it and count from it.
        for author in (early, late, usual[1]):
            record = self.random.randbytes(16)
            whole = {NAME: "whole", COLOR: b"\1\2\3", PLACE: b"\x70", UNKNOWN: None, OTHER: [True, {"a": b"\0"}]}
            self.commit(self.write(author, record, ADD, whole))
            for values in ({NOTE: "behind a whole one"}, {OTHER: b"another"}, {COLOR: [8, 0.5, 0.25, 1.0]}):
                self.commit(self.write(author, record, SET, values))
        # A place that comes whole is not the last one of its column.
        record = self.add(usual[1], {PLACE: b"\x41\x42\x43\1"})
        self.commit(self.write(usual[1], record, SET, {PLACE: b"\x70\x42\x43\1", UNKNOWN: 1}))
        self.add(usual[1], {PLACE: b"\x41\x42\x43\2"})
        # Nothing to list it by.
        self.commit(self.write(usual[2], self.random.randbytes(16), ADD, {COLOR: b"\4\5\6", PLACE: b"\x60"}))
        # Equal places, one that begins others, and the longest one; long texts.
        for place in (b"\x50", b"\x50", b"\x50\0", b"\x50\0\0", b"\x50\xff" * 512, b"\x4f\xff"):
            self.add(usual[3], {PLACE: place, NOTE: self.text(2_000)})
        # A large change gets a part of its own.
        self.add(usual[3], {UNKNOWN: self.random.randbytes(40_000)})


class PackedSnapshotTests(SnapshotCase):
    """A palette that is too long to be told change by change."""

    @classmethod
    def setUpClass(cls):
        random = Random(SEED)
        cls.home_of_hub = Home()
        cls.identity = bytes.fromhex(cls.home_of_hub.hued("new", "Brand")["id"].replace("-", ""))
        file = cls.home_of_hub.folder / "many.txt"
        file.write_text("".join(f"#{random.getrandbits(24):06x}\tcolor {number}\n"
                                for number in range(sized(12_000, 60_000))))
        cls.home_of_hub.hued("import", str(file), "--palette", "Brand")
        cls.hub_node = Node(cls.home_of_hub)
        cls.relay = Peer(cls.hub_node.url, invite(cls.home_of_hub)).live(60)
        cls.crowd = Crowd(cls.relay, cls.identity, random)
        cls.crowd.special()
        records = random.sample(cls.relay.palette(cls.identity).records(), 500)
        for _ in range(sized(2_000, 10_000)):
            cls.crowd.act(records)
        cls.crowd.settle()

    @classmethod
    def tearDownClass(cls):
        cls.relay.hang_up()
        code = cls.hub_node.stop()
        cls.hub_node.process.stdout.close()
        cls.hub_node.reader.join(5)
        cls.hub_node.process.stderr.close()
        cls.home_of_hub.remove()
        assert code == 0, f"the hub ended with {code}: {cls.hub_node.lines[-5:]}"

    def read(self, *features, role="viewer"):
        """A new client that has taken everything; it is equal to the one that has all changes."""
        client = self.reader(self.home_of_hub, self.hub_node, features, role).live(60)
        self.assert_as_stated(client, self.identity)
        self.assertEqual(client.palette(self.identity).digest(), self.relay.palette(self.identity).digest())
        return client

    def test_parts(self):
        client = self.read(SNAPSHOTS)
        snapshot = client.packed[self.identity]
        carried, kinds = snapshot.unpacker.carried, snapshot.unpacker.kinds
        print(f"  {len(snapshot.rows)} rows in {snapshot.count} parts, {kinds[WHOLE]} of them whole")
        self.assertGreater(snapshot.count, 4)
        self.assertEqual(client.got.count(PACKED), snapshot.count)
        self.assertFalse({SNAPSHOT, CHANGES} & set(client.got), "the snapshot was not all")
        # Each of these was taken from an earlier part.
        for what in ("row", "stamp", "place", "record"):
            self.assertGreater(carried[what], 0, what)
        for kind in (ADD, SET, RESTORE, WHOLE):
            self.assertGreater(kinds[kind], 0, kind)
        self.assertTrue(any(row.is_covered for row in snapshot.rows))
        self.assertTrue(snapshot.state[3], "nothing is said of what is not held")
        palette = client.palette(self.identity)
        self.assertEqual(set(palette.tips), {self.relay.welcome["node"], *self.crowd.nodes})
        colors = self.assert_shows(self.home_of_hub, palette)
        self.assertTrue({"name", "color", "note"} <= {name for color in colors for name in color["conflicts"]})
        records = {record for record, _ in palette.values}
        self.assertGreater(len(records), len(colors) + len(self.crowd.nodes) + 2, "nothing is hidden")
        # The same for somebody who may do more, and reads packed changes too.
        other = self.read(SNAPSHOTS, LOGS, role="relay")
        self.assertEqual(other.snapshots[self.identity], client.snapshots[self.identity])

    def test_plain_parts(self):
        plain = self.read()
        self.assertGreater(plain.got.count(SNAPSHOT), 4)
        self.assertNotIn(PACKED, plain.got)
        self.assert_shows(self.home_of_hub, plain.palette(self.identity))
        # It says the same as the packed one, to the byte.
        packed = self.read(SNAPSHOTS).snapshots[self.identity]
        *head, rows = plain.snapshots[self.identity]
        self.assertEqual(head, packed[:4])
        self.assertEqual(sorted(map(tuple, rows)), sorted(map(tuple, packed[4])))


class CatchUpTests(SnapshotCase):
    """Shorter palettes."""

    def crowded(self, acts):
        """A hub with a palette on which a crowd has worked."""
        home, node, identity = self.hub()
        home.hued("add", "Brand", "#abcdef", "hub's own")
        relay = self.peer(home, node).live()
        crowd = Crowd(relay, identity, self.random)
        crowd.special()
        records = relay.palette(identity).records()
        for _ in range(acts):
            crowd.act(records)
        crowd.settle()
        return home, node, identity, crowd

    def test_the_last_part_ends_the_push(self):
        home, node, identity, _ = self.crowded(100)
        done = home.hued("compact", "--before", "now", "--yes")
        self.assertGreater(done["removed"], 0, done)
        client = self.reader(home, node, [SNAPSHOTS]).live()
        self.assertEqual(client.got.count(PACKED), client.packed[identity].count)
        self.assert_as_stated(client, identity)
        # Nothing else is said: whatever was to come would have come before the answer to a ping.
        client.send([PING, 1])
        client.pump(lambda: client.pongs)
        self.assertEqual(behind(client, PACKED), [PACKED] * (client.packed[identity].count - 1) + [PONG])
        home.hued("add", "Brand", "#123456", "behind it")
        palette = client.palette(identity)
        client.pump(lambda: any(palette.shown(record, NAME) == "behind it" for record in palette.records()))
        self.assertEqual(behind(client, PONG), [CHANGES])
        self.assert_shows(home, palette)

    def test_packed_changes(self):
        home, node, identity, crowd = self.crowded(200)
        crowd.drop()
        crowd.settle()
        client = self.reader(home, node, [SNAPSHOTS, LOGS]).live()
        self.assertGreater(client.got.count(PACKED_CHANGES), 1)
        self.assertNotIn(PACKED, client.got)
        self.assert_as_stated(client, identity)
        log = crowd.palette.log
        self.assertEqual(sorted(client.palette(identity).log), sorted(log))
        kinds = {cbor.decode(data)[0][5] for _, _, data in log}
        self.assertEqual(kinds, {ADD, SET, DELETE, RESTORE, DROP})
        self.assert_shows(home, client.palette(identity))


class PlaceTests(SnapshotCase):
    """New places between those of others, and the lists that they make."""

    def setUp(self):
        super().setUp()
        self.home_of_hub, self.hub_node, self.identity = self.hub()
        for name in "abc":
            self.home_of_hub.hued("add", "Brand", "#808080", name)

    def client(self, role="editor"):
        client = self.reader(self.home_of_hub, self.hub_node, role=role).live()
        client.places = Places()
        return client

    def listed(self, client):
        """The records in order, each with its place and the stamp of that."""
        palette = client.palette(self.identity)
        shown = []
        for record in palette.records():
            stamp, _, place = max((stamp, dot, place) for dot, (stamp, place, _)
                                  in palette.values[(record, PLACE)].items())
            shown.append((record, place, stamp))
        return shown

    def names(self, client):
        palette = client.palette(self.identity)
        return [palette.shown(record, NAME) for record in palette.records()]

    def gap(self, listed, index):
        """The neighbours of what comes to stand at an index, and whether the one behind is the later one."""
        before = listed[index - 1] if index else None
        behind = listed[index] if index < len(listed) else None
        is_later = bool(before and behind) and behind[2] > before[2]
        return before and before[1], behind and behind[1], is_later

    def add(self, client, index, name):
        """Adds a color by the client, so that it stands at an index."""
        place = client.places.between(*self.gap(self.listed(client), index))
        return client.add(self.identity, name, place=place)

    def move(self, client, record, index):
        """Moves a color by the client to where it stands at an index."""
        rest = [entry for entry in self.listed(client) if entry[0] != record]
        palette = client.palette(self.identity)
        place = client.places.between(*self.gap(rest, index))
        client.commit(self.identity, client.author.set(palette, record, PLACE, place))

    def shown(self):
        return [color["name"] for color in self.home_of_hub.hued("list", "Brand")["colors"]]

    def check(self, client, expected):
        client.settle(self.identity)
        self.assertEqual(client.nacks, [])
        self.assertEqual(self.names(client), expected)
        self.assertEqual(self.shown(), expected)

    def test_adding(self):
        client = self.client("editor")
        expected = list("abc")
        for number in range(sized(60, 600)):
            index = self.random.randint(0, len(expected))
            self.add(client, index, f"added {number}")
            expected.insert(index, f"added {number}")
        self.check(client, expected)
        self.assertLess(max(len(place) for _, place, _ in self.listed(client)), 100)
        self.assert_shows(self.home_of_hub, client.palette(self.identity))

    def test_moving(self):
        client = self.client("relay")
        expected = list("abc")
        for number in range(5):
            self.add(client, len(expected), f"added {number}")
            expected.append(f"added {number}")
        for _ in range(sized(60, 600)):
            records = client.palette(self.identity).records()
            start, end = self.random.randrange(len(expected)), self.random.randrange(len(expected))
            self.move(client, records[start], end)
            expected.insert(end, expected.pop(start))
        self.check(client, expected)

    def test_the_ends_and_no_room(self):
        client = self.client("relay")
        a, b, c = client.palette(self.identity).records()
        palette = client.palette(self.identity)
        for record, place in ((a, b"\0\0\1"), (b, b"\x70"), (c, b"\xff\xff\xff\xfe")):
            client.commit(self.identity, client.author.set(palette, record, PLACE, place))
        self.add(client, 0, "first")
        self.add(client, 4, "last")
        self.check(client, ["first", "a", "b", "c", "last"])
        # Nothing lies between these: the one behind is moved too, here and by the hub.
        client.commit(self.identity, client.author.set(palette, c, PLACE, b"\x70\0"))
        self.assertIsNone(client.places.between(b"\x70", b"\x70\0"))
        self.assertIsNone(client.places.between(b"\x70", b"\x70"))
        self.assertIsNone(client.places.between(b"\x70" * 1023, b"\x70" * 1023 + b"\x71"))
        client.settle(self.identity)
        self.home_of_hub.hued("add", "Brand", "#808080", "between", "--after", "b")
        client.pump(lambda: "between" in self.names(client))
        expected = ["first", "a", "b", "between", "c", "last"]
        client.pump(lambda: self.names(client) == expected)
        self.check(client, expected)

    def model(self, client):
        """Makes places as the hub does: how far its counter is, its first color tells."""
        places = Places()
        first = self.listed(client)[0][1]
        places.tag, places.counter = first[-6:-3], first[-3]
        return places

    def assert_like(self, model, client, index):
        """The hub adds a color at an index, at the place that the model makes, to the byte."""
        listed = self.listed(client)
        tag = model.tag
        expected = model.between(*self.gap(listed, index))
        where = ["--before", listed[0][0]] if index == 0 else ["--after", listed[index - 1][0]]
        added = self.home_of_hub.hued("add", "Brand", "#808080", where[0], uuid.UUID(bytes=where[1]))
        record = uuid.UUID(added["id"]).bytes
        palette = client.palette(self.identity)
        client.pump(lambda: record in palette.records())
        place = palette.shown(record, PLACE)
        if model.tag != tag:
            # After 255 runs both draw a new tag at random; the model takes over the hub's.
            self.assertNotEqual(place[-6:-3], tag)
            model.tag = place[-6:-3]
            expected = expected[:-6] + model.tag + expected[-3:]
        self.assertEqual(place.hex(), expected.hex(), self.gap(listed, index))
        self.assertEqual(self.listed(client)[index][0], record)
        return record

    def test_the_hub_makes_the_same_runs(self):
        client = self.client()
        model = self.model(client)
        for number in range(sized(80, 600)):
            index = self.random.randint(0, 3 + number)
            if number % 3 == 0:
                self.add(client, index, f"added {number}")
                client.settle(self.identity)
            else:
                self.assert_like(model, client, index)

    def test_the_hub_makes_the_same_midpoints(self):
        client = self.client("relay")
        model = self.model(client)
        a, b, c = client.palette(self.identity).records()
        client.commit(self.identity, client.author.delete(client.palette(self.identity), c))
        # No number left at an end; zeros that have to stay; and places of bytes that carry and borrow.
        gaps = [(b"\1", b"\xff\xff\xfe", 0, 2), (b"\0\0\1", b"\1", 0, 0), (b"\x70", b"\x72\2", 1, 1)]
        for _ in range(sized(80, 1_000)):
            places = [bytes(self.random.choices(b"\0\1\2\x7f\x80\xfe\xff", k=self.random.randint(1, 5)))
                      for _ in range(2)]
            gaps.append((*sorted(places), self.random.randrange(2), self.random.randrange(3)))
        for lower, upper, is_upper_later, index in gaps:
            neighbours = [None, lower, upper, None][index:index + 2]
            if lower == upper or midpoint(*neighbours, is_upper_later) is None:
                continue
            for record, place in [(a, lower), (b, upper)][::1 if is_upper_later else -1]:
                data = client.author.set(client.palette(self.identity), record, PLACE, place)
                client.commit(self.identity, data)
            client.settle(self.identity)
            added = self.assert_like(model, client, index)
            client.commit(self.identity, client.author.delete(client.palette(self.identity), added))
            client.settle(self.identity)
