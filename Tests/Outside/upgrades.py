"""A library of an earlier format, brought to the present one by a process that dies, or on a disk that
fails: afterwards it opens, and shows what it showed."""

import json
import shutil
import sqlite3
import subprocess
import time
import unittest

from cases import Case, sized
from disk import ERRORS, can_trace
from processes import ROOT

GOLDEN = ROOT / "Tests" / "PaletteCommandsTests" / "Fixtures" / "golden-v1"
QUESTIONS = [("palettes",), ("conflicts",)] + [
    (verb, palette) for verb in ("list", "history") for palette in ("Brand", "Old", "Returned")]
CALLS = ["pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "openat"]
CRASHES = (132, 133, 134, 136, 138, 139)


class MigrationTests(Case):
    """From format 1 to the present one."""

    def setUp(self):
        super().setUp()
        self.subject = self.home()
        self.reset()
        self.subject.hued("list", "Brand")
        self.expected = self.answers()
        # What the version said that wrote it is still said.
        for words in QUESTIONS:
            then = json.loads((GOLDEN / ("-".join(words) + ".json")).read_text())
            self.assertIncludes(self.expected[words], then, words)
        self.newest = self.format()
        self.assertGreater(self.newest, 1)

    def assertIncludes(self, now, then, where):
        """Whatever was said then is said now; more may be."""
        if isinstance(then, dict):
            for key, value in then.items():
                self.assertIn(key, now, where)
                self.assertIncludes(now[key], value, (*where, key))
        elif isinstance(then, list):
            self.assertEqual(len(now), len(then), where)
            for one, other in zip(now, then):
                self.assertIncludes(one, other, where)
        else:
            self.assertEqual(now, then, where)

    def reset(self):
        """Puts the old library there."""
        for path in self.subject.folder.iterdir():
            path.unlink()
        for path in (GOLDEN / "home").iterdir():
            shutil.copy(path, self.subject.folder)
            (self.subject.folder / path.name).chmod(0o600)
        self.subject.folder.chmod(0o700)
        self.assertEqual(self.format(), 1)

    def format(self):
        """The format as the file has it, without a look at the log beside it."""
        data = (self.subject.folder / "library.sqlite").read_bytes()
        return int.from_bytes(data[60:64], "big")

    def answers(self):
        return {words: self.subject.hued(*words) for words in QUESTIONS}

    def check(self, point, is_clean=True):
        """The library is whole, either as it was or as it is to be."""
        file = self.subject.folder / "library.sqlite"
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone(), ("ok",), point)
            self.assertIn(database.execute("PRAGMA user_version").fetchone()[0], (1, self.newest), point)
        database.close()
        self.assertEqual(self.answers(), self.expected, point)
        self.assertEqual(self.format(), self.newest, point)
        self.assert_healthy(self.subject)
        left = [p.name for p in self.subject.folder.iterdir() if "partial" in p.name]
        if is_clean:
            self.assertEqual(left, [], point)

    def trace(self, inject, *words):
        return self.subject.run(
            "--json", *words, prefix=["strace", "-f", "-o", "/dev/null", "-e", f"trace={inject.split(':')[0]}",
                                      "-e", f"inject={inject}"])

    def points(self):
        """Every call of the migration that changes something, as (name, number)."""
        self.reset()
        log = self.subject.folder.with_suffix(".trace")
        self.subject.hued("list", "Brand", prefix=[
            "strace", "-f", "-o", str(log), "-e", f"trace={','.join(CALLS)}"])
        counts = {call: sum(f" {call}(" in line for line in log.read_text().splitlines()) for call in CALLS}
        log.unlink()
        return [(call, k) for call, count in counts.items() for k in range(1, count + 1)]

    @unittest.skipUnless(can_trace(), "strace is not installed, or not permitted")
    def test_killed_at_a_call(self):
        points = self.points()
        chosen = self.random.sample(points, min(len(points), sized(25, 1000)))
        killed = unfinished = 0
        for call, k in chosen:
            with self.subTest(call=call, k=k):
                self.reset()
                done = self.trace(f"{call}:signal=KILL:when={k}", "list", "Brand")
                killed += done.returncode in (-9, 137)
                unfinished += self.format() == 1
                self.check((call, k, done.returncode))
        self.assertGreater(killed, 0)
        print(f"  killed {killed} times at {len(chosen)} calls; {unfinished} times nothing was changed yet")

    def test_killed_at_random_moments(self):
        kills = unfinished = 0
        self.reset()
        start = time.monotonic()
        self.subject.hued("list", "Brand")
        usual = time.monotonic() - start
        for _ in range(sized(15, 150)):
            self.reset()
            process = self.subject.start("list", "Brand")
            try:
                # The end of the wait is a moment to strike at, not a condition to wait for.
                process.wait(self.random.uniform(0, 1.2 * usual))
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            process.communicate()
            unfinished += self.format() == 1
            self.check("a random moment")
        print(f"  killed {kills} times; {unfinished} times the file was the old one")

    @unittest.skipUnless(can_trace(), "strace is not installed, or not permitted")
    def test_a_disk_that_fails(self):
        """One call fails, or from one on all do."""
        points = [(call, error, k, rest) for call, k in self.points() for error in ERRORS for rest in ("", "+")
                  # Whoever is interrupted tries again, for ever if need be.
                  if (error, rest) != ("EINTR", "+")]
        chosen = self.random.sample(points, min(len(points), sized(25, 600)))
        told = 0
        for call, error, k, rest in chosen:
            point = f"{call} {error} at {k}{rest}"
            with self.subTest(point):
                self.reset()
                done = self.trace(f"{call}:error={error}:when={k}{rest}", "list", "Brand")
                self.assertGreaterEqual(done.returncode, 0, point)
                self.assertNotIn(done.returncode, CRASHES, f"crashed: {point} {done.stderr}")
                if done.returncode == 0 and not (call == "write" and rest):
                    self.assertEqual(json.loads(done.stdout), self.expected[("list", "Brand")], point)
                elif done.returncode and call != "write":
                    told += 1
                    # The loader of programs opens files too, and has no JSON for what it says.
                    self.assertIn('"message"' if call != "openat" else ":", done.stderr, point)
                self.check(point, is_clean=call != "unlink")
        self.assertGreater(told, 0)
        print(f"  {len(chosen)} points, {told} of them were told")

    def test_the_old_library_is_kept_aside(self):
        self.reset()
        self.subject.hued("add", "Brand", "#123456", "new")
        backup = self.subject.folder / "library.sqlite.v1.backup"
        with sqlite3.connect(backup) as database:
            self.assertEqual(database.execute("PRAGMA user_version").fetchone(), (1,))
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone(), ("ok",))
        database.close()
        back = self.home()
        back.hued("recover", str(backup), "--yes")
        self.assertEqual(back.hued("list", "Brand")["colors"], self.expected[("list", "Brand")]["colors"])

    def test_a_node_that_starts_with_it(self):
        self.reset()
        node = self.node(self.subject)
        self.assertEqual(self.answers(), self.expected)
        node.kill()
        self.check("a killed node")

    def test_a_newer_format_is_left_alone(self):
        self.reset()
        file = self.subject.folder / "library.sqlite"
        with sqlite3.connect(file) as database:
            database.execute(f"PRAGMA user_version = {self.newest + 1}")
        database.close()
        before = {p.name: p.read_bytes() for p in self.subject.folder.iterdir()}
        for words in (["list", "Brand"], ["add", "Brand", "red"], ["serve"], ["doctor"], ["compact", "--yes"]):
            self.assertEqual(self.subject.run(*words).returncode, 8, words)
        after = {p.name: p.read_bytes() for p in self.subject.folder.iterdir() if p.name != "lock"}
        self.assertEqual(after, {name: data for name, data in before.items() if name != "lock"})
