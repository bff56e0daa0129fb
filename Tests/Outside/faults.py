"""Calls of the system that fail, one by one: errors are told, and nothing acknowledged is lost.

`failing.c` stands between the process and the system, and counts the calls on files of the library. A
first run without failures tells which there are; then each of them fails in a run of its own: in the long form
all of them, else some by chance.
"""

import base64
import collections
import concurrent.futures
import errno
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from cases import Case
from processes import CommandFailed, Home, Node, NotStarted, binary
from rpc import RPC, ConnectionLost, RPCError
from running import sized
from websocket import HandshakeFailed

COMPILER = shutil.which("clang") or shutil.which("cc")
# What reached the disk is told from the calls, so files may as well be in memory.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# How many homes at once.
WORKERS = 3
# How many failures of most commands a short run tries; each night tries all of them.
FEW = 5
# What a node may answer where a command ends with the exit code for storage.
STORAGE = {"storage", "locked", "disk-full", "corrupt", "read-only", "not-a-library"}

# How calls fail: with which error, and how many in a row; 0 for all that follow.
WRITES = [("EIO", 1), ("ENOSPC", 1), ("EIO", 2), ("EIO", 0), ("ENOSPC", 0), ("EDQUOT", 0)]
SYNCS = [("EIO", 1), ("EIO", 2), ("ENOSPC", 1), ("EIO", 0), ("EINTR", 1)]
OPENS = [("EIO", 1), ("EMFILE", 1), ("EACCES", 1), ("EIO", 2), ("EMFILE", 0), ("EINTR", 1)]
NAMES = [("EIO", 1), ("EACCES", 1), ("ENOSPC", 1), ("EIO", 2), ("EROFS", 0)]
LOOKS = [("EIO", 1), ("EACCES", 1), ("EIO", 2), ("EIO", 0)]
FAILURES = {
    "pwrite": [*WRITES, ("short", 1), ("EINTR", 1)], "write": [*WRITES, ("short", 1)],
    "sendfile": [*WRITES, ("short", 1)], "ftruncate": WRITES,
    "fsync": SYNCS, "fdatasync": SYNCS, "sync_file_range": [("EIO", 1)],
    "open": OPENS, "create": [*OPENS, ("ENOSPC", 1), ("ENOSPC", 0), ("EROFS", 0)], "close": [("EIO", 1)],
    "rename": NAMES, "link": NAMES, "unlink": NAMES, "mkdir": NAMES, "rmdir": NAMES,
    "chmod": [("EPERM", 1), ("EROFS", 0)], "fchmod": [("EPERM", 1), ("EROFS", 0)],
    "fchown": [("EPERM", 1), ("EPERM", 0)],
    "pread": [("EIO", 1), ("EIO", 2), ("EIO", 0), ("short", 1), ("EINTR", 1)],
    "read": [("EIO", 1), ("EIO", 0), ("short", 1)],
    "stat": LOOKS, "lstat": LOOKS, "fstat": LOOKS, "statx": LOOKS, "access": LOOKS,
    "statvfs": [("EIO", 1)], "readlink": [("EIO", 1)], "opendir": [("EIO", 1), ("EMFILE", 1)],
    "mmap": [("ENOMEM", 1), ("ENOMEM", 0)],
    "lock": [("ENOLCK", 1), ("EIO", 1)], "flock": [("ENOLCK", 1), ("EIO", 1)],
}
# From one call on nothing works any more; but whoever gets no lock waits for it, too long for this.
TOGETHER = ",".join(call for call in FAILURES if call not in ("lock", "flock", "close", "sync_file_range"))
FAILURES[TOGETHER] = [("EIO", 0), ("ENOSPC", 0), ("EMFILE", 0)]
SHORT_FAILURES = {
    "pwrite": [("EIO", 1), ("ENOSPC", 0)], "ftruncate": [("EIO", 1)],
    "fsync": [("EIO", 1), ("EIO", 0)], "fdatasync": [("EIO", 1), ("EIO", 2), ("EIO", 0)],
    "open": [("EMFILE", 1)], "create": [("EACCES", 1), ("ENOSPC", 0)],
    "rename": [("EIO", 1)], "unlink": [("EIO", 1)], "mkdir": [("EACCES", 1)],
    "stat": [("EIO", 1)], "access": [("EIO", 1)], "mmap": [("ENOMEM", 1)], "flock": [("ENOLCK", 1)],
}
# Where files change their names, each step matters.
NAMING = {call: [("EIO", 1)] for call in ("stat", "access", "rename", "link", "unlink", "fsync")}
# The calls that leave something else behind than was there.
CHANGES = {"pwrite", "write", "sendfile", "ftruncate", "create", "rename", "link", "unlink", "mkdir"}

