"""Join codes, after Sources/PaletteSync/PaletteSync.docc/Protocol.md."""

import hashlib
import ipaddress
import re

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LETTERS = [0, 2, 3, 5, 6, 7, 9, 10, 11]
ROLES = ["viewer", "editor", "relay", "owner"]
PORT = 4833


def check_sum(data):
    return hashlib.blake2b(b"hued code" + data, digest_size=16).digest()[:4]


def word(content):
    """The word for some bytes."""
    count = len(content)
    data = (bytes([count]) if count < 255 else b"\xff" + count.to_bytes(2, "big")) + content
    data += check_sum(data)
    text = ""
    for start in range(0, len(data), 8):
        block = data[start:start + 8]
        number, letters = int.from_bytes(block, "big"), ""
        for _ in range(LETTERS[len(block)]):
            number, digit = divmod(number, 62)
            letters = ALPHABET[digit] + letters
        text += letters
    return "hued1-" + text


def content(text):
    """The bytes of a word."""
    letters = text.removeprefix("hued1-")
    data = b""
    for start in range(0, len(letters), 11):
        part = letters[start:start + 11]
        number = 0
        for letter in part:
            number = number * 62 + ALPHABET.index(letter)
        data += number.to_bytes(LETTERS.index(len(part)), "big")
    assert check_sum(data[:-4]) == data[-4:], "the check sum"
    start = 3 if data[0] == 255 else 1
    return data[start:-4]


def address_bytes(url, is_last):
    last = 0x80 if is_last else 0
    found = re.fullmatch(r"(https?)://(\d+\.\d+\.\d+\.\d+):(\d+)", url)
    if not found:
        text = url.encode()
        return bytes([last]) + len(text).to_bytes(2, "big") + text
    kind = (1 if found[1] == "https" else 2) | last
    octets, port = ipaddress.IPv4Address(found[2]).packed, int(found[3])
    if port == PORT:
        return bytes([kind | 0x40]) + octets
    return bytes([kind]) + octets + port.to_bytes(2, "big")


def write(urls, secret, pin, role, palette, library, name):
    flags = ROLES.index(role) | (0x10 if palette else 0) | (0x20 if pin else 0)
    data = bytes([flags]) + secret[:16] + pin[:16] + library + (palette or b"")
    for index, url in enumerate(urls):
        data += address_bytes(url, index == len(urls) - 1)
    return word(data + (name or "").encode())


def read(text):
    """Addresses, secret, pin, role, palette, library, palette's name."""
    data = content(text)
    position = 0

    def take(count):
        nonlocal position
        position += count
        assert position <= len(data)
        return data[position - count:position]

    flags = take(1)[0]
    secret = take(16)
    pin = take(16) if flags & 0x20 else b""
    library = take(16)
    palette = take(16) if flags & 0x10 else None
    urls, is_last = [], False
    while not is_last:
        kind = take(1)[0]
        is_last = bool(kind & 0x80)
        if kind & 0x7F == 0:
            urls.append(take(int.from_bytes(take(2), "big")).decode())
            continue
        host = str(ipaddress.IPv4Address(take(4)))
        port = PORT if kind & 0x40 else int.from_bytes(take(2), "big")
        urls.append(f"{'https' if kind & 3 == 1 else 'http'}://{host}:{port}")
    return [urls, secret, pin, ROLES[flags & 15], palette, library, data[position:].decode() or None]
