"""Changes, what they amount to, and digests, after Sources/PaletteMerge/PaletteMerge.docc/Changes.md."""

import hashlib
import os
import uuid

import cbor

NAME, COLOR, PLACE, NOTE = range(4)
ADD, SET, DELETE, RESTORE, DROP = range(5)
MASK = (1 << 64) - 1
NOTHING = bytes(8)


class Refused(Exception):
    """A change that cannot be taken: `malformed`, `fork` or `gap`."""

    def __init__(self, code, reason):
        super().__init__(f"{code}: {reason}")
        self.code = code


def hash_of(palette, data):
    return hashlib.blake2b(palette + data, digest_size=16).digest()


def mix(x):
    x = x + 0x9E3779B97F4A7C15 & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def element(a, b, kind):
    high = mix(a ^ mix(kind))
    return high << 64 | mix(b + high & MASK)


def halves(data):
    return int.from_bytes(data[:8], "big"), int.from_bytes(data[8:16], "big")


def digest_bytes(number):
    return (number % (1 << 128)).to_bytes(16, "big")


def library_digest(entries):
    """The digest over (palette, digest) pairs, both as bytes."""
    total = 0
    for palette, digest in entries:
        (a, b), (high, low) = halves(palette), halves(digest)
        total += element(a + mix(high) & MASK, b + mix(low) & MASK, 1 << 17)
    return digest_bytes(total)


def change(node, sequence, stamp, previous, record, kind, effect, body):
    """The bytes of a change, whatever they say."""
    return cbor.encode([[node, sequence, stamp, previous, record, kind, effect], body])


def fits(proof, digest):
    """Whether a change with this hash is meant; an author's own dots have no proof."""
    return proof is None or digest[:4] == proof


def marks(dots):
    """Dots that were seen, each with its proof."""
    return [((dot[0], dot[1]), dot[2] if len(dot) > 2 else None) for dot in dots]


def new_record():
    return uuid.uuid4().bytes


def midpoint(before, behind, is_behind_later=False):
    """What a new place between two begins with; None as a neighbour is an end of the list, as a result no room."""
    if before is None and behind is None:
        return b"\x80\0\0"
    if before is None or behind is None:
        number = padded(behind, 3) - 1 if before is None else padded(before, 3) + 1
        if 1 <= number <= 0xFFFFFE:
            return number.to_bytes(3, "big")
    is_behind_later = is_behind_later or before is None
    filler = b"\xff" if behind is None else b"\0"
    lower, upper = before or b"", behind or b""

    def numbers(length):
        return padded(lower, length), padded(upper, length, filler)
    for length in range(1, 1024):
        low, high = numbers(length)
        if high - low >= 2:
            break
    else:
        return None
    length += 1
    low, high = numbers(length)
    step = (high - low) // 256
    result = (high - step if is_behind_later else low + step).to_bytes(length, "big")
    while result.endswith(b"\0") and (behind is None or not behind.startswith(result[:-1])):
        result = result[:-1]
    return result


def padded(data, length, filler=b"\0"):
    """The first bytes as a number."""
    return int.from_bytes(data[:length].ljust(length, filler), "big")