# A call that fails: the FIRST of its kind and COUNT in a row, and the file of the first.
Point = collections.namedtuple("Point", "call how first count file")


class Shim:
    """`failing.c`, compiled once."""

    lock = threading.Lock()
    folder = None

    @classmethod
    def path(cls):
        with cls.lock:
            if cls.folder is None:
                cls.folder = tempfile.TemporaryDirectory(prefix="hued-failing-")
                subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-o", f"{cls.folder.name}/failing.so",
                                str(Path(__file__).with_name("failing.c"))], check=True)
        return f"{cls.folder.name}/failing.so"


class Bench:
    """A home that is put back to its beginning for each failure, and the log of the calls on it.

    Files are written in place, so that a library stays the file that it was: another one would be
    taken for a copy.
    """

    def __init__(self, build):
        self.make = build
        self.outer = Path(tempfile.mkdtemp(prefix="hued-faults-", dir=MEMORY))
        # Calls on what commands make elsewhere are counted, too.
        self.aside = self.outer / "aside"
        self.log = self.outer / "log"
        self.home = Home(folder=self.outer / "home", environment={"TMPDIR": str(self.aside)})
        self.file = self.home.folder / "library.sqlite"
        self.build()

    def build(self):
        shutil.rmtree(self.home.folder, ignore_errors=True)
        shutil.rmtree(self.aside, ignore_errors=True)
        self.aside.mkdir()
        self.make(self)
        # The socket of a node that was killed stays out of it.
        for path in self.paths():
            if not path.is_file():
                path.unlink()
        self.files = {path: (path.read_bytes(), path.stat().st_ino) for path in self.paths()}

    def paths(self):
        return [path for folder in (self.home.folder, self.aside) if folder.exists()
                for path in folder.iterdir()]

    def reset(self):
        self.log.unlink(missing_ok=True)
        if not self.files or any(not path.exists() or path.stat().st_ino != inode
                                 for path, (_, inode) in self.files.items()):
            return self.build()
        for path in self.paths():
            if path.is_dir():
                shutil.rmtree(path)
            elif path not in self.files:
                path.unlink()
        for path, (data, _) in self.files.items():
            path.write_bytes(data)

    def environment(self, point=None):
        """What makes a process log its calls, and fail."""
        environment = {"LD_PRELOAD": Shim.path(), "FAILING_LOG": str(self.log),
                       "FAILING_FOLDERS": f"{self.home.folder}:{self.aside}"}
        if point:
            number = getattr(errno, point.how, None)
            environment["FAILING"] = f"{point.call} {number or point.how} {point.first} {point.count}"
        return environment

    def run(self, words, point=None, within=60):
        return subprocess.run(
            [binary(), "--json", *map(str, words)], env=self.home.environment | self.environment(point),
            text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=within)

    def calls(self):
        """The calls so far: (name, what became of it, files)."""
        if not self.log.exists():
            return []
        lines = (line.split("\t") for line in self.log.read_text(errors="replace").splitlines())
        return [(call, what, files) for call, what, *files in lines]

    def uses_log(self):
        """Whether the header of the library says that it has a write-ahead log."""
        return self.file.read_bytes()[18:20] == b"\2\2"

    def remove(self):
        shutil.rmtree(self.outer, ignore_errors=True)


