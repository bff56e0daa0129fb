"""Disks that fail, fill up, or lie: errors are told, nothing is acknowledged that is not there."""

import fcntl
import os
import shutil
import sqlite3
import subprocess
import threading
import unittest

from cases import Case
from processes import CommandFailed, Node, binary, join, wait_for
from rpc import RPC, RPCError
from running import IS_LONG, sized

CALLS = ["fsync", "fdatasync", "pwrite64", "ftruncate", "rename", "openat", "unlink"]
ERRORS = ["EIO", "ENOSPC", "EINTR"]


def can_trace():
    return shutil.which("strace") and subprocess.run(
        ["strace", "-f", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless(can_trace(), "strace is not installed, or not permitted")
class SystemCallTests(Case):
    """The k-th call of a kind fails."""

    def check(self, home, call, error, k, name):
        done = home.run(
            "--json", "add", "Brand", "#123456", name,
            prefix=["strace", "-f", "-o", "/dev/null", "-e", "trace=" + call,
                    "-e", f"inject={call}:error={error}:when={k}"])
        point = f"{call} {error} at {k}: exit {done.returncode} {done.stderr[:300]}"
        self.assertGreaterEqual(done.returncode, 0, point)
        self.assertNotIn(done.returncode, (132, 133, 134, 136, 138, 139), "crashed: " + point)
        names = home.names("Brand")
        if done.returncode == 0:
            self.assertIn(name, names, "acknowledged and not there: " + point)
        else:
            self.assertTrue(done.stderr.strip(), "no error was told: " + point)
        return done.returncode

    def test_every_call_may_fail(self):
        home = self.home()
        home.hued("new", "Brand")
        points = [(call, error, k) for call in CALLS for error in ERRORS
                  for k in range(1, sized(6, 50))]
        chosen = self.random.sample(points, min(len(points), sized(30, 1000)))
        failures = 0
        for number, (call, error, k) in enumerate(chosen):
            with self.subTest(call=call, error=error, k=k):
                failures += self.check(home, call, error, k, f"color {number}") != 0
        print(f"  {len(chosen)} points, {failures} of them were told")
        self.assertGreater(failures, 0, "no call ever failed")
        self.assert_healthy(home)

    def test_a_node_whose_syncs_fail(self):
        home = self.home()
        home.hued("new", "Brand")
        node = self.node(home, prefix=[
            "strace", "-D", "-f", "-o", "/dev/null", "-e", "trace=fdatasync,fsync",
            "-e", f"inject=fdatasync,fsync:error=EIO:when={self.random.randrange(14, 24)}+3"])
        rpc = RPC(unix=str(home.folder / "node.sock"))
        acknowledged, refused = set(), 0
        for number in range(40):
            try:
                rpc.call("add", palette="Brand", value="#123456", name=f"color {number}")
                acknowledged.add(f"color {number}")
            except RPCError as error:
                refused += 1
                self.assertNotEqual(error.code, None)
        self.assertGreater(refused, 0)
        rpc.call("list", palette="Brand")
        rpc.close()
        node.process.terminate()
        node.process.wait(20)
        self.assertLessEqual(acknowledged, home.names("Brand"))
        self.assert_healthy(home)


def can_mount():
    return os.geteuid() == 0 and shutil.which("nsenter") and subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True,
        check=False).returncode == 0


@unittest.skipUnless(can_mount(), "a private mount namespace needs root")
class FullDiskTests(Case):
    """A small volume of its own that fills, and grows."""

    def volume(self, size):
        home = self.home()
        holder = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c",
             f"mount -t tmpfs -o size={size} none {home.folder} && echo ready && exec sleep 1000"],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(holder.stdout.close)
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        self.assertEqual(holder.stdout.readline(), "ready\n")
        home.prefix = ["nsenter", "--mount", "--target", str(holder.pid)]
        self.inside = f"/proc/{holder.pid}/root{home.folder}"
        return home

    def grow(self, home, size):
        subprocess.run([*home.prefix, "mount", "-o", f"remount,size={size}", str(home.folder)], check=True)

    def fill(self, rpc, acknowledged):
        """Adds until the disk is full."""
        for number in range(100_000):
            name = f"color {len(acknowledged)} {'x' * 200}"
            try:
                rpc.call("add", palette="Brand", value="#123456", name=name)
                acknowledged.add(name)
            except RPCError as error:
                return error
        self.fail("it never fills")

    def test_commands(self):
        for size in ["64k", "300k", "1m"] if not IS_LONG else [f"{n}k" for n in range(64, 8192, 200)]:
            with self.subTest(size):
                home = self.volume(size)
                done = home.run("--json", "new", "Brand")
                acknowledged = 0
                while done.returncode == 0 and acknowledged < 40_000:
                    lines = "".join(f"#{n:06x}\t{n} {'y' * 100}\n" for n in range(acknowledged, acknowledged + 200))
                    done = home.run("--json", "import", "-", "--format", "txt", "--palette",
                                    f"Batch {acknowledged}", input=lines)
                    acknowledged += 200 if done.returncode == 0 else 0
                self.assertEqual(done.returncode, 7, done.stderr)
                self.assertIn("disk-full", done.stderr)
                if home.run("palettes").returncode == 0 and acknowledged:
                    count = sum(p["count"] for p in home.hued("palettes")["palettes"])
                    self.assertGreaterEqual(count, acknowledged)
                self.grow(home, "64m")
                home.hued("new", "After")
                self.assert_healthy(home, "space")

    def test_a_node(self):
        home = self.volume("900k")
        home.hued("new", "Brand")
        node = self.node(home)
        rpc = RPC(unix=f"{self.inside}/node.sock")
        acknowledged = set()
        error = self.fill(rpc, acknowledged)
        self.assertEqual(error.code, "disk-full", error)
        listed = {c["name"] for c in rpc.call("list", palette="Brand")["colors"]}
        self.assertLessEqual(acknowledged, listed)
        self.grow(home, "8m")
        rpc.call("add", palette="Brand", value="#123456", name="after")
        rpc.close()
        self.assertTrue(node.is_running)
        self.assert_healthy(home, "space")

    def test_a_full_hub_acknowledges_nothing_and_recovers(self):
        hub = self.volume("900k")
        hub.hued("new", "Brand")
        self.node(hub)
        other = self.home()
        join(other, hub)
        self.node(other)
        rpc = RPC(unix=f"{self.inside}/node.sock")
        self.fill(rpc, set())
        lines = "".join(f"#{n:06x}\t{n} {'z' * 150}\n" for n in range(2000))
        (other.folder / "many.txt").write_text(lines)
        other.hued("import", str(other.folder / "many.txt"), "--palette", "Brand")
        self.assertGreater(other.status()["pending"], 0)
        rpc.call("list", palette="Brand")
        rpc.close()
        self.grow(hub, "32m")
        self.assert_settled([hub, other], within=45)
        self.assert_healthy(hub, "space")


