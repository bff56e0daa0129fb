"""Deterministic CBOR (RFC 8949, section 4.2.1), as far as hued uses it."""

import math
import struct


class Malformed(Exception):
    """The bytes are not the one encoding of anything."""


class Raw:
    """Bytes that take the place of an encoded item: for what no honest writer would encode."""

    def __init__(self, data):
        self.data = data


def encode(item):
    """The encoding of None, bool, int, float, str, bytes, list or dict."""
    if isinstance(item, Raw):
        return item.data
    if item is None:
        return b"\xf6"
    if isinstance(item, bool):
        return b"\xf5" if item else b"\xf4"
    if isinstance(item, int):
        return head(0, item) if item >= 0 else head(1, -1 - item)
    if isinstance(item, float):
        return encode_float(item)
    if isinstance(item, bytes):
        return head(2, len(item)) + item
    if isinstance(item, str):
        data = item.encode()
        return head(3, len(data)) + data
    if isinstance(item, (list, tuple)):
        return head(4, len(item)) + b"".join(map(encode, item))
    if isinstance(item, dict):
        pairs = sorted((encode(key), encode(value)) for key, value in item.items())
        return head(5, len(pairs)) + b"".join(key + value for key, value in pairs)
    raise TypeError(f"{type(item)} has no encoding")


def head(major, number, size=None):
    """The head of an item; a size in bytes (0, 1, 2, 4, 8) forces a longer one than needed."""
    if size is None:
        size = next(s for s, limit in ((0, 24), (1, 1 << 8), (2, 1 << 16), (4, 1 << 32), (8, 1 << 64))
                    if number < limit)
    if size == 0:
        return bytes([major << 5 | number])
    return bytes([major << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[size]]) + number.to_bytes(size, "big")


def encode_float(number):
    """The shortest of half, single and double that keeps the value."""
    if math.isnan(number):
        return b"\xf9\x7e\x00"
    for initial, form in ((0xF9, ">e"), (0xFA, ">f")):
        try:
            data = struct.pack(form, number)
        except OverflowError:
            continue
        if struct.unpack(form, data)[0] == number:
            return bytes([initial]) + data
    return b"\xfb" + struct.pack(">d", number)


def decode(data):
    """The item that the bytes encode; `Malformed` for any other encoding of the same."""
    item, end = _item(data, 0)
    if end != len(data):
        raise Malformed(f"{len(data) - end} bytes too many")
    return item


def decode_first(data, start=0):
    """The first item from somewhere on, and where it ends."""
    return _item(data, start)


def _take(data, start, count):
    if start + count > len(data):
        raise Malformed("the end is missing")
    return data[start:start + count]


def _number(data, start):
    low = _take(data, start, 1)[0] & 31
    if low < 24:
        return low, start + 1
    if low > 27:
        raise Malformed("an indefinite length")
    size = 1 << low - 24
    number = int.from_bytes(_take(data, start + 1, size), "big")
    if number < (24 if size == 1 else 1 << 4 * size):
        raise Malformed("a number that is longer than needed")
    return number, start + 1 + size


def _item(data, start):
    initial = _take(data, start, 1)[0]
    major = initial >> 5
    if major == 7:
        return _simple(data, start, initial)
    number, at = _number(data, start)
    if major == 0:
        return number, at
    if major == 1:
        return -1 - number, at
    if major == 2:
        return bytes(_take(data, at, number)), at + number
    if major == 3:
        try:
            return str(_take(data, at, number), "utf-8"), at + number
        except UnicodeDecodeError as error:
            raise Malformed("text that is not UTF-8") from error
    if major == 4:
        items = []
        for _ in range(number):
            item, at = _item(data, at)
            items.append(item)
        return items, at
    if major == 5:
        return _map(data, at, number)
    raise Malformed("a tag")


def _map(data, at, count):
    result, previous = {}, b""
    for _ in range(count):
        start = at
        key, at = _item(data, at)
        if data[start:at] <= previous:
            raise Malformed("keys out of order")
        previous = data[start:at]
        result[key], at = _item(data, at)
    return result, at


def _simple(data, start, initial):
    known = {0xF4: False, 0xF5: True, 0xF6: None}
    if initial in known:
        return known[initial], start + 1
    forms = {0xF9: (2, ">e"), 0xFA: (4, ">f"), 0xFB: (8, ">d")}
    if initial not in forms:
        raise Malformed(f"the byte {initial:#x}")
    size, form = forms[initial]
    number = struct.unpack(form, _take(data, start + 1, size))[0]
    if encode_float(number) != data[start:start + 1 + size]:
        raise Malformed("a float that is longer than needed")
    return number, start + 1 + size
