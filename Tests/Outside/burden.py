"""How long the owner's edits take while others ask for as much as they can: figures, by hand.

`python3 -B Tests/Outside/burden.py [ATTACK...]` measures a hub with a published palette, on loopback alone;
HUED=FILE measures that binary. Each attack goes on until the owner has made its edits."""

import json
import multiprocessing
import os
import random
import socket
import sys
import time
import urllib.request

import cbor
import changes
import peer as protocol
from peer import Peer, invite
from processes import Home, Node, binary
from rpc import RPC, RPCError
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


def peers(hub, number):
    batches(hub, "peers", {})


def statuses(hub, number):
    batches(hub, "status", {})


def histories(hub, number):
    batches(hub, "history", {"palette": "Brand", "actions": True})


def heads(hub, number):
    """Sends heads of requests byte by byte, on many connections by turns."""
    head = b"GET / HTTP/1.1\r\nHost: a\r\n" + b"".join(b"X-%d: a\r\n" % n for n in range(1_300))
    connections = [socket.create_connection(("127.0.0.1", hub["port"])) for _ in range(STRANGERS)]
    for connection in connections:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in head[:16_000]:
        for connection in connections:
            connection.send(bytes([byte]))


def spin(hub, number):
    """Asks for nothing, and leaves the hub no more of the processors than others leave it."""
    while True:
        pass


def editing(hub, method, make):
    """Calls a method that edits, one call after the other."""
    client = RPC(hub["url"], hub["editor"])
    while True:
        try:
            client.call(method, within=600, palette="Brand", **make())
        except RPCError:
            time.sleep(0.05)


def acts(hub, number):
    """Recolors 10,000 colors at a time."""
    colors = ids(hub)

    def make():
        chosen = random.sample(colors, 10_000)
        value = f"#{random.getrandbits(24):06x}"
        return {"edits": [{"method": "set", "color": color, "value": value} for color in chosen]}
    editing(hub, "act", make)


def reverts(hub, number):
    """Has everything as it was, and undoes that."""
    moments = [hub["moment"], "1 second ago"]
    editing(hub, "revert", lambda: {"to": moments[random.getrandbits(1)]})


def undos(hub, number):
    editing(hub, random.choice(["undo", "redo"]), dict)


def sorts(hub, number):
    editing(hub, "sort", lambda: {"by": random.choice(["hue", "name", "lightness", "chroma"])})


def adds(hub, number):
    """Adds 5,000 colors at a time, at the end or in the middle, and undoes that."""
    client = RPC(hub["url"], hub["editor"])
    while True:
        colors = [{"value": f"#{random.getrandbits(24):06x}"} for _ in range(5_000)]
        place = random.choice([{}, {"at": COLORS // 2}])
        try:
            client.call("add", within=600, palette="Brand", value="-", colors=colors, **place)
            client.call("undo", within=600, palette="Brand")
        except RPCError:
            time.sleep(0.05)


def ids(hub):
    """The ids of all colors of the palette."""
    client = RPC(hub["url"], hub["editor"])
    colors = client.call("list", within=600, palette="Brand")["colors"]
    client.close()
    return [color["id"] for color in colors]


def sets(hub, number):
    """Recolors one color after the other, each by its name."""
    editing(hub, "set", lambda: {"color": f"Color {random.randrange(COLORS)}",
                                 "value": f"#{random.getrandbits(24):06x}"})


def picks(hub, number):
    """Recolors or moves one color after the other, as an action of its own."""
    colors = ids(hub)

    def make():
        color = random.choice(colors)
        if random.getrandbits(1):
            return {"edits": [{"method": "set", "color": color, "value": f"#{random.getrandbits(24):06x}"}]}
        return {"edits": [{"method": "move", "colors": [color], "at": random.randrange(COLORS // 2)}]}
    editing(hub, "act", make)


def removes(hub, number):
    """Removes 5,000 colors at a time, and undoes that."""
    colors = ids(hub)
    client = RPC(hub["url"], hub["editor"])
    while True:
        try:
            client.call("remove", within=600, palette="Brand", colors=random.sample(colors, 5_000))
        except RPCError:
            time.sleep(0.05)
        try:
            client.call("undo", within=600, palette="Brand")
        except RPCError:
            time.sleep(0.05)


def guest_changes(palette, node, count):
    """Changes of one author: each adds a color."""
    link, made = changes.NOTHING, []
    for number in range(count):
        data = changes.change(
            node, number + 1, changes_stamp() + number, link, changes.new_record(), changes.ADD,
            {changes.NAME: [], changes.COLOR: [], changes.PLACE: []},
            [f"Guest {number}", os.urandom(3), b"\x80\x01" + os.urandom(4)])
        link = changes.hash_of(palette, data)[:8]
        made.append(data)
    return made


def changes_stamp():
    return protocol.milliseconds() << 16


def push(hub, number, together):
    """Sends an editor's changes, so many in a frame; at the end all of them again."""
    guest = hub["guests"][number]
    client = Peer(hub["url"], guest["secret"], node=guest["node"], library=guest["library"])
    # It reads what comes, and takes nothing of it.
    for name in ("take_changes", "take_snapshot", "take_palettes", "take_frontier"):
        setattr(client, name, lambda *_: None)
    client.connect()
    client.pump(lambda: client.welcome or client.closed, 20)
    made = guest["changes"]
    for first in range(0, len(made), together):
        client.send_changes(hub["palette"], client.node, first + 1, made[first:first + together])
        client.pump(lambda: not client.outbox or client.closed, 600)
        if client.closed:
            return


def pushes(hub, number):
    push(hub, number, 250)


def singles(hub, number):
    push(hub, number, 1)


ATTACKS = {
    "none": (None, 0), "strangers": (stranger, STRANGERS), "asks": (asker, 3), "exports": (exports, 3),
    "distincts": (distincts, 3), "lists": (lists, 3), "silent": (silent, 3), "pongs": (pongs, 3),
    "refused": (refused, 3), "peers": (peers, 3), "statuses": (statuses, 3), "histories": (histories, 3),
    "heads": (heads, 1), "spin": (spin, 3), "pushes": (pushes, 3), "singles": (singles, 3), "acts": (acts, 3), "sorts": (sorts, 2),
    "reverts": (reverts, 2), "undos": (undos, 2), "adds": (adds, 3), "sets": (sets, 3), "picks": (picks, 3),
    "removes": (removes, 3),
}
# Those that make changes of members of their own, before they begin.
PUSHING = ("pushes", "singles")
GUEST_CHANGES = int(os.environ.get("BURDEN_CHANGES", 20_000))


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


def invite_guests(hub, home, count):
    """Lets in editors, each with changes that it has not sent yet."""
    hub["guests"] = []
    for _ in range(count):
        member = Peer(hub["url"], invite(home, "editor", "Brand"))
        member.connect()
        member.pump(lambda: member.welcome or member.closed, 20)
        hub["guests"].append({"node": member.node, "library": member.library, "secret": member.token,
                              "changes": guest_changes(hub["palette"], member.node, GUEST_CHANGES)})
        member.hang_up()


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
        hub = {"url": node.url, "port": node.port,
               "editor": home.hued("token", "Brand", "--role", "editor")["token"],
               "moment": home.hued("history", "Brand", "--actions")["actions"][0]["time"],
               "token": home.hued("token", "--role", "viewer")["token"],
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
            if name in PUSHING:
                invite_guests(hub, home, count)
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