class Disk:
    """Tells from the calls whether what was acknowledged is on the disk, which may fail to take it."""

    def __init__(self, bench):
        self.bench = bench
        self.position = 0
        self.waiting = set()       # files with writes that no sync covers
        self.folders = set()       # folders with names that no sync covers
        self.has_log = any(path.name == "library.sqlite-wal" for path in bench.files)
        self.has_synced = False    # whether a sync covered writes to the library since this was unset
        self.problems = []

    def follow(self, is_acknowledged):
        """Follows the calls up to this moment."""
        calls = self.bench.calls()
        for call, what, files in calls[self.position:]:
            if what in ("done", "short", "killed after"):
                self.take(call, *files)
        self.position = len(calls)
        if not is_acknowledged:
            return
        file = str(self.bench.file)
        if f"{file}-wal" in self.waiting or not self.has_log and file in self.waiting:
            self.problems.append("acknowledged before a sync")
        if self.folders:
            self.problems.append("acknowledged before a sync of the folder")

    def take(self, call, path, other=None):
        file = str(self.bench.file)
        if call in ("pwrite", "write", "sendfile"):
            # What is shared is made anew after a power cut.
            if not path.endswith("-shm"):
                self.waiting.add(path)
        elif call in ("fsync", "fdatasync"):
            self.has_synced |= path in self.waiting and path in (file, f"{file}-wal")
            self.waiting.discard(path)
            self.folders.discard(path)
        elif call == "create" and path == f"{file}-wal":
            self.has_log = True
        elif call == "rename":
            if other in self.waiting:
                self.problems.append(f"{Path(other).name} was put in place before a sync")
            self.waiting -= {other, path}
            self.folders.add(str(Path(path).parent))
        elif call == "unlink":
            if path == f"{file}-wal":
                if file in self.waiting:
                    self.problems.append("the log was removed before a sync of the file")
                self.has_log = False
            self.waiting.discard(path)


def shown(home):
    """What a library shows: colors by palette."""
    return {palette["name"]: colors(home.hued("list", palette["name"]))
            for palette in home.hued("palettes")["palettes"]}


def colors(answer):
    return [(color["name"], color["hex"]) for color in answer["colors"]]


