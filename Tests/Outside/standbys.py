"""A fleet whose database is lost: another server goes on, with everything or without the end."""

import shutil
import time
import unittest

from database import Database, FLEET, SERVERS, Standby
from hubs import FleetCase
from running import IS_LONG


@unittest.skipUnless(IS_LONG and FLEET.exists() and SERVERS and shutil.which("haproxy"), "in the long run only")
class Standbys(FleetCase):
    @classmethod
    def setUpClass(cls):
        pass

    def setUp(self):
        super().setUp()
        self.database = Database()
        self.addCleanup(self.database.remove)
        self.standby = Standby(self.database)
        self.addCleanup(self.standby.remove)
        self.url = self.database.url(others=[self.standby])
        self.eventually(self.standby.is_streaming, "a standby that follows")

    def environment(self, database=None):
        return super().environment(database or self.url)

    def begin(self):
        """Three hubs, and libraries with two homes each."""
        self.hubs = self.balance(["one", "two", "three"])
        self.homes = {f"s{number}": list(self.library(f"s{number}")) for number in range(3)}
        self.added = {name: set() for name in self.homes}
        self.number = 0

    def edit(self, settles=True):
        """Adds a color to each library, and waits until a hub has it."""
        self.number += 1
        for library, homes in self.homes.items():
            home = self.random.choice(homes)
            home.hued("add", library, "#%06x" % self.random.randrange(1 << 24), f"n{self.number}")
            self.added[library].add(f"n{self.number}")
        if settles:
            self.eventually(lambda: all(home.status()["pending"] == 0 for homes in self.homes.values() for home in homes),
                            "edits that are acknowledged")

    def fail_over(self):
        """The server is lost, and the standby takes its place."""
        self.database.crash()
        self.edit(settles=False)
        self.standby.promote()

    def assert_all_there(self):
        start = time.monotonic()
        for library, homes in self.homes.items():
            self.assert_settled(homes, within=60)
            for home in homes:
                self.assertEqual(self.added[library] | {"first"}, self.names(home, library))
        print(f"  {self.number} edits a library, all there {time.monotonic() - start:.1f} s later")

    def lost_tails(self, hubs):
        """The number of lost ends that hubs have told of."""
        return sum(len(hub.logged("lost-tail")) for hub in hubs)

    def test_a_synchronous_standby_is_promoted(self):
        self.database.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "postgres")
        self.database.execute("SELECT pg_reload_conf()", "postgres")
        self.begin()
        for _ in range(10):
            self.edit()
        self.fail_over()
        self.assert_all_there()
        self.edit()
        self.assert_all_there()
        self.assertEqual(self.lost_tails(self.hubs.values()), 0)

    def test_an_asynchronous_standby_that_lacks_the_end(self):
        """The owners, which still have it, give it back."""
        self.begin()
        self.edit()
        self.standby.cut_off()
        for _ in range(5):
            self.edit()
        self.fail_over()
        self.assert_all_there()
        self.assertGreaterEqual(self.lost_tails(self.hubs.values()), 1)
        self.edit()
        self.assert_all_there()

    def test_an_end_that_nobody_but_the_clients_has(self):
        """The owners are lost at the same time, with their caches."""
        self.begin()
        self.edit()
        self.standby.cut_off()
        for _ in range(5):
            self.edit()
        for name, hub in self.hubs.items():
            hub.kill()
            shutil.rmtree(self.folder / name)
        self.fail_over()
        for name, hub in self.hubs.items():
            self.serve(name, *self.flags, port=hub.port)
        self.assert_all_there()
        self.edit()
        self.assert_all_there()
