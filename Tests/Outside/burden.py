"""How long the owner's edits take while others ask for as much as they can: figures, by hand.

`python3 -B Tests/Outside/burden.py [ATTACK...]` measures a hub with a published palette, on loopback alone;
HUED=FILE measures that binary. Each attack goes on until the owner has made its edits."""

import json
import multiprocessing
import os
import sys
import time
import urllib.request

import cbor
import peer as protocol
from peer import Peer, invite
from processes import Home, Node, binary
from rpc import RPC
from websocket import BINARY, TEXT, Closed, frame_bytes

COLORS = int(os.environ.get("BURDEN_COLORS", 40_000))
EDITS = int(os.environ.get("BURDEN_EDITS", 100))
STRANGERS = 24
# How long the edits of one attack may take together, in seconds.
PATIENCE = 60


def forever(attack):
    """Goes on with an attack, on new connections where the hub ends one."""
    while True:
        try:
            attack()
        except (OSError, AssertionError, EOFError):
            time.sleep(0.05)
        except Exception as error:  # The hub may answer anything.
            print(f"  {type(error).__name__}: {error}", file=sys.stderr)
            time.sleep(0.5)


def stranger(hub, number):
    """Asks for the palette as a file, in one format after the other."""
    kinds = ["json", "css", "csv", "svg", "gpl", "ase", "html", "txt"]
    for kind in kinds[number % len(kinds):] + kinds[:number % len(kinds)]:
        try:
            with urllib.request.urlopen(f"{hub['url']}/p/Brand.{kind}", timeout=60) as answer:
                while answer.read(1 << 16):
                    pass
        except urllib.error.HTTPError:
            pass


def drain(socket):
    return [m for m in socket.messages() if isinstance(m, Closed)]


def greeted(hub, role):
    """A connection of a member past its greeting."""
    client = Peer(hub["url"], hub["secrets"][role], library=hub["libraries"][role])
    client.connect()
    client.pump(lambda: client.welcome or client.closed, 20)
    assert client.welcome, "not welcome"
    return client


def asker(hub, number):
    """Says to lack the palette, again and again, and reads what comes of it."""
    client = greeted(hub, "viewer")
    client.send([protocol.CREDIT, 1 << 40])
    ask = cbor.encode([protocol.FRONTIER_OF, hub["palette"], {}, bytes(16), False, True])
    while not client.closed:
        client.socket.send_frame(BINARY, ask)
        if drain(client.socket):
            return
        time.sleep(0.01)


def pongs(hub, number):
    """Sends answers that nobody asked for."""
    client = greeted(hub, "viewer")
    frames = frame_bytes(BINARY, cbor.encode([protocol.PONG, 1, 2])) * 2_000
    while not drain(client.socket):
        client.socket.send_raw(frames)


def refused(hub, number):
    """Sends changes that a viewer may not push."""
    client = greeted(hub, "viewer")
    frame = cbor.encode([protocol.CHANGES, hub["palette"], client.node, 1, [bytes(60)] * 20])
    frames = frame_bytes(BINARY, frame) * 100
    while not drain(client.socket):
        client.socket.send_raw(frames)


def batches(hub, method, parameters, is_silent=False):
    """Sends messages of 64 calls."""
    client = RPC(hub["url"], hub["token"])
    call = {"jsonrpc": "2.0", "method": method, "params": parameters}
    message = json.dumps([call if is_silent else call | {"id": n} for n in range(64)])
    while True:
        client.socket.send_text(message)
        if is_silent:
            if drain(client.socket):
                return
        elif isinstance(client.socket.receive(600), Closed):
            return


def exports(hub, number):
    batches(hub, "export", {"palette": "Brand", "format": "xcassets"})


def distincts(hub, number):
    batches(hub, "distinct", {"count": 3, "from": "Brand"})


def lists(hub, number):
    batches(hub, "list", {"palette": "Brand"})


def silent(hub, number):
    batches(hub, "list", {"palette": "Brand"}, is_silent=True)


ATTACKS = {
    "none": (None, 0), "strangers": (stranger, STRANGERS), "asks": (asker, 3), "exports": (exports, 3),
    "distincts": (distincts, 3), "lists": (lists, 3), "silent": (silent, 3), "pongs": (pongs, 3),
    "refused": (refused, 3),
}


def measure(owner):
    """How long each edit of the owner took, in milliseconds; they end early where they take too long."""
    times = []
    end = time.monotonic() + PATIENCE
    for number in range(EDITS):
        if times and time.monotonic() > end:
            break
        start = time.monotonic()
        owner.call("add", within=120, palette="Own", value="#123456", name=str(number))
        times.append((time.monotonic() - start) * 1_000)
        time.sleep(0.02)
    return sorted(times)


def prepare(home):
    lines = "\n".join(f"#{(n * 2_654_435_761 >> 8) & 0xffffff:06x} Color {n}" for n in range(COLORS))
    file = home.folder / "Brand.txt"
    file.write_text(lines + "\n")
    home.hued("import", file, within=300)


def main():
    home = Home()
    node = None
    try:
        prepare(home)
        node = Node(home)
        home.hued("share", "Brand", "--public")
        hub = {"url": node.url, "token": home.hued("token", "--role", "viewer")["token"],
               "palette": cbor_id(home.hued("palettes")["palettes"], "Brand"), "secrets": {}, "libraries": {}}
        member = Peer(node.url, invite(home, "viewer"))
        member.connect()
        member.pump(lambda: member.welcome or member.closed, 20)
        hub["secrets"]["viewer"], hub["libraries"]["viewer"] = member.token, member.library
        member.hang_up()
        print(f"{binary()}, {COLORS} colors, {EDITS} edits; milliseconds", flush=True)
        owner = RPC(unix=str(home.folder / "node.sock"))
        owner.call("new", name="Own")
        for name in sys.argv[1:] or ATTACKS:
            attack, count = ATTACKS[name]
            attackers = [multiprocessing.Process(target=forever, args=(lambda n=n: attack(hub, n),), daemon=True)
                         for n in range(count)]
            for attacker in attackers:
                attacker.start()
            time.sleep(1.5 if attackers else 0.1)
            times = measure(owner)
            for attacker in attackers:
                attacker.kill()
                attacker.join()
            print(f"{name:10} p50 {times[len(times) // 2]:8.1f}  p99 {times[max(0, len(times) * 99 // 100 - 1)]:8.1f}"
                  f"  max {times[-1]:8.1f}  ({len(times)} edits)", flush=True)
            time.sleep(1)
    finally:
        if node:
            node.close()
        home.remove()


def cbor_id(palettes, name):
    text = next(p["id"] for p in palettes if p["name"] == name)
    return bytes.fromhex(text.replace("-", ""))


if __name__ == "__main__":
    main()
