"""What the one who runs a hub relies on: its numbers, its log, its backups."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import exposition
from cases import Case
from processes import ROOT, binary, wait_for
from rpc import RPC, RPCError
from running import sized

ALERTS = ROOT / "Sources/PaletteNode/PaletteNode.docc/RunningAHub.md"
BOARD = ROOT / "Scripts/hued-dashboard.json"


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

    def names(self):
        """Every name that a hub's page of numbers has, and the labels of each."""
        _, hub, _ = self.hub()
        names = {}
        for family in numbers(hub).values():
            labels = {label for _, found in family.samples for label, _ in found}
            for end in ("_bucket", "_sum", "_count") if family.type == "histogram" else ("",):
                names[family.name + end] = labels | {"le"}
        return names

    def test_alerts_name_numbers_that_exist(self):
        names = self.names()
        used = set(re.findall(r"\b(?:hued|process)_[a-z_]+\b", ALERTS.read_text()))
        self.assertGreater(len(used), 12)
        histograms = {name.removesuffix("_bucket") for name in names if name.endswith("_bucket")}
        self.assertEqual(used - set(names) - histograms, set())

    def test_the_board_shows_numbers_that_exist(self):
        names = self.names()
        board = json.loads(BOARD.read_text())
        panels = [panel for panel in board["panels"] if panel["type"] != "row"]
        self.assertGreater(len(panels), 15)
        self.assertEqual(len({panel["id"] for panel in board["panels"]}), len(board["panels"]))
        taken = set()
        for panel in board["panels"]:
            place = panel["gridPos"]
            cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
            taken |= cells
        shown = set()
        for panel in panels:
            for target in panel["targets"]:
                found = re.findall(r"\b([a-z_]+)\{job=\"\$job\",instance=~\"\$hub\"", target["expr"])
                self.assertTrue(found, panel["title"])
                shown |= set(found) - {"up"}
                self.assertEqual(target["expr"].count("("), target["expr"].count(")"), panel["title"])
        self.assertEqual(shown - set(names), set())
        # Where a hub has nobody yet there is no label to see, so only those that are there are compared.
        for label in re.findall(r"sum by \((\w+)\)", BOARD.read_text()):
            self.assertTrue(any(label in labels for labels in names.values()), label)

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


