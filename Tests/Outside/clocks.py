"""Clocks that are wrong, by years, or go backwards: nothing is lost, and the user is told."""

import glob
import time
import unittest

from cases import Case
from processes import wait_for
from running import IS_LONG

LIBRARY = (glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1") or [None])[0]
YEAR = 365.25 * 86400


def faked(offset=None, file=None):
    """The environment of a process whose clock is off, by a text as faketime reads it."""
    clock = {"FAKETIME_TIMESTAMP_FILE": str(file), "FAKETIME_NO_CACHE": "1"} if file else {"FAKETIME": offset}
    return clock | {"LD_PRELOAD": LIBRARY, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}


@unittest.skipUnless(LIBRARY, "faketime is not installed")
class ClockTests(Case):
    """A hub whose clock is right, and a node whose clock is not."""

    def meet(self, offset):
        hub, hub_node, _ = self.hub()
        home = self.joined(hub, environment=faked(offset))
        self.node(home)
        return hub, home

    def shown(self, home, name="Sea"):
        return next(c["hex"] for c in home.hued("list", "Brand")["colors"] if c["name"] == name)

    def check_syncs(self, offset):
        hub, home = self.meet(offset)
        hub.hued("add", "Brand", "#000001", "Sea")
        self.assert_settled([hub, home])
        # Whoever saw the other's edit wins, whatever the clocks say.
        for number, home_to_edit in enumerate([home, hub, home, hub], 2):
            home_to_edit.hued("set", "Brand", "Sea", f"#00000{number}")
            self.assert_settled([hub, home])
            for each in (hub, home):
                self.assertEqual(self.shown(each), f"#00000{number}")
        self.assertEqual(hub.hued("conflicts")["conflicts"], [])
        home.hued("add", "Brand", "#abcdef", "theirs")
        home.hued("remove", "Brand", "Sea")
        self.assert_settled([hub, home])
        self.assertEqual(hub.names("Brand"), {"theirs"})
        hub.hued("undo", "Brand")
        self.assert_healthy(hub)
        self.assert_healthy(home, "clock")
        return hub, home

    def check_told(self, home, expected):
        """`status` names the offset: the hub's clock minus ours."""
        peer = wait_for(lambda: (lambda p: p["clockOffsetMilliseconds"] is not None and p)(home.peer()), 10,
                        "an offset")
        self.assertAlmostEqual(peer["clockOffsetMilliseconds"] / 1000, -expected,
                               delta=max(5, abs(expected) * 0.01))

    def test_56_years_behind(self):
        _, home = self.check_syncs("-56y")
        self.check_told(home, -56 * YEAR)

    def test_ten_years_ahead(self):
        _, home = self.check_syncs("+10y")
        self.check_told(home, 10 * YEAR)

    def test_over_the_end_of_32_bits(self):
        self.check_syncs("@2038-01-19 03:14:05")

    def test_a_day_behind(self):
        _, home = self.check_syncs("-1d")
        self.check_told(home, -86400)

    def test_just_wrong(self):
        for offset in ("+6m", "-6m") if IS_LONG else ("+6m",):
            with self.subTest(offset):
                self.check_syncs(offset)

    def test_a_step_back(self):
        hub, _, _ = self.hub()
        clock = hub.folder / "clock"
        clock.write_text("+0s")
        home = self.joined(hub, environment=faked(file=clock))
        self.node(home)
        edits = 0
        for offset in ("+0s", "+1h", "-1d", "+2d", "-10y", "+0s"):
            clock.write_text(offset)
            for each in (home, hub, home):
                edits += 1
                if edits == 1:
                    each.hued("add", "Brand", "#000000", "Sea")
                each.hued("set", "Brand", "Sea", f"#0000{edits:02x}")
                self.assert_settled([hub, home])
                self.assertEqual(self.shown(hub), f"#0000{edits:02x}")
        self.assertEqual(hub.hued("conflicts")["conflicts"], [])
        self.assert_healthy(home, "clock")

    def test_edits_made_offline_under_a_wrong_clock(self):
        hub, _, _ = self.hub()
        hub.hued("add", "Brand", "#000001", "Sea")
        home = self.joined(hub, environment=faked("+10y"))
        home.hued("set", "Brand", "Sea", "#000002")
        hub.hued("set", "Brand", "Sea", "#000003")
        self.node(home)
        self.assert_settled([hub, home])
        self.assertEqual(self.shown(hub), self.shown(home))
        self.assertIn(self.shown(hub), ("#000002", "#000003"))
        self.assert_healthy(home, "clock")
        self.assert_healthy(hub)
