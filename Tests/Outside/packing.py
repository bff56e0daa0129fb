"""Packed snapshots and packed changes, after Sources/PaletteSync/PaletteSync.docc/Protocol.md."""

import zlib
from collections import Counter, namedtuple

import cbor
import changes
from cbor import Raw
from changes import COLOR, DELETE, PLACE

EXPANDED_BYTES = 256 * 1024
# In place of a kind: the change comes whole.
WHOLE = 7

Columns = namedtuple("Columns", "shapes numbers stamps plain places texts")
Row = namedtuple("Row", "data live is_covered")


class Column:
    """Bytes that are read from the first to the last."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        self.at += count
        assert self.at <= len(self.data), "a column ends too early"
        return self.data[self.at - count:self.at]

    def number(self):
        number, shift = 0, 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7

    def difference(self):
        number = self.number()
        return -(number + 1 >> 1) if number & 1 else number >> 1

    def item(self):
        """The next item, as it is encoded."""
        _, end = cbor.decode_first(self.data, self.at)
        return self.take(end - self.at)


def expand(plain, squeezed):
    """The head, how many rows there are, and the columns."""
    stream = zlib.decompressobj(-15)
    data = stream.decompress(squeezed, EXPANDED_BYTES)
    assert stream.eof and not stream.unused_data, "no DEFLATE stream of that length"
    head, count, shapes, numbers, stamps, places, texts = cbor.decode(data)
    columns = (shapes, numbers, stamps, plain, places, texts)
    return head, count, Columns(*map(Column, columns))


class Unpacker:
    """Puts rows together; what a row takes from earlier ones may have come in an earlier part."""

    def __init__(self, palette, authors):
        self.palette = palette
        self.authors = authors
        self.records = []           # with the dot of each one's first row
        self.numbers = {}
        self.last = None            # dot and link of the last row
        self.stamp = 0
        self.place = b""
        self.carried = Counter()    # what rows took from earlier parts
        self.kinds = Counter()      # how many rows there were of which kind

    def read(self, count, columns):
        """The rows of a part."""
        self.is_begun = {"row": False, "place": False}
        self.here = len(self.records)
        rows = [self.row(columns) for _ in range(count)]
        assert all(column.at == len(column.data) for column in columns), "a column is too long"
        return rows

    def begin(self, what):
        """Whether this is the first use of something in this part, and there was a part before."""
        is_first, self.is_begun[what] = not self.is_begun[what], True
        return is_first and self.last is not None

    def row(self, columns):
        first, second = columns.shapes.take(2)
        is_first = self.begin("row")
        live = [register for register in range(4) if second >> 4 + register & 1]
        self.kinds[first & 7] += 1
        if first & 7 == WHOLE:
            data, dot, unknown = self.whole(columns)
            live += unknown
        else:
            written = [register for register in range(4) if second >> register & 1]
            data, dot = self.put_together(columns, first, written, is_first)
        self.last = dot, changes.hash_of(self.palette, data)[:8]
        return Row(data, live, bool(first & 64))

    def whole(self, columns):
        data = columns.texts.take(columns.texts.number())
        unknown = [columns.texts.number() for _ in range(columns.texts.number())]
        node, sequence, self.stamp, _, record, _, _ = cbor.decode(data)[0]
        self.name(record, (node, sequence))
        return data, (node, sequence), unknown

    def name(self, record, dot):
        """Gives a record that was not named yet the next number."""
        if record not in self.numbers:
            self.numbers[record] = len(self.records)
            self.records.append((record, dot))

    def put_together(self, columns, first, written, is_first):
        kind, follows, is_known, saw_first = first & 7, first & 8, first & 16, first & 32
        if follows:
            (node, sequence), previous = self.last
            sequence += 1
            self.carried["row"] += is_first
        else:
            node = self.authors[columns.numbers.number()]
            sequence = columns.numbers.number()
            previous = columns.plain.take(8)
        self.carried["stamp"] += is_first and self.stamp > 0
        self.stamp = self.stamp + columns.stamps.difference() & changes.MASK
        if is_known:
            number = columns.plain.number()
            self.carried["record"] += number < self.here
        else:
            number = len(self.records)
            self.name(columns.plain.take(16), (node, sequence))
        record, origin = self.records[number]
        if kind == DELETE:
            effect = self.seen(columns, node, sequence)
        elif saw_first:
            first_dot = [self.proven(columns, node, *origin)] if is_known else []
            effect = {register: first_dot for register in written}
        else:
            effect = {register: self.seen(columns, node, sequence) for register in written}
        body = [self.value(register, columns) for register in written]
        data = changes.change(node, sequence, self.stamp, previous, record, kind, effect, body)
        return data, (node, sequence)

    def seen(self, columns, node, sequence):
        """Dots that were seen."""
        dots = []
        for _ in range(columns.numbers.number()):
            author, number = columns.numbers.number(), columns.numbers.number()
            dots.append([node, sequence - number] if author == 0
                        else self.proven(columns, node, self.authors[author - 1], number))
        return dots

    def proven(self, columns, node, author, number):
        """A dot with its proof, where it is another author's than the row's."""
        return [author, number] if author == node else [author, number, columns.plain.take(4)]

    def value(self, register, columns):
        if register == COLOR:
            return Raw(columns.plain.item())
        if register != PLACE:
            return Raw(columns.texts.item())
        shared = columns.places.number()
        self.carried["place"] += self.begin("place") and shared > 0
        self.place = self.place[:shared] + columns.places.take(columns.places.number())
        return self.place


class PackedSnapshot:
    """A packed snapshot, as far as its parts have come."""

    def __init__(self, palette):
        self.palette = palette
        self.count = 0
        self.head = b""
        self.state = None
        self.unpacker = None
        self.rows = []

    def add(self, index, is_last, plain, squeezed):
        """Takes a part; the whole state when it was the last one."""
        assert index == self.count, "a part is missing"
        self.count += 1
        head, count, columns = expand(plain, squeezed)
        self.head += head
        if self.unpacker is None and (count or is_last):
            self.state = cbor.decode(self.head)
            assert self.state[4] == [], "rows come in columns"
            self.unpacker = Unpacker(self.palette, sorted(self.state[0]))
        if self.unpacker:
            self.rows += self.unpacker.read(count, columns)
        return [*self.state[:4], self.rows] if is_last else None


def read_changes(palette, plain, squeezed):
    """The changes of a `packed-changes` frame."""
    head, count, columns = expand(plain, squeezed)
    return [row.data for row in Unpacker(palette, cbor.decode(head)).read(count, columns)]