class DamageTests(Case):
    """Bytes that changed by themselves: found or healed, never spread, never a crash."""

    def synced(self):
        hub, _, _ = self.hub()
        lines = "".join(f"#{n:06x}\tcolor {n}\n" for n in range(150))
        (hub.folder / "many.txt").write_text(lines)
        hub.hued("import", str(hub.folder / "many.txt"), "--palette", "Brand")
        home = self.joined(hub)
        home.hued("add", "Brand", "#abcdef", "mine")
        self.assert_settled([hub, home])
        return hub, home

    def damage(self, data):
        data = bytearray(data)
        if self.random.random() < 0.25:
            return bytes(data[:self.random.randrange(len(data))])
        for _ in range(self.random.choice([1, 1, 4, 30])):
            at = self.random.randrange(len(data))
            data[at] ^= 1 << self.random.randrange(8)
        return bytes(data)

    def test_damaged_files_never_spread(self):
        hub, home = self.synced()
        whole = {p.name: p.read_bytes() for p in home.folder.iterdir() if p.is_file()}
        expected = hub.hued("list", "Brand")
        digest = hub.digest()
        found = 0
        for attempt in range(sized(20, 300)):
            with self.subTest(attempt):
                for path in home.folder.iterdir():
                    if path.is_file():
                        path.unlink()
                for name, data in whole.items():
                    (home.folder / name).write_bytes(data)
                target = home.folder / "library.sqlite"
                target.write_bytes(self.damage(whole["library.sqlite"]))
                found += self.check_damaged(home)
                self.assertEqual(hub.digest(), digest, "damage spread")
                self.assertEqual(hub.hued("list", "Brand"), expected, "damage spread")
        print(f"  {found} of {sized(20, 300)} were noticed")
        self.assert_healthy(hub)

    def check_damaged(self, home):
        """Nothing crashes; tells whether the damage was noticed."""
        noticed = False
        # The damage may be in the address of the hub, which nothing else knows: whoever waits for that waits for ever.
        sync = ["sync", "--wait", "--timeout", "20"]
        for words in (["list", "Brand"], ["doctor"], sync, ["status"], ["history", "Brand"]):
            done = home.run("--json", *words, within=60)
            self.assertGreaterEqual(done.returncode, 0, f"{words} crashed: {done.returncode} {done.stderr}")
            self.assertNotIn(done.returncode, (132, 133, 134, 139), f"{words} crashed: {done.stderr}")
            if done.returncode:
                noticed = True
                self.assertTrue(done.stderr or done.stdout, words)
        return noticed

    def test_damaged_logs_never_spread(self):
        """The log of recent writes, too: what it lost comes back from the hub, and nothing is made twice."""
        hub, home = self.synced()
        node = self.node(home)
        for number in range(30):
            home.hued("add", "Brand", f"#{number:06x}", f"recent {number}")
        home.hued("set", "Brand", "mine", "#123456")
        self.assert_settled([hub, home])
        node.kill()
        whole = {p.name: p.read_bytes() for p in home.folder.iterdir()
                 if p.is_file() and not p.name.endswith("-shm")}
        self.assertIn("library.sqlite-wal", whole)
        expected = {c["name"]: c["hex"] for c in hub.hued("list", "Brand")["colors"]}
        count = sized(10, 150)
        noticed = edited = 0
        for attempt in range(count):
            with self.subTest(attempt):
                for path in home.folder.iterdir():
                    if not path.is_dir():
                        path.unlink()
                names = self.random.choice([["-wal"], ["-wal"], ["-wal", ""]])
                for name, data in whole.items():
                    is_hit = name.removeprefix("library.sqlite") in names and name.startswith("library.sqlite")
                    (home.folder / name).write_bytes(self.damage(data) if is_hit else data)
                noticed += self.check_damaged(home)
                done = home.run("--json", "add", "Brand", "#abcdef", f"attempt {attempt}")
                self.assertIn(done.returncode, (0, 1, 3, 4, 7), done.stderr)
                self.assertTrue(done.returncode == 0 or '"message"' in done.stderr)
                if done.returncode == 0 and home.run("sync", "--wait", "--timeout", "20", within=60).returncode == 0:
                    edited += 1
                    expected[f"attempt {attempt}"] = "#abcdef"
                shown = {c["name"]: c["hex"] for c in hub.hued("list", "Brand")["colors"]}
                self.assertLessEqual(expected.items(), shown.items(), "damage spread")
        print(f"  {count} logs damaged, {noticed} times noticed, {edited} times edited and synced")
        self.assert_healthy(hub)

    def test_a_lost_or_cut_log_of_recent_writes(self):
        for kind in ("gone", "cut", "flipped"):
            with self.subTest(kind):
                hub, _, _ = self.hub()
                home = self.joined(hub)
                node = self.node(home)
                for number in range(20):
                    home.hued("add", "Brand", "#123456", f"color {number}")
                self.assert_settled([hub, home])
                node.kill()
                wal = home.folder / "library.sqlite-wal"
                self.assertTrue(wal.exists())
                data = wal.read_bytes()
                if kind == "gone":
                    wal.unlink()
                else:
                    wal.write_bytes(data[:len(data) // 2] if kind == "cut" else self.damage(data))
                (home.folder / "library.sqlite-shm").unlink(missing_ok=True)
                done = home.run("--json", "add", "Brand", "#654321", "again")
                self.assertIn(done.returncode, (0, 3, 4, 7), done.stderr)
                try:
                    self.node(home)
                except AssertionError:
                    continue  # found to be damaged, and told
                self.assert_settled([hub, home], 20)
                self.assertLessEqual({f"color {n}" for n in range(20)}, hub.names("Brand"))
                self.assert_healthy(hub)


class LockTests(Case):
    """Somebody else has the library: whoever comes waits a little, and then says so."""

    def hold(self, home):
        """Takes the lock of a home until the file is closed."""
        file = open(home.folder / "lock", "r+", encoding="ascii")
        self.addCleanup(file.close)
        fcntl.flock(file, fcntl.LOCK_EX)
        return file

    def home_held_for_a_while(self):
        home = self.home()
        home.hued("new", "Brand")
        timer = threading.Timer(self.random.uniform(0.5, 3), self.hold(home).close)
        timer.start()
        self.addCleanup(timer.join)
        return home

    def test_a_node_waits_for_the_lock(self):
        home = self.home_held_for_a_while()
        self.node(home)
        home.hued("add", "Brand", "#123456", "through the node")

    def test_a_command_waits_for_the_lock(self):
        home = self.home_held_for_a_while()
        home.hued("add", "Brand", "#123456", "after the wait")

    def test_nobody_waits_for_ever(self):
        home = self.home()
        home.hued("new", "Brand")
        self.hold(home)
        for words in (["serve", "--listen", "127.0.0.1:0"], ["add", "Brand", "red"]):
            done = home.run("--json", *words, within=20)
            self.assertEqual(done.returncode, 7, done.stderr)
            self.assertIn("locked", done.stderr)
        self.assertEqual(home.names("Brand"), set(), "reading needs no lock")

    def test_two_nodes_of_one_library(self):
        home = self.home()
        home.hued("new", "Brand")
        self.node(home)
        done = home.run("--json", "serve", "--listen", "127.0.0.1:0", within=20)
        self.assertEqual(done.returncode, 7, done.stderr)
        home.hued("add", "Brand", "#123456", "the first goes on")


class BackupTests(Case):
    """A backup under load is some moment of the library, and opens."""

    def test_backups_are_prefixes(self):
        home = self.home()
        home.hued("new", "Brand")
        self.node(home)
        is_ending = threading.Event()
        count = [0]

        def write():
            rpc = RPC(unix=str(home.folder / "node.sock"))
            while not is_ending.is_set():
                rpc.call("add", palette="Brand", value="#123456", name=f"{count[0]}")
                count[0] += 1
            rpc.close()

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for number in range(sized(5, 100)):
                start = count[0]
                wait_for(lambda: count[0] > start + 10, 20, "edits")
                file = home.folder / f"backup {number}"
                least = count[0]
                home.hued("backup", str(file))
                most = count[0] + 1
                self.check(file, least, most)
        finally:
            is_ending.set()
            writer.join()

    def check(self, file, least, most):
        with sqlite3.connect(file) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone(), ("ok",))
        database.close()
        copy = self.home()
        copy.hued("recover", str(file), "--yes")
        names = sorted(map(int, copy.names("Brand")))
        self.assertEqual(names, list(range(len(names))), "not a prefix")
        self.assertTrue(least <= len(names) <= most, (least, len(names), most))
        self.assert_healthy(copy)