def recovered(file):
    """What a backup shows in a home of its own."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        home = Home(folder=folder)
        home.hued("recover", file, "--yes")
        return shown(home)


class Subject:
    """A command, and the library that it begins with."""

    # Whether the same command, once more, is what removes what this one left behind.
    replaces = False

    def __init__(self, name, build, words, is_edit=True):
        self.name = name
        self.build = build
        self.words = words
        self.is_edit = is_edit

    def look(self, bench):
        return shown(bench.home)

    def lost(self, bench, state, before):
        """What was there before, and is nowhere any more; None for nothing."""
        return None

    def needs_log(self, bench, is_acknowledged):
        """Whether the library has to have a write-ahead log right afterwards."""
        return bool(bench.files) or is_acknowledged


class Backup(Subject):
    """A backup is whole, too, the old one or the new one."""

    replaces = True

    def look(self, bench):
        return shown(bench.home) | {"the backup": recovered(bench.aside / "copy")}


class Recovery(Subject):
    """The library is the old one or the backup, which gets its log when it is first opened."""

    replaces = True

    def needs_log(self, bench, is_acknowledged):
        return False

    def lost(self, bench, state, before):
        if state == before:
            return None
        kept = [path for path in bench.paths() if re.search(r"before-recover-\d+$", path.name)]
        return None if any(self.is_kept(path, before) for path in kept) else "the library that was there"

    def is_kept(self, path, before):
        try:
            return recovered(path) == before
        except CommandFailed:
            return False


class Trial:
    """A command that meets a failure, and what is there after it."""

    def __init__(self, bench, subject, before, point=None):
        self.bench = bench
        self.subject = subject
        self.before = before
        self.point = point
        self.problems = []
        self.told = None
        self.answer = None
        self.is_acknowledged = False
        self.state = None
        self.names = set()

    def blame(self, condition, problem):
        if condition:
            self.problems.append(problem)

    @property
    def is_acknowledged_by_its_end(self):
        return self.is_acknowledged and self.subject.is_edit

    @property
    def is_kill(self):
        return self.point is not None and self.point.how in ("before", "after")

    def run(self):
        self.bench.reset()
        self.disk = Disk(self.bench)
        try:
            self.act()
            self.disk.follow(self.is_acknowledged_by_its_end)
            # What comes next does not answer for a backup.
            self.disk.folders.discard(str(self.bench.aside))
            if self.bench.file.exists() and self.subject.needs_log(self.bench, self.is_acknowledged):
                self.blame(not self.bench.uses_log(), "the header tells of no write-ahead log")
            self.go_on()
        except subprocess.TimeoutExpired as error:
            self.problems.append(f"hangs: {' '.join(error.cmd[1:])}")
        except Exception as error:
            self.problems.append(f"afterwards: {type(error).__name__}: {error}")
        return self

    def act(self):
        done = self.bench.run(self.subject.words(self.bench), self.point)
        self.calls = self.bench.calls()
        self.judge(done.returncode, done.stderr)
        self.is_acknowledged = done.returncode == 0 or self.is_kill and done.stdout.endswith("\n")
        if self.is_acknowledged:
            self.answer = json.loads(done.stdout)

    def judge(self, code, message):
        """A command is done, or tells why not."""
        if self.is_kill and code == -9:
            return
        self.blame(code < 0 or code > 128, f"crashed: {code} {message[-300:]}")
        if code <= 0 or code > 128:
            return
        try:
            self.told = json.loads(message)["error"]
        except (ValueError, KeyError):
            self.problems.append(f"exit {code}, told as {message!r}")
            return
        self.blame(not self.told["code"] or not self.told["message"], "an error that says nothing")
        self.blame(self.told["code"] == "corrupt" and not self.told["hint"], "damage without a hint")
        self.blame(code != 7, f"exit {code}: {self.told['code']}: {self.told['message']}")

    def go_on(self):
        """The library is well, and takes another edit."""
        bench = self.bench
        done = bench.home.run("--json", "doctor", "--full")
        try:
            bad = [f"{check['name']}: {check['detail']}" for check in json.loads(done.stdout)["checks"]
                   if not check["ok"] and check["name"] != "space"]
        except ValueError:
            bad = [f"exit {done.returncode} {done.stderr}"]
        self.blame(bad, f"doctor: {bad}")
        done = bench.run(["new", "Next"])
        self.blame(done.returncode != 0, f"the next command: exit {done.returncode} {done.stderr}")
        self.disk.follow(done.returncode == 0)
        self.problems += sorted(set(self.disk.problems))
        self.state = self.subject.look(bench)
        self.blame(self.state.pop("Next", None) != [], "what the next command made is lost")
        lost = self.subject.lost(bench, self.state, self.before)
        self.blame(lost, f"nowhere any more: {lost}")
        self.blame(not bench.uses_log(), "the header tells of no write-ahead log after the next command")
        if self.subject.replaces:
            done = bench.run(self.subject.words(bench))
            self.blame(done.returncode != 0, f"once more: exit {done.returncode} {done.stderr}")
        # Times and processes differ from run to run.
        self.names = {re.sub(r"\d{3,}", "N", path.name) for path in bench.paths()}

    def compare(self, after):
        """What was acknowledged is there, anything else is there whole or not at all."""
        if self.state is None:
            return
        if self.is_acknowledged:
            self.blame(self.state != after.state, f"acknowledged, and now it shows {brief(self.state)}")
        else:
            self.blame(self.state not in (self.before, after.state), f"now it shows {brief(self.state)}")
        if self.answer and not self.subject.is_edit:
            self.blame(colors(self.answer) != colors(after.answer), f"it answered {brief(self.answer)}")
        self.compare_names(after)

    def compare_names(self, after):
        left = self.names - after.names
        # An old library that cannot be read keeps its log beside it.
        left = {name for name in left if not re.fullmatch(r".*before-recover-N(-wal)?", name)}
        # What could not be removed is still there.
        if self.point and self.point.call != "unlink":
            self.blame(left, f"left behind: {sorted(left)}")


class Start(Trial):
    """A node that starts, takes some edits, and is killed."""

    # Each edit is acknowledged by its answer.
    is_acknowledged_by_its_end = False

    def edits(self):
        """What is asked of the node, after a new palette: (method, parameters, colors that it adds)."""
        return [self.add(number) for number in range(3)]

    def add(self, number):
        name = f"color {number}"
        return "add", {"palette": "Served", "value": "#123456", "name": name}, {name}

    def act(self):
        self.done = []
        self.is_made = False
        self.calls = []
        try:
            node = Node(self.bench.home, environment=self.bench.environment(self.point))
        except NotStarted as error:
            code = error.node.process.returncode
            lines = error.node.lines
            error.node.close()
            if not self.is_kill or code != -9:
                self.blame(code != 7, f"exit {code} instead of a start: {lines[-2:]}")
                self.blame(not lines, "no word about why it did not start")
            return
        try:
            self.edit(node)
            self.calls = self.bench.calls()
            code = node.process.poll()
            self.blame(code is not None and not self.is_kill, f"ended by itself: {code} {node.lines[-2:]}")
        finally:
            node.close()
        self.is_acknowledged = self.is_made

    def edit(self, node):
        rpc = None
        try:
            rpc = RPC(unix=str(self.bench.home.folder / "node.sock"))
            self.is_made = self.ask(rpc, "new", name="Served")
            for method, parameters, names in self.edits():
                if self.ask(rpc, method, **parameters):
                    self.done.append(names)
        except (OSError, ConnectionLost, HandshakeFailed) as error:
            self.blame(not self.is_kill, f"the node does not answer: {error!r} {node.lines[-2:]}")
        finally:
            if rpc:
                rpc.close()

    def ask(self, rpc, method, **parameters):
        """Whether an edit is acknowledged; if not, the answer has to say why."""
        self.disk.follow(False)
        self.disk.has_synced = False
        try:
            answer = rpc.call(method, **parameters)
            codes = [file["error"]["code"] for file in answer.get("files", []) if file.get("error")]
        except RPCError as error:
            codes = [error.code]
        for code in codes:
            # A palette that could not be made is not there.
            is_due = code in STORAGE or code == "not-found" and not self.is_made
            self.blame(not is_due, f"the node answers {method} with {code}")
        # After its answer the node may write what nobody waits for.
        self.disk.follow(False)
        self.blame(not codes and not self.disk.has_synced, "acknowledged before a sync")
        return not codes

    def compare(self, after):
        if self.state is None:
            return
        self.blame(self.is_made and "Served" not in self.state, "an acknowledged palette is lost")
        old = {palette: self.state.get(palette) for palette in self.before}
        self.blame(old != self.before, f"now it shows {brief(old)}")
        names = [name for palette in self.state.keys() - self.before.keys() for name, _ in self.state[palette]]
        for _, _, added in self.edits():
            there = added & set(names)
            self.blame(added in self.done and there != added, f"acknowledged, then lost: {brief(added - there)}")
            self.blame(there not in (set(), added), f"there in parts: {brief(there)}")
        self.blame(len(set(names)) < len(names), f"there twice: {brief(names)}")
        self.compare_names(after)


class Work(Start):
    """A node with so much to do that its log becomes long, and is moved into the file."""

    def edits(self):
        batches = []
        for batch in range(9):
            names = {f"batch {batch} {n} {'x' * 150}" for n in range(1000)}
            lines = "".join(f"#123456\t{name}\n" for name in sorted(names))
            file = {"file": f"{batch}.txt", "bytes": base64.b64encode(lines.encode()).decode()}
            batches.append(("import", {"palette": f"Batch {batch}", "files": [file], "format": "txt"}, names))
        return [self.add(0), *batches, self.add(1), self.add(2)]


def brief(value):
    text = str(value)
    return text if len(text) < 200 else f"{text[:200]}..."


def nothing(bench):
    """No library, and no folder."""


def library(bench):
    bench.home.hued("new", "Brand")
    bench.home.hued("add", "Brand", "#111111", "one")


def undoable(bench):
    library(bench)
    bench.home.hued("add", "Brand", "#222222", "two")


def killed(bench):
    """A library whose node was killed: the newest edits are in the write-ahead log alone."""
    library(bench)
    node = Node(bench.home)
    for number in range(5):
        bench.home.hued("add", "Brand", "#222222", f"recent {number}")
    node.close()


def importable(bench):
    library(bench)
    (bench.outer / "many.txt").write_text("".join(f"#{n:06x}\tcolor {n}\n" for n in range(400)))


def compactable(bench):
    """A library that is mostly past, so that compacting it gives back pages."""
    library(bench)
    for count in (1500, 3):
        lines = "".join(f"#{n:06x}\tcolor {n} {'x' * 60}\n" for n in range(count))
        (bench.outer / "many.txt").write_text(lines)
        bench.home.hued("import", bench.outer / "many.txt", "--palette", "Brand")


def backed_up(bench):
    """A library that went on after its backup."""
    library(bench)
    bench.home.hued("backup", bench.aside / "copy", "--yes")
    bench.home.hued("add", "Brand", "#222222", "two")


def backed_up_and_killed(bench):
    backed_up(bench)
    node = Node(bench.home)
    bench.home.hued("add", "Brand", "#333333", "three")
    node.close()


def words(*texts):
    return lambda bench: texts


SUBJECTS = {subject.name: subject for subject in [
    Subject("new", nothing, words("new", "Brand")),
    Subject("add", library, words("add", "Brand", "#123456", "two")),
    Subject("add after a kill", killed, words("add", "Brand", "#123456", "two")),
    Subject("import", importable, lambda bench: ["import", bench.outer / "many.txt", "--palette", "Many"]),
    Subject("undo", undoable, words("undo", "Brand")),
    Subject("compact", compactable, words("compact", "--before", "0 seconds ago", "--yes")),
    Subject("list", library, words("list", "Brand"), is_edit=False),
    Subject("list after a kill", killed, words("list", "Brand"), is_edit=False),
    Backup("backup", backed_up, lambda bench: ["backup", bench.aside / "copy", "--yes"]),
    Recovery("recover", backed_up, lambda bench: ["recover", bench.aside / "copy", "--yes"]),
    Recovery("recover after a kill", backed_up_and_killed,
             lambda bench: ["recover", bench.aside / "copy", "--yes"]),
    Subject("serve", nothing, None),
    Subject("serve a library", library, None),
    Subject("serve after a kill", killed, None),
    Subject("serve much", library, None),
]}


@unittest.skipUnless(COMPILER, "there is no compiler for C")
class Course(Case):
    """A command that is run once for each failure of each of its calls."""

    trial = Trial

    def course(self, name, failures=FAILURES, most=None, kills=0, at=CHANGES, least=10):
        """Runs it with these failures, or so many of them at most, and kills it at some calls, too."""
        subject = SUBJECTS[name]
        local = threading.local()
        benches = []

        def bench():
            if not hasattr(local, "bench"):
                local.bench = Bench(subject.build)
                benches.append(local.bench)
            return local.bench

        def attempt(point):
            trial = self.trial(bench(), subject, before, point).run()
            trial.compare(after)
            return trial

        try:
            before = subject.look(bench())
            after = self.trial(bench(), subject, before).run()
            after.compare(after)
            self.assertEqual(after.problems, [], f"{name} without a failure")
            points, changes = self.points(after.calls, failures, at)
            self.assertGreaterEqual(len(points) + min(kills, len(changes)), least, f"{name} makes few calls")
            points = self.random.sample(points, min(most or len(points), len(points)))
            points += self.random.sample(changes, min(kills, len(changes)))
            with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
                trials = list(pool.map(attempt, points))
        finally:
            for each in benches:
                each.remove()
        self.report(name, trials)

    def points(self, calls, failures, at):
        """The calls that can fail, and those at which it can be killed."""
        points = []
        numbers = collections.Counter()
        changes = []
        for number, (call, _, files) in enumerate(calls, 1):
            numbers[call] += 1
            file = Path(files[0]).name
            points += [Point(call, how, numbers[call], count, file) for how, count in failures.get(call, ())]
            if call in TOGETHER.split(","):
                numbers[TOGETHER] += 1
                points += [Point(TOGETHER, how, numbers[TOGETHER], count, file)
                           for how, count in failures.get(TOGETHER, ())]
            if call in at:
                changes.append(Point("*", "before", number, 1, file))
        if calls:
            changes.append(Point("*", "after", len(calls), 1, Path(calls[-1][2][0]).name))
        return points, changes

    def report(self, name, trials):
        """Tells what was wrong, once for each kind."""
        found = collections.defaultdict(list)
        for trial in trials:
            point = trial.point
            for problem in trial.problems:
                text = re.sub(r"/dev/shm/\S*/|/tmp/\S*/", "", problem)
                found[point.call, point.how, point.count, text].append(f"{point.first} ({point.file})")
        told = collections.Counter(
            f"{trial.told['code']}{'' if trial.told['hint'] else ' without a hint'}" for trial in trials if trial.told)
        print(f"  {name}: {len(trials)} failures, {sum(t.is_acknowledged for t in trials)} done all the same; "
              f"told {dict(told)}")
        wrong = [f"{name}: {'all' if call == TOGETHER else call} {how} {'from' if count == 0 else f'{count} times from'} "
                 f"{', '.join(sorted(set(firsts), key=lambda text: int(text.split()[0])))}: {text}"
                 for (call, how, count, text), firsts in found.items()]
        if wrong:
            self.fail("\n" + "\n".join(wrong))


class CreationTests(Course):
    """A library is made whole, or not at all."""

    def test_new(self):
        self.course("new", sized(SHORT_FAILURES, FAILURES), most=sized(12, None), kills=sized(2, 1000), least=200)


class EditTests(Course):
    """A library that is there stays as it is, or has all of the edit."""

    def test_add(self):
        self.course("add", sized(SHORT_FAILURES, FAILURES), most=sized(10, None), kills=sized(2, 1000), least=100)

    def test_add_after_a_kill(self):
        self.course("add after a kill", most=sized(FEW, None), kills=sized(2, 1000))

    def test_import(self):
        self.course("import", most=sized(FEW, None), kills=sized(2, 1000))

    def test_undo(self):
        self.course("undo", most=sized(FEW, None), kills=sized(2, 1000))

    def test_compact(self):
        self.course("compact", most=sized(FEW, None), kills=sized(2, 1000))


class ReadingTests(Course):
    """What is read is all there is, or an error."""

    def test_list(self):
        self.course("list", most=sized(FEW, None), kills=sized(2, 1000))

    def test_list_after_a_kill(self):
        self.course("list after a kill", most=sized(FEW, None), kills=sized(2, 1000))


class BackupTests(Course):
    """The old or the new, and nothing between them."""

    def test_backup(self):
        self.course("backup", most=sized(FEW, None), kills=sized(2, 1000))

    def test_recover(self):
        self.course("recover", most=sized(FEW, None), kills=sized(2, 1000))

    def test_recover_after_a_kill(self):
        self.course("recover after a kill", sized(NAMING, FAILURES), most=sized(8, None), kills=sized(4, 1000),
                    at=sized({"rename", "link", "unlink"}, CHANGES))


class NodeTests(Course):
    """A node does not start, or every edit that it acknowledges outlives it."""

    trial = Start

    def test_a_new_library(self):
        self.course("serve", sized(SHORT_FAILURES, FAILURES), most=sized(10, None), kills=sized(2, 1000))

    def test_a_library(self):
        self.course("serve a library", most=sized(FEW, None), kills=sized(2, 1000))

    def test_a_library_after_a_kill(self):
        self.course("serve after a kill", most=sized(FEW, None), kills=sized(2, 1000))


class BusyNodeTests(Course):
    """The same while the log is made longer, and shorter."""

    trial = Work

    def test_much(self):
        self.course("serve much", most=sized(5, 600), kills=sized(1, 200), least=5)
