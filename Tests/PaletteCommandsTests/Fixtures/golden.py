"""Writes a library with everything in it, and what this version says about it, as a fixture that every
later version has to open: golden.py NAME, for Scripts/golden. HUED names the binary."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "Outside"))
from processes import Home, Node

COLORS = """rebeccapurple
#12345678
rgb(10.5 20.25 300)
hsl(120deg 50% 50% / none)
hsb(300 20% 30%)
hwb(210 10% 20%)
lab(50% 20 -30)
lch(50% 30 200)
oklab(0.5 0.1 none)
oklch(0.7 0.15 250 / 0.5)
color(srgb-linear 0.1 0.2 0.3)
color(display-p3 1.2 -0.1 0)
color(a98-rgb 0.1 0.2 0.3)
color(prophoto-rgb 0.1 0.2 0.3)
color(rec2020 0.1 0.2 0.3)
color(xyz-d50 0.1 0.2 0.3)
color(xyz-d65 0.1 0.2 0.3)""".splitlines()


class Person(Home):
    """A library whose commands must succeed and say nothing."""

    def do(self, *arguments):
        done = self.run("--quiet", "--yes", *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout.strip()


def fill(hub, ann, bob):
    # A palette with compacted history comes to Ann as a snapshot, with rows from below the floor.
    hub.do("new", "Old")
    for number in [1, 2, 3]:
        hub.do("add", "Old", f"#00000{number}", f"old {number}")
    hub.do("remove", "Old", "old 2")
    hub.do("compact", "--before", "now")
    node = Node(hub)
    for person in [ann, bob]:
        person.do("join", hub.run("share").stdout.strip())

    ann.do("new", "Brand")
    for value in COLORS:
        ann.do("add", "Brand", value)
    for name in ["Ripe", "Sky", "Gone", "Back", "Moved"]:
        ann.do("add", "Brand", "tomato", name)
    ann.do("note", "Brand", "Ripe", "two\nlines ü")
    ann.do("move", "Brand", "Moved", "--at", "0")
    ann.do("remove", "Brand", "Gone", "Back")
    ann.do("restore", "Brand", "Back")
    ann.do("tweak", "Brand", "Ripe", "--darker", "5")
    for palette in ["Dropped", "Returned"]:
        ann.do("new", palette)
        ann.do("add", palette, "gold")
        ann.do("drop", palette)
    ann.do("restore", "Returned")
    ann.do("sync")

    # Both edit while neither hears of the other.
    bob.do("sync")
    node.stop()
    ann.do("rename", "Brand", "Sky", "Ann's")
    bob.do("rename", "Brand", "Sky", "Bob's")
    bob.do("set", "Brand", "Ripe", "lime")
    ann.do("set", "Brand", "Ripe", "navy")
    node = Node(hub, port=node.port)
    for person in [ann, bob, ann]:
        person.do("sync")
    node.stop()

    # Something to undo, something to redo, and tokens.
    ann.do("rename", "Brand", "Moved", "Moved again")
    ann.do("undo", "Brand")
    ann.do("token", "--role", "viewer")
    ann.do("token", "Brand", "--role", "editor")


def write(ann, folder):
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "home").mkdir(parents=True)
    for name in ["library.sqlite", "opened", "library.sqlite-wal"]:
        file = ann.folder / name
        if name != "library.sqlite-wal" or file.exists() and file.stat().st_size:
            shutil.copy(file, folder / "home")

    def say(name, *command):
        (folder / f"{name}.json").write_text(ann.do("--json", *command) + "\n")
    say("palettes", "palettes")
    for palette in ["Brand", "Old", "Returned"]:
        say(f"list-{palette}", "list", palette)
        say(f"history-{palette}", "history", palette)
    for command in ["conflicts", "tokens", "peers"]:
        say(command, command)
    ann.do("--json", "doctor")


def main():
    folder = HERE / sys.argv[1]
    with tempfile.TemporaryDirectory() as work:
        hub, ann, bob = (Person(Path(work, name)) for name in ["hub", "ann", "bob"])
        fill(hub, ann, bob)
        write(ann, folder)
    print(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()), "bytes in", os.path.relpath(folder))


main()
