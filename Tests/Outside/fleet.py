"""A fleet of hubs on a PostgreSQL of its own: hubs that are killed, end, freeze, and a database that goes away."""

import http.client
import itertools
import json
import os
import shutil
import signal
import subprocess
import threading
import time
import unittest
from pathlib import Path

from database import FLEET, OldServer, SERVERS
from hubs import FleetCase
from processes import CommandFailed, NotStarted, wait_for
from proxy import Proxy
from running import IS_LONG

DAY_SECONDS = int(os.environ.get("FLEET_SECONDS", "120"))
DAY_LIBRARIES = int(os.environ.get("FLEET_LIBRARIES", "20"))


@unittest.skipUnless(FLEET.exists() and SERVERS, "needs hued-fleet and Debian's postgresql")
class Fleet(FleetCase):
    def test_commands(self):
        done = self.run_fleet("help", "serve")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--public-url", done.stdout)
        self.assertTrue(self.run_fleet("--version").stdout.startswith("hued-fleet "))
        self.eventually(lambda: not self.fleet("hubs")["hubs"], "no hub")
        made = self.fleet("new", "studio")
        self.assertIsNone(made["code"], "no hub lives")
        for arguments, code in [(["new", "studio"], 2), (["new", "No_"], 2), (["share", "nobody"], 3), (["drop", "nobody", "--yes"], 3),
                                (["drop", "studio"], 2), (["list", "--colour"], 2), (["lists"], 2), (["new"], 2), ([], 0)]:
            self.assertEqual(self.run_fleet(*arguments).returncode, code, arguments)
        [library] = [each for each in self.fleet("list")["libraries"] if each["name"] == "studio"]
        self.assertEqual((library["owner"], library["id"], library["head"]), (None, made["id"], 1))
        self.assertEqual(self.fleet("drop", "studio", "--yes"), {"id": made["id"], "name": "studio"})
        error = json.loads(self.run_fleet("--json", "share", "studio").stderr)["error"]
        self.assertEqual(error["code"], "not-found")

    def test_databases_that_cannot_be_used(self):
        cases = [(self.database.url("guarded", "wrong"), 6), (f"host={self.folder} dbname=fleet", 5), ("nonsense", 2),
                 (self.database.url(database="none"), 3)]
        for database, code in cases:
            done = self.run_fleet("list", database=database)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertNotIn("wrong", done.stderr)
        self.database.execute("CREATE DATABASE newer", "postgres")
        newer = self.database.url(database="newer")
        self.fleet("list", database=newer)
        self.database.execute("INSERT INTO fleet VALUES (99)", "newer")
        self.assertEqual(self.run_fleet("list", database=newer).returncode, 8)
        with self.assertRaises(NotStarted) as failed:
            self.serve("late", database=newer)
        self.assertEqual(failed.exception.node.process.returncode, 8)

    def test_a_database_that_is_too_old(self):
        old = OldServer("12.22")
        self.addCleanup(old.close)
        done = self.run_fleet("list", database=old.url)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (8, 1), done.stderr)
        self.assertIn("PostgreSQL 13", done.stderr)
        with self.assertRaises(NotStarted) as failed:
            self.serve("early", database=old.url)
        self.assertEqual(failed.exception.node.process.returncode, 8)

    def test_a_password_is_hidden(self):
        database = self.database.url("guarded", "right", "guarded")
        hub = self.serve("hidden", "--database", database)
        (self.folder / "database").write_text(database + "\n")
        environment = self.environment() | {"CREDENTIALS_DIRECTORY": str(self.folder)}
        del environment["HUED_DATABASE"]
        done = subprocess.run([FLEET, "hubs"], env=environment, capture_output=True, text=True, check=True)
        self.assertIn("hidden", done.stdout, "the credential of a service says where the database is")
        line = Path(f"/proc/{hub.process.pid}/cmdline").read_bytes()
        self.assertNotIn(b"right", line)
        self.assertIn(b"--database", line)

    def test_an_owner_that_is_killed(self):
        balancer = Proxy(0)
        self.addCleanup(balancer.close)
        address = f"http://127.0.0.1:{balancer.port}"
        one, two = (self.serve(name, "--public-url", address) for name in ("one", "two"))
        balancer.target = one.port
        first, second = self.library("killed")
        self.assertEqual(self.owner("killed"), "one")
        one.kill()
        balancer.target = two.port
        first.hued("add", "killed", "#00ff00", "while it was dead")
        self.eventually(lambda: "while it was dead" in self.names(second, "killed"), "the edit, by the other hub")
        self.assertEqual(self.owner("killed"), "two")
        self.eventually(lambda: "one" not in [hub["name"] for hub in self.fleet("hubs")["hubs"]], "one dead")
        # It ends politely: the next one has the library at once.
        one = self.serve("one", "--public-url", address)
        self.assertEqual(two.stop(), 0)
        self.assertIsNone(self.owner("killed"))
        balancer.target = one.port
        second.hued("remove", "killed", "first")
        self.eventually(lambda: "first" not in self.names(first, "killed"), "the removal")
        self.assert_settled([first, second], within=20)

    def test_a_database_that_goes_away(self):
        hub = self.serve("alone")
        first, second = self.library("restarted")
        lines = len(hub.lines)
        self.database.stop()
        try:
            first.hued("add", "restarted", "#0000ff", "offline")
            self.eventually(lambda: self.ready(hub) == 503, "a hub that says that it is not ready")
            self.assertEqual(self.get(hub, "/readyz")[1], "the database does not answer\n")
            late = subprocess.Popen([FLEET, "serve", "--name", "late", "--listen", "127.0.0.1:0", "--cache", self.folder / "late"],
                                    env=self.environment(), text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
            self.addCleanup(late.communicate)
            self.addCleanup(late.kill)
            self.assertIn("waiting for the database", late.stderr.readline())
        finally:
            self.database.start()
        self.assertIn("hued-fleet ready", late.stdout.readline())
        self.eventually(lambda: "offline" in self.names(second, "restarted"), "the edit")
        self.assertEqual(self.ready(hub), 200)
        self.assertEqual(len(hub.logged("the database does not answer: ")), 1, hub.lines)
        self.assertEqual(len(hub.logged("the database answers again")), 1, hub.lines)
        self.assertLess(len(hub.lines) - lines, 10, hub.lines)
        before = self.database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'fleet' "
                                       "AND pid <> pg_backend_pid()")
        self.assertIn("t", before)
        second.hued("add", "restarted", "#00ffff", "after a cut")
        self.eventually(lambda: "after a cut" in self.names(first, "restarted"), "the edit after a cut")
        self.assert_settled([first, second], within=20)

    def test_carrying_over_and_back(self):
        home = self.home()
        home.hued("new", "Sea")
        home.hued("add", "Sea", "#0b7285", "teal")
        made = self.fleet("import", home.folder, "sea")
        self.assertEqual((made["palettes"], made["colors"]), (1, 1))
        self.serve("sea")
        joined = self.joined_home(self.fleet("share", "sea")["code"])
        self.eventually(lambda: self.names(joined, "Sea") == {"teal"}, "the palette")
        joined.hued("add", "Sea", "#66d9e8", "foam")
        self.eventually(lambda: joined.status()["pending"] == 0, "the edit in the fleet")
        back = self.home()
        shutil.rmtree(back.folder)
        self.fleet("export", "sea", back.folder)
        self.assertEqual(back.names("Sea"), {"teal", "foam"})
        self.assertEqual(self.run_fleet("import", home.folder, "sea").returncode, 2)
        self.fleet("drop", "sea", "--yes")
        self.eventually(lambda: joined.peer()["state"] != "live", "a library that is gone")

    def test_hued_runs_it(self):
        made = self.fleet("new", "beside")
        done = self.home().run("fleet", "list", "--json", "--database", self.database.url())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(made["id"], done.stdout)

    @unittest.skipUnless(shutil.which("haproxy"), "needs haproxy")
    def test_the_balancer_of_the_guide(self):
        hubs = self.balance(["one", "two"])
        first, second = self.library("balanced")
        for path in ["/metrics", "/%6detrics", "/readyz", "/./readyz", "/l/%62alanced/session", "/./l/balanced/session"]:
            self.assertEqual(self.get(self.balancer, path)[0], 404, path)
        self.assertEqual(self.answer("balanced"), 401)
        hubs[self.owner("balanced")].kill()
        first.hued("add", "balanced", "#00ff00", "while it was dead")
        self.eventually(lambda: "while it was dead" in self.names(second, "balanced"), "the edit, by the other hub")

    @unittest.skipUnless(shutil.which("haproxy"), "needs haproxy")
    def test_sixty_who_try_once_a_second(self):
        """They are let in again within ten seconds when a hub is killed, and within three when it ends."""
        hubs = self.balance(["one", "two", "three"])
        names = [f"s{number}" for number in range(12)]
        for name in names:
            self.fleet("new", name)
        tries = [(name, []) for name in names * 5]
        is_over = threading.Event()

        def ask(name, answers):
            # Without a secret 401 is all that an open library says.
            while not is_over.wait(1):
                answers.append((self.answer(name) == 401, time.monotonic()))
        threads = [threading.Thread(target=ask, args=each) for each in tries]
        for thread in threads:
            thread.start()
        self.addCleanup(is_over.set)
        try:
            # A second more than was needed may be measured: nobody asks in between.
            for end, seconds in [("kill", 10), ("stop", 4)]:
                self.eventually(lambda: all(len(answers) > 3 and all(good for good, _ in answers[-2:]) for _, answers in tries),
                                "everybody let in")
                start = time.monotonic()
                name, hub = hubs.popitem()
                getattr(hub, end)()
                self.eventually(lambda: all(answers[-1][0] and answers[-1][1] > start + 3 for _, answers in tries), "all there again")
                after = max(time for _, answers in tries for good, time in answers if not good) - start + 1
                print(f"  {end} of a hub: everybody let in again after {max(0, after):.1f} s")
                self.assertLess(after, seconds)
        finally:
            is_over.set()
            for thread in threads:
                thread.join()

    def answer(self, name):
        """What the balancer answers for a library to somebody without a secret; 0 for nothing."""
        try:
            return self.get(self.balancer, f"/l/{name}/session")[0]
        except (OSError, http.client.HTTPException):
            return 0

    @unittest.skipUnless(IS_LONG and shutil.which("haproxy"), "in the long run only")
    def test_a_hard_day(self):
        """Hubs are killed and frozen, lose their caches or get yesterday's, and the database goes away."""
        hubs = self.balance(["one", "two", "three"])
        libraries = [f"l{number}" for number in range(DAY_LIBRARIES)]
        homes = {name: list(self.library(name, "editor")) for name in libraries}
        added = {name: set() for name in libraries}
        viewers = {}
        for name, role in zip(libraries, itertools.cycle(["viewer", "relay"])):
            third = self.joined_home(self.fleet("share", name, "--role", role, "--name", "Vera")["code"])
            if role == "viewer":
                viewers[name] = third
            else:
                homes[name].append(third)
        frozen = {}

        def restart(name):
            hubs[name] = self.serve(name, *self.flags, port=hubs[name].port)

        def kill(name):
            hubs[name].kill()
            cache, old = self.folder / name, self.folder / f"{name}.old"
            what = self.random.choice(["keep", "delete", "swap"])
            if what == "delete":
                shutil.rmtree(cache)
            elif what == "swap" and old.exists():
                shutil.rmtree(cache)
                shutil.move(old, cache)
            if not old.exists() and cache.exists():
                shutil.copytree(cache, old)
            return f"kill -9 {name}, {what} its caches"

        def freeze(name):
            hubs[name].process.send_signal(signal.SIGSTOP)
            frozen[name] = time.monotonic() + 15
            return f"stop {name}"

        def database(name):
            self.database.stop()
            self.database.start()
            return "restart the database"

        def cut(name):
            for _ in range(10):
                self.database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'fleet' "
                                      "AND pid <> pg_backend_pid()")
                time.sleep(0.1)
            return "cut all connections"

        def read_only(name):
            self.database.execute("ALTER DATABASE fleet SET default_transaction_read_only = on", "postgres")
            cut(name)
            time.sleep(3)
            self.database.execute("ALTER DATABASE fleet RESET default_transaction_read_only", "postgres")
            cut(name)
            return "read only for some seconds"

        end, due, number = time.monotonic() + DAY_SECONDS, 0.0, 0
        try:
            while time.monotonic() < end:
                for name in [name for name, until in frozen.items() if time.monotonic() > until]:
                    hubs[name].process.send_signal(signal.SIGCONT)
                    del frozen[name]
                for name in [name for name in hubs if not hubs[name].is_running]:
                    restart(name)
                if time.monotonic() > due:
                    due = time.monotonic() + 5
                    free = [name for name in hubs if name not in frozen and hubs[name].is_running]
                    faults = [kill, kill, database, cut, read_only] + [freeze] * (not frozen)
                    print(f"  {end - time.monotonic():5.1f} {self.random.choice(faults)(self.random.choice(free))}")
                library = self.random.choice(libraries)
                home = self.random.choice(homes[library])
                number += 1
                home.hued("add", library, "#%06x" % self.random.randrange(1 << 24), f"n{number}")
                added[library].add(f"n{number}")
                if number % 10 == 0 and library in viewers:
                    with self.assertRaises(CommandFailed):
                        viewers[library].hued("add", library, "#000000", "not allowed")
        finally:
            for name in frozen:
                hubs[name].process.send_signal(signal.SIGCONT)
        for name in hubs:
            if not hubs[name].is_running:
                restart(name)
        start = time.monotonic()
        for library in libraries:
            everybody = homes[library] + [viewers[name] for name in [library] if name in viewers]
            self.assert_settled(everybody, within=60)
            for home in everybody:
                # Each once.
                names = [color["name"] for color in home.hued("list", library)["colors"]]
                self.assertEqual(sorted({"first", *added[library]}), sorted(names))
        print(f"  {number} edits by {3 * DAY_LIBRARIES} clients, all there {time.monotonic() - start:.1f} s after the last fault")

    def test_the_page_beneath_its_address(self):
        hub = self.serve("page")
        code = self.fleet("new", "page")["code"]
        self.assertTrue(code)
        self.assertEqual(hub.url, self.fleet("hubs")["hubs"][0]["url"])
        self.assertEqual(self.get(hub, "/l/page")[0], 308)
        status, page = wait_for(lambda: (found := self.get(hub, "/l/page/"))[0] != 503 and found, what="the page")
        self.assertEqual(status, 200)
        self.assertIn("<title>", page)