class Log(Case):
    """Who and why, in lines that programs read; nothing that would let anybody in."""

    def lines(self, node):
        found = [json.loads(line) for line in node.lines]
        for line in found:
            self.assertEqual(list(line)[:4], ["time", "level", "event", "message"])
            self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            self.assertIn(line["level"], ("error", "warning", "info", "debug"))
        return found

    def of(self, node, event):
        return [line for line in self.lines(node) if line["event"] == event]

    def test_names_whom_and_why_and_no_secret(self):
        home, hub, _ = self.hub("Brand", "--verbose")
        secrets = [hub.link.rsplit("#", 1)[1]]
        token = home.hued("token", "--role", "editor", "--name", "bot")
        secrets.append(token["token"])
        code = home.hued("share", "Brand", "--role", "editor", "--name", "Ann's laptop")["code"]
        page = home.hued("open")["url"].rsplit("#", 1)[1]
        secrets += [code, code.removeprefix("hued1-"), page]
        laptop = self.home()
        own = self.node(laptop, "--verbose")
        url = laptop.hued("join", code)["peer"]
        request = urllib.request.Request(hub.url + "/session", headers={"Authorization": f"Bearer {page}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            cookie = answer.headers["Set-Cookie"]
            secrets.append(json.load(answer)["half"])
        secrets.append(cookie.split(";")[0].split("=", 1)[1])
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(request, timeout=10)
        script = RPC(hub.url, token=token["token"])
        self.addCleanup(script.close)
        script.call("add", palette="Brand", value="red")
        home.hued("revoke", token["id"])
        wait_for(lambda: self.of(hub, "refuse"), what="a line about the revoked script")
        laptop.hued("leave", url)
        wait_for(lambda: self.of(hub, "leave"), what="a line about the member that left")
        hub.stop()
        own.stop()
        hub.reader.join(5)
        own.reader.join(5)

        start = self.of(hub, "start")[0]
        self.assertEqual((start["home"], start["url"], start["palettes"]), (str(home.folder), hub.url, 1))
        self.assertTrue(start["version"])
        self.assertEqual([line["message"] for line in self.of(hub, "stop")], ["stopping", "stopped"])
        self.assertEqual(self.of(hub, "stop")[0]["reason"], "SIGTERM")
        share = self.of(hub, "share")[0]
        self.assertEqual((share["role"], share["by"]), ("editor", "owner"))
        self.assertEqual(self.of(hub, "token")[0]["name"], "bot")
        revoke = self.of(hub, "revoke")[0]
        self.assertEqual((revoke["revoked"], revoke["name"]), (token["id"], "bot"))
        # One id leads from the connection to what came of it, and the member is a field of its own.
        redeem = self.of(hub, "redeem")[0]
        self.assertEqual((redeem["name"], redeem["address"]), ("Ann's laptop", "127.0.0.1"))
        self.assertIn(redeem["connection"], [line["connection"] for line in self.of(hub, "connect")])
        self.assertEqual(self.of(hub, "leave")[0]["member"], redeem["member"])
        # Who leaves hangs up, or is told first that its access has ended.
        ended = [line for line in self.of(hub, "refuse")
                 if line.get("code") == "4401" and line["member"] != redeem["member"]]
        self.assertEqual([(line["name"], line["member"]) for line in ended], [("bot", revoke["member"])])
        self.assertTrue(self.of(hub, "session") and self.of(hub, "link"))
        self.assertTrue(any("code is not valid" in line["message"] for line in self.of(hub, "refuse")))
        self.assertEqual(self.of(own, "join")[0]["peer"], url)
        self.assertEqual(self.of(own, "leave")[0]["left"], url)

        text = "\n".join(hub.lines + own.lines)
        for secret in secrets:
            self.assertGreater(len(secret), 8)
            self.assertNotIn(secret, text)
        known = set(re.findall(r"`([a-z-]+)`", "".join(
            line.split("|")[1] for line in ALERTS.read_text().splitlines() if line.startswith("| `"))))
        used = {line["event"] for node in (hub, own) for line in self.lines(node)}
        self.assertEqual(used - known, set(), "every event is documented")

    def test_who_tries_secrets_gets_ten_lines_a_second(self):
        _, hub, _ = self.hub()
        start = time.monotonic()
        for _ in range(200):
            with self.assertRaises(OSError):
                urllib.request.urlopen(urllib.request.Request(
                    hub.url + "/session", headers={"Authorization": "Bearer nonsense"}), timeout=10)
        wait_for(lambda: [line for line in self.of(hub, "refuse") if "count" in line], within=5)
        seconds = time.monotonic() - start
        single = [line for line in self.of(hub, "refuse") if "count" not in line]
        self.assertLessEqual(len(single), 10 * (int(seconds) + 2))
        self.assertTrue(all(line["address"] == "127.0.0.1" for line in single))


class Service(Case):
    """What systemd is told, with `Type=notify` and a watchdog."""

    def messages(self, listener, *wanted, within=20):
        """Reads messages until each of these came, and gives them all."""
        deadline = time.monotonic() + within
        read = []
        while not all(any(line == text for message in read for line in message) for text in wanted):
            # Others may come all the time, so the deadline is for all together.
            left = deadline - time.monotonic()
            self.assertGreater(left, 0, f"{wanted} did not come")
            listener.settimeout(left)
            read.append(listener.recv(4096).decode().split("\n"))
        return read

    def file(self):
        """A path of a socket that is not there yet."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name + "/notify"

    def test_hears_when_the_node_is_ready_reloads_works_and_ends(self):
        for abstract in [False, True]:
            home = self.home()
            name = f"\0hued-{os.getpid()}-{time.monotonic_ns()}" if abstract else self.file()
            with self.subTest(abstract=abstract), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
                listener.bind(name)
                hub = self.node(home, environment={
                    "NOTIFY_SOCKET": name.replace("\0", "@"), "WATCHDOG_USEC": "200000"})
                first = self.messages(listener, "READY=1")
                self.assertIn(f"STATUS=Serving {hub.url}", first[-1])
                self.messages(listener, "WATCHDOG=1")
                self.messages(listener, "WATCHDOG=1")
                os.kill(hub.process.pid, signal.SIGHUP)
                reloading = self.messages(listener, "RELOADING=1", "READY=1")
                self.assertTrue(any(line.startswith("MONOTONIC_USEC=") for message in reloading for line in message))
                hub.process.terminate()
                self.messages(listener, "STOPPING=1")
                self.assertEqual(hub.process.wait(20), 0)

    def serve_on(self, home, listener, *flags, pid="$$"):
        """`hued serve` with a socket as descriptor 3, as systemd passes it."""
        script = f"exec 3<&{listener.fileno()}; export LISTEN_FDS=1 LISTEN_PID={pid}; exec \"$0\" serve \"$@\""
        return subprocess.Popen(
            ["sh", "-c", script, binary(), *flags], env=home.environment, pass_fds=[listener.fileno()],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_listens_on_the_socket_that_is_passed(self):
        home = self.home()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            # Whoever connects before it runs is served by it.
            early = socket.create_connection(("127.0.0.1", port), timeout=20)
            self.addCleanup(early.close)
            early.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            for _ in range(2):
                process = self.serve_on(home, listener)
                self.assertEqual(process.stdout.readline(), f"hued ready http://127.0.0.1:{port}\n")
                if early:
                    self.assertIn(b" 200 ", early.makefile("rb").readline())
                    early = None
                process.terminate()
                self.assertEqual(process.wait(20), 0, process.stderr.read())
                process.communicate()

    def test_refuses_what_is_no_such_socket(self):
        home = self.home()
        with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket() as other:
            for passed, flags in [(listener, ["--listen", "127.0.0.1:0"]), (other, [])]:
                process = self.serve_on(home, passed, *flags)
                _, error = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 2, error)
            # What is meant for another process is none of its own.
            process = self.serve_on(home, listener, "--listen", "127.0.0.1:0", pid="1")
            self.assertNotIn(str(listener.getsockname()[1]), process.stdout.readline())
            process.terminate()
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, 0)

    def test_another_process_watchdog_is_not_ours(self):
        home = self.home()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.bind(self.file())
            hub = self.node(home, environment={
                "NOTIFY_SOCKET": listener.getsockname(), "WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1"})
            self.messages(listener, "READY=1")
            hub.process.terminate()
            read = self.messages(listener, "STOPPING=1")
            self.assertEqual(read, [["STOPPING=1"]])

    def test_a_listener_that_reads_nothing_keeps_nobody_waiting(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.bind(self.file())
            hub = self.node(self.home(), environment={
                "NOTIFY_SOCKET": listener.getsockname(), "WATCHDOG_USEC": "2000"})
            # The system keeps few messages; the node's own thread sends them.
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
                other.setblocking(False)
                wait_for(lambda: self.is_full(other, listener.getsockname()), 20, "a listener that is full")
            for _ in range(20):
                self.assertEqual(urllib.request.urlopen(hub.url + "/readyz", timeout=10).status, 200)
            hub.process.terminate()
            self.assertEqual(hub.process.wait(20), 0)

    def is_full(self, sender, name):
        try:
            sender.sendto(b"", name)
        except BlockingIOError:
            return True
        return False

    def test_a_listener_that_is_gone_does_not_matter(self):
        hub = self.node(self.home(), environment={"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "20000"})
        self.assertEqual(urllib.request.urlopen(hub.url + "/readyz", timeout=10).status, 200)


class Backups(Case):
    def test_are_verified_named_and_let_go(self):
        home, hub, _ = self.hub()
        home.hued("add", "Brand", "red")
        self.assertEqual(numbers(hub)["hued_backup_checked_timestamp_seconds"].value(), 0)
        backups = self.home().folder
        script = ROOT / "Scripts/hued-backup"
        path = f"{os.path.dirname(os.path.abspath(binary()))}:{os.environ['PATH']}"
        environment = home.environment | {"HUED_BACKUPS": str(backups), "HUED_BACKUP_DAYS": "2", "PATH": path}

        def back_up(expected):
            done = subprocess.run([str(script)], env=environment, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, expected, done.stderr)

        old = backups / "hued-2020-01-01T000000Z.sqlite"
        old.write_text("old")
        os.utime(old, (time.time() - 5 * 86400,) * 2)
        recent = backups / "hued-2020-01-02T000000Z.sqlite"
        recent.write_text("recent")
        back_up(0)
        names = sorted(file.name for file in backups.iterdir())
        self.assertEqual(len(names), 2, names)
        self.assertIn(recent.name, names)
        made = next(backups / name for name in names if name != recent.name)
        self.assertEqual(made.stat().st_mode & 0o777, 0o600)
        self.assertTrue(home.hued("backup", "--verify", str(made))["ok"])
        checked = numbers(hub)["hued_backup_checked_timestamp_seconds"].value()
        self.assertLess(abs(time.time() - checked), 60)
        scratch = self.home().folder
        drill = home.run("--json", "backup", "--drill", made, prefix=("env", f"TMPDIR={scratch}"))
        self.assertEqual(drill.returncode, 0, drill.stderr)
        self.assertEqual([check["name"] for check in json.loads(drill.stdout)["checks"]][-1], "recovery")
        self.assertEqual(list(scratch.iterdir()), [], "a drill leaves nothing")

        data = bytearray(made.read_bytes())
        data[len(data) // 2:len(data) // 2 + 4096] = os.urandom(4096)
        bad = backups / "bad"
        bad.write_bytes(data)
        self.assertEqual(home.run("backup", "--verify", str(bad)).returncode, 7)

        # Where no backup can be made, nothing gets a name, and nothing is let go.
        os.utime(recent, (time.time() - 5 * 86400,) * 2)
        hub.stop()
        database = home.folder / "library.sqlite"
        with sqlite3.connect(database) as connection:
            connection.execute("UPDATE palette SET digest = zeroblob(16)")
        connection.close()
        back_up(7)
        self.assertEqual(sorted(file.name for file in backups.iterdir()), sorted(names + ["bad"]))
