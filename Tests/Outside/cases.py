"""What all cases share: homes and nodes that go away, a seed, and the size of the run."""

import json
import os
import random
import sys
import time
import unittest
import zlib

from peer import invite, Peer
from processes import Home, Node, join, wait_for
from running import IS_LONG

SEED = int(os.environ.get("OUTSIDE_SEED", "0")) or time.time_ns() % 1_000_000_007


class Case(unittest.TestCase):
    """A case with its own random numbers; they follow from the seed and the case's name."""

    def setUp(self):
        self.random = random.Random(SEED ^ zlib.crc32(self.id().encode()))
        self.homes = []

    def run(self, result=None):
        before = len(result.failures) + len(result.errors)
        super().run(result)
        if len(result.failures) + len(result.errors) > before:
            print(f"  replay: OUTSIDE_SEED={SEED} Scripts/outside{' --long' * IS_LONG} "
                  f"{self.id()}", file=sys.stderr)

    def home(self, **how):
        home = Home(**how)
        self.addCleanup(home.remove)
        self.homes.append(home)
        return home

    def node(self, home, *flags, **how):
        node = Node(home, *flags, **how)
        self.addCleanup(node.close)
        return node

    def hub(self, palette="Brand", *flags, **how):
        """A node with a palette; its home, itself, and the palette's id."""
        home = self.home()
        identity = home.hued("new", palette)["id"]
        return home, self.node(home, *flags, **how), bytes.fromhex(identity.replace("-", ""))

    def joined(self, hub, palette=None, role=None, **how):
        """A home that joined the hub."""
        home = self.home(**how)
        join(home, hub, palette, role)
        return home

    def peer(self, home, node, role="relay", palette=None, **how):
        """A client of our own with a join code of its own, not connected yet."""
        client = Peer(node.url, invite(home, role, palette), **how)

        def end():
            if client.socket:
                client.socket.hang_up()
        self.addCleanup(end)
        return client

    def assert_settled(self, homes, within=10):
        """Without any new edit, nothing waits any more, and all show the same."""
        def state():
            return [home.status() for home in homes]

        def is_settled():
            now = state()
            return (all(each["pending"] == 0 for each in now)
                    and len({each["digest"] for each in now}) == 1)

        def what():
            return "an end of syncing: " + "; ".join(
                f"{each['node']} digest {each['digest']} pending {each['pending']} "
                f"{[(p['state'], p['pending'], p['error']) for p in each['peers']]}"
                for each in state())
        wait_for(is_settled, within, what, every=0.1)

    def assert_healthy(self, home, *exceptions):
        """`doctor --full` finds nothing, apart from the checks that are named."""
        report = json.loads(home.run("--json", "doctor", "--full", within=120).stdout)
        bad = [c for c in report["checks"] if not c["ok"] and c["name"] not in exceptions]
        self.assertEqual(bad, [])