class Places:
    """Makes new places for one author, each for a run of its own or next to the author's own."""

    def __init__(self):
        self.renew()

    def renew(self):
        self.tag = bytes(byte % 255 + 1 for byte in os.urandom(3))
        self.counter = 0

    def between(self, before, behind, is_behind_later=False):
        """A place between two; None where there is no room."""
        for place in self.continuations(before, behind):
            if (before is None or before < place) and (behind is None or place < behind):
                return place
        start = midpoint(before, behind, is_behind_later)
        if start is None or len(start) + 6 > 1024:
            return None
        if self.counter == 255:
            self.renew()
        self.counter += 1
        return start + self.tag + bytes([self.counter]) + b"\x80\0"

    def continuations(self, before, behind):
        """Places that would go on with a run."""
        def ordinal(place):
            return int.from_bytes(place[-2:], "big")
        own = [p for p in (before, behind) if p is not None and len(p) > 6 and p[-6:-3] == self.tag]
        if len(own) == 2 and before[:-2] == behind[:-2]:
            found = [(before, (ordinal(before) + ordinal(behind)) // 2)]
        else:
            found = [(p, ordinal(p) + (16 if p is before else -16)) for p in own]
        return [p[:-2] + number.to_bytes(2, "big") for p, number in found if 1 <= number <= 0xFFFE]


class Palette:
    """What a set of changes of one palette amounts to."""

    def __init__(self, identity):
        self.identity = identity
        self.log = []        # (node, sequence, bytes) in the order of arrival
        self.tips = {}       # node -> (sequence, link)
        self.values = {}     # (record, register) -> {dot: (stamp, value, hash)}
        self.hashes = {}     # dot -> hash, of the changes that came one by one
        self.seen = {}       # (record, register) -> replaced dots with their proofs
        self.covered = {}    # record -> dots that a delete covers, with their proofs

    def frontier(self):
        return {node: list(tip) for node, tip in self.tips.items()}

    def take(self, data):
        """Takes a change; returns whether it is new."""
        try:
            (node, sequence, stamp, previous, record, kind, effect), body = cbor.decode(data)
        except (cbor.Malformed, ValueError, TypeError) as error:
            raise Refused("malformed", str(error)) from error
        held, link = self.tips.get(node, (0, NOTHING))
        if sequence <= held:
            return False
        if sequence > held + 1:
            raise Refused("gap", f"{sequence} after {held}")
        if previous != link:
            raise Refused("fork", f"{node:016x}:{sequence}")
        digest = hash_of(self.identity, data)
        self.tips[node] = (sequence, digest[:8])
        self.hashes[node, sequence] = digest
        self.log.append((node, sequence, data))
        if kind == DELETE:
            self.cover(record, effect)
        elif kind == DROP:
            self.cover(record, effect[0])
        else:
            for (register, saw), value in zip(effect.items(), body):
                self.write((record, register), (node, sequence), saw, (stamp, value, digest))
        return True

    def cover(self, record, dots):
        self.covered.setdefault(record, set()).update(marks(dots))

    def is_covered(self, record, dot, digest):
        covered = self.covered.get(record, ())
        return (dot, None) in covered or (dot, digest[:4]) in covered

    def write(self, register, dot, saw, value):
        seen = self.seen.setdefault(register, set())
        live = self.values.setdefault(register, {})
        for other, proof in marks(saw):
            seen.add((other, proof))
            if other in live and fits(proof, live[other][2]):
                del live[other]
        if not {(dot, None), (dot, value[2][:4])} & seen:
            live[dot] = value

    def take_snapshot(self, state):
        """Takes a snapshot into an empty palette."""
        assert not self.tips, "this client takes snapshots of what it does not have at all"
        frontier, _, _, ahead, rows = state
        self.tips = {node: (sequence, link) for node, (sequence, link) in frontier.items()}
        for record, node, sequence, register, proof in ahead:
            if register is None:
                self.cover(record, [(node, sequence, proof)])
            elif register is not True:
                self.seen.setdefault((record, register), set()).add(((node, sequence), proof))
        for data, live, is_covered in rows:
            (node, sequence, stamp, _, record, _, effect), body = cbor.decode(data)
            self.hashes[node, sequence] = hash_of(self.identity, data)
            if is_covered:
                self.cover(record, [(node, sequence)])
            for register, value in zip(effect, body):
                if register in live:
                    entry = (stamp, value, self.hashes[node, sequence])
                    self.values.setdefault((record, register), {})[(node, sequence)] = entry

    def digest(self):
        total = 0
        for node, (sequence, link) in self.tips.items():
            total += element(node, int.from_bytes(link, "big"), (1 << 32) + (sequence << 33))
        for (record, register), live in self.values.items():
            for dot, (_, _, digest) in live.items():
                is_covered = self.is_covered(record, dot, digest)
                total += element(*halves(digest), (register << 1) + is_covered)
        return digest_bytes(total)

    def live(self, record, register):
        """The dots that a write of the register replaces, in order."""
        return sorted(map(list, self.values.get((record, register), {})))

    def shown(self, record, register):
        live = self.values.get((record, register), {})
        if not live:
            return None
        return max((stamp, dot, value) for dot, (stamp, value, _) in live.items())[2]

    def records(self):
        """The records with name, color and place that are visible, in order."""
        visible = {record for (record, _), live in self.values.items()
                   for dot, value in live.items() if not self.is_covered(record, dot, value[2])}
        complete = {record for record in visible - {self.identity}
                    if all(self.values.get((record, register)) for register in (NAME, COLOR, PLACE))}
        return sorted(complete, key=lambda record: (self.shown(record, PLACE), record))


class Author:
    """Makes well-formed changes of one node id."""

    def __init__(self, node, clock):
        self.node = node
        self.clock = clock
        self.counter = 0

    def stamp(self):
        self.counter = self.counter + 1 & 0xFFFF
        return (self.clock() & (1 << 48) - 1) << 16 | self.counter

    def make(self, palette, record, kind, effect, body, **forged):
        """The bytes of the next change; any part of the envelope may be forged."""
        sequence, link = palette.tips.get(self.node, (0, NOTHING))
        parts = dict(node=self.node, sequence=sequence + 1, stamp=self.stamp(), previous=link,
                     record=record, kind=kind, effect=effect, body=body)
        parts.update(forged)
        parts["effect"] = self.proven(palette, parts["effect"], parts["node"], kind)
        return change(**parts)

    def proven(self, palette, effect, node, kind):
        """What is said of others' dots, with the proofs; where there is none, with one that fits nothing."""
        def proof(dot):
            return palette.hashes.get(dot, bytes(4))[:4]

        def mark(dot):
            return list(dot) if dot[0] == node or len(dot) > 2 else [*dot, proof(tuple(dot))]
        if isinstance(effect, dict) == (kind in (DELETE, DROP)):
            return effect
        if kind == DELETE:
            return [mark(dot) for dot in effect]
        if kind == DROP:
            dots, held = effect
            return [[mark(dot) for dot in dots],
                    {other: sequence if other == node or isinstance(sequence, list)
                     else [sequence, proof((other, sequence))] for other, sequence in held.items()}]
        return {register: [mark(dot) for dot in dots] for register, dots in effect.items()}

    def title(self, palette, name):
        saw = palette.live(palette.identity, NAME)
        return self.make(palette, palette.identity, SET if saw else ADD, {NAME: saw}, [name])

    def add(self, palette, name="Ripe", color=b"\xff\x00\x00", place=b"\x80\x01\x02\x03\x80\x00",
            record=None, **forged):
        return self.make(palette, record or new_record(), ADD, {NAME: [], COLOR: [], PLACE: []},
                         [name, color, place], **forged)

    def set(self, palette, record, register, value, **forged):
        return self.make(palette, record, SET, {register: palette.live(record, register)}, [value],
                         **forged)

    def delete(self, palette, record, **forged):
        dots = {tuple(dot) for register in range(4) for dot in palette.live(record, register)}
        return self.make(palette, record, DELETE, sorted(map(list, dots)), [], **forged)
