"""What the one who runs a hub relies on: its numbers, its log, its backups."""

import json
import os
import re
import shutil
import sqlite3
import time
import unittest
import urllib.request

import exposition
from cases import Case, sized
from processes import ROOT, Home, wait_for
from rpc import RPC, RPCError

ALERTS = ROOT / "Sources/PaletteNode/PaletteNode.docc/RunningAHub.md"


def numbers(node, token=None):
    """The families of a node's page of numbers."""
    request = urllib.request.Request(node.url + "/metrics")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"), answer.headers
        return exposition.parse(answer.read().decode())


class Checker(unittest.TestCase):
    """The checker of the format can fail."""

    GOOD = ('# HELP a_total A.\n# TYPE a_total counter\na_total{b="c\\"}"} 1\n'
            '# HELP t_seconds T.\n# TYPE t_seconds histogram\nt_seconds_bucket{le="1"} 1\n'
            't_seconds_bucket{le="+Inf"} 2\nt_seconds_sum 3.5\nt_seconds_count 2\n')

    def test_takes_what_is_right(self):
        self.assertEqual(exposition.parse(self.GOOD)["t_seconds"].value("_sum"), 3.5)

    def test_refuses_what_is_wrong(self):
        for before, after in [
                ("# HELP a_total A.\n", ""), ("# TYPE a_total counter\n", ""), ("a_total", "a"),
                ('c\\"}', 'c"'), ('c\\"}', "c\\x"), ("} 1\n", "} 1"), ("} 1\n", "} one\n"), ("} 1\n", "} -1\n"),
                ('le="+Inf"} 2', 'le="+Inf"} 0'), ('le="+Inf"', 'le="2"'), ("count 2", "count 3"),
                ("t_seconds_sum 3.5\n", ""), ("histogram", "gauge"), ("t_seconds", "t_milliseconds"),
                ('a_total{b="c\\"}"} 1\n', 'a_total{b="c"} 1\na_total{b="c"} 2\n'), ("counter", "gauge"),
                ('{b="c', '{b="x",b="c'), ('{b=', '{1=')]:
            with self.subTest(before=before, after=after):
                self.assertIn(before, self.GOOD)
                with self.assertRaises(exposition.Malformed):
                    exposition.parse(self.GOOD.replace(before, after))


class Numbers(Case):
    def test_are_well_formed_and_tell_what_happened(self):
        home, hub, _ = self.hub()
        quiet = numbers(hub)
        laptop = self.joined(home)
        node = self.node(laptop)
        watcher = laptop.start("--json", "watch", "Brand")
        self.addCleanup(watcher.wait)
        self.addCleanup(watcher.kill)
        watcher.stdout.readline()
        for number in range(5):
            home.hued("add", "Brand", "red", f"Red {number}")
        wait_for(lambda: len(laptop.names("Brand")) == 5)
        laptop.hued("add", "Brand", "blue")
        wait_for(lambda: laptop.peer()["pending"] == 0)
        busy, own = numbers(hub), numbers(node)
        self.assertEqual(set(quiet), set(busy), "a family is there before it has a number")
        self.assertGreaterEqual(busy["hued_commit_seconds"].value("_count"), 6)
        self.assertEqual(busy["hued_rpc_seconds"].value("_count", method="add"), 5)
        self.assertEqual(busy["hued_rpc_failed_calls_total"].value(method="add"), 0)
        self.assertGreaterEqual(own["hued_edit_to_watchers_seconds"].value("_count"), 2)
        self.assertEqual(busy["hued_connections"].value(kind="peer"), 1)
        self.assertEqual(busy["hued_colors"].value(), 6)
        peer = {"peer": laptop.peer()["url"]}
        self.assertEqual(own["hued_peer_live"].value(**peer), 1)
        self.assertEqual(own["hued_peer_pending_changes"].value(**peer), 0)
        self.assertEqual(own["hued_peer_lag_changes"].value(**peer), 0)
        heard = own["hued_peer_last_contact_timestamp_seconds"].value(**peer)
        self.assertLess(abs(time.time() - heard), 60)
        self.assertLess(abs(busy["process_start_time_seconds"].value() - time.time()), 600)
        open_files = len(os.listdir(f"/proc/{hub.process.pid}/fd"))
        self.assertLessEqual(abs(busy["process_open_fds"].value() - open_files), 3)
        self.assertGreater(busy["hued_database_size_bytes"].value(), 4096)
        self.assertGreater(busy["hued_disk_free_bytes"].value(), 0)
        hub.kill()
        wait_for(lambda: numbers(node)["hued_peer_live"].value(**peer) == 0, within=30)

    def test_labels_of_a_hostile_method_name_stay_few(self):
        home, hub, _ = self.hub()
        client = self.client(home)
        for number in range(50):
            with self.assertRaises(RPCError):
                client.call(f'x{number}"}}\n')
        found = numbers(hub)["hued_rpc_seconds"]
        methods = {dict(labels)["method"] for _, labels in found.samples}
        self.assertEqual(methods - {"unknown", "new", "token"}, set())
        self.assertEqual(found.value("_count", method="unknown"), 50)

    def test_alerts_name_numbers_that_exist(self):
        home, hub, _ = self.hub()
        names = set()
        for family in numbers(hub).values():
            names |= {family.name + end for end in (
                ("_bucket", "_sum", "_count") if family.type == "histogram" else ("",))}
        used = set(re.findall(r"\b(?:hued|process)_[a-z_]+\b", ALERTS.read_text()))
        self.assertGreater(len(used), 12)
        histograms = {name.removesuffix("_bucket") for name in names if name.endswith("_bucket")}
        self.assertEqual(used - names - histograms, set())

    def test_cost_nothing_that_grows(self):
        home, hub, _ = self.hub()
        client = self.client(home)
        names = [f"Palette {number}" for number in range(sized(300, 20_000))]
        for call in [client.ask("new", name=name) for name in names]:
            client.answer(call)
        best = min(self.seconds(lambda: numbers(hub)) for _ in range(5))
        print(f"  numbers of {len(names)} palettes in {best * 1000:.1f} ms")
        self.assertLess(best, 0.5)

    def client(self, home):
        client = RPC(unix=str(home.folder / "node.sock"))
        self.addCleanup(client.close)
        return client

    @staticmethod
    def seconds(action):
        start = time.monotonic()
        action()
        return time.monotonic() - start
