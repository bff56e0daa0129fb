"""What people see: the real binary on a pseudo-terminal."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import socket
import struct
import termios
import threading
import time
import unittest

from cases import Case
from processes import binary, join, wait_for

# Work that takes a while, whatever the binary was built for.
MANY = 60_000 if "debug" in binary() else 240_000

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, home, *arguments, rows=24, columns=80, output=None, **variables):
        self.output = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if output is not None:
                os.dup2(output, 1)
            # The size is there before the program looks at it.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(binary(), ["hued", *map(str, arguments)],
                      home.environment | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "PAGER": "cat"}
                      | variables)
        self.before = termios.tcgetattr(self.fd)
        self.code = None

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def write(self, text):
        os.write(self.fd, text.encode())

    def kill(self, number):
        os.kill(self.pid, number)

    def read(self, within=0.05):
        if select.select([self.fd], [], [], within)[0]:
            try:
                data = os.read(self.fd, 1 << 16)
            except OSError:
                data = b""
            self.output += data
            return bool(data)
        return None

    @property
    def text(self):
        return self.output.decode(errors="replace")

    def until(self, part, within=60):
        """Reads until some text has come."""
        def has_come():
            self.read()
            return part in self.text
        wait_for(has_come, within, lambda: f"{part!r} in {self.text[-2000:]!r}")

    def shows(self, part, within=120):
        """Whether some text comes before the command ends."""
        deadline = time.monotonic() + within
        while part not in self.text:
            if self.read() is False:
                return part in self.text
            if time.monotonic() > deadline:
                raise AssertionError(f"neither {part!r} nor an end: {self.text[-2000:]!r}")
        return True

    def end(self, within=20):
        """Reads to the end; the exit code, negative for a signal."""
        deadline = time.monotonic() + within
        while self.read(0.2) is not False:
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"it does not end: {self.text[-2000:]!r}")
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def mode(self):
        """Whether the terminal echoes, and hands over whole lines."""
        flags = termios.tcgetattr(self.fd)[3]
        return bool(flags & termios.ECHO), bool(flags & termios.ICANON)

    def close(self):
        if self.code is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        os.close(self.fd)


class TerminalCase(Case):
    def terminal(self, home, *arguments, **how):
        terminal = Terminal(home, *arguments, **how)
        self.addCleanup(terminal.close)
        return terminal

    def colors(self, count):
        return "".join(f"#{self.random.randrange(1 << 24):06x}\tColor {n}\n" for n in range(count))

    def file(self, home, count):
        path = home.folder.with_name(home.folder.name + "-colors.txt")
        path.write_text(self.colors(count))
        self.addCleanup(path.unlink)
        return path


class SlowSocket:
    """Stands at a node's socket, and keeps back what one caller says after its first request."""

    def __init__(self, home):
        self.path = home.folder / "node.sock"
        self.own = self.path.with_name("node.sock.own")
        self.goes_on = threading.Event()
        self.holds_back = threading.Event()
        self.path.rename(self.own)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        caller, node = self.listener.accept()[0], socket.socket(socket.AF_UNIX)
        node.connect(str(self.own))
        # Whoever comes later speaks with the node.
        self.path.unlink()
        self.own.rename(self.path)
        threading.Thread(target=self.pump, args=(node, caller), daemon=True).start()
        self.pump(caller, node, count=2)
        data = caller.recv(1 << 16)
        self.holds_back.set()
        self.goes_on.wait()
        node.sendall(data)
        self.pump(caller, node)

    @staticmethod
    def pump(source, target, count=-1):
        while count and (data := source.recv(1 << 16)):
            target.sendall(data)
            count -= 1

    def close(self):
        self.goes_on.set()
        self.listener.close()


class WatchTests(TerminalCase):
    """`watch` has the screen, and gives it back however it ends."""

    ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"

    def watched(self, **how):
        home = self.home()
        home.hued("new", "Brand")
        home.hued("add", "Brand", "tomato", "Ripe")
        home.hued("config", "set", "name", "Ann")
        terminal = self.terminal(home, "watch", "Brand", **how)
        terminal.until("Ripe")
        return home, terminal

    def is_given_back(self, terminal):
        self.assertEqual(terminal.text.count(self.ENTER), terminal.text.count(self.LEAVE))
        self.assertGreater(terminal.text.rindex("\x1b[?25h"), terminal.text.rindex("\x1b[?25l"))
        self.assertEqual(terminal.shown_mode, (True, True))
        # What is left behind stands on the normal screen.
        rest = ESCAPES.sub("", terminal.text.split(self.LEAVE)[-1])
        self.assertIn("Brand", rest)
        self.assertIn("Ripe", rest)

    def ends(self, terminal, code):
        self.assertEqual(terminal.mode(), (False, False))
        yield
        wait_for(lambda: terminal.read() is False or self.LEAVE in terminal.text, 10, "the end")
        wait_for(lambda: terminal.mode() == (True, True), 10, "the terminal's mode")
        terminal.shown_mode = terminal.mode()
        self.assertEqual(terminal.end(), code)
        self.is_given_back(terminal)

    def test_ends_by_a_key(self):
        _, terminal = self.watched()
        for _ in self.ends(terminal, 0):
            terminal.write("q")

    def test_ends_by_the_keyboards_interrupt(self):
        _, terminal = self.watched()
        for _ in self.ends(terminal, 130):
            terminal.write("\x03")

    def test_ends_by_a_signal(self):
        _, terminal = self.watched()
        for _ in self.ends(terminal, -signal.SIGTERM):
            terminal.kill(signal.SIGTERM)

    def test_ends_by_its_time(self):
        _, terminal = self.watched()
        terminal.kill(signal.SIGTERM)
        terminal.end()
        home = self.homes[0]
        terminal = self.terminal(home, "watch", "Brand", "--timeout", "1")
        terminal.until("timed out")
        self.assertEqual(terminal.end(), 124)
        self.assertEqual(terminal.text.count(self.ENTER), terminal.text.count(self.LEAVE))

    def test_ends_with_its_node(self):
        home, node, _ = self.hub()
        home.hued("add", "Brand", "tomato", "Ripe")
        terminal = self.terminal(home, "watch", "Brand")
        terminal.until("Ripe")
        for _ in self.ends(terminal, 1):
            node.process.terminate()
        self.assertIn("the node ended", terminal.text)

    def test_points_at_what_changed_and_whose_it_is(self):
        home, terminal = self.watched()
        home.hued("set", "Brand", "Ripe", "navy")
        terminal.until("recolored by Ann")
        terminal.until("#000080")
        self.assertIn("Ann recolored Ripe", terminal.text)

    def test_follows_the_size_of_the_window(self):
        home = self.home()
        home.hued("import", self.file(home, 5_000), "--palette", "Brand", within=120)
        terminal = self.terminal(home, "watch", "Brand", rows=10, columns=50)
        terminal.until("Color 5")
        self.assertNotIn("Color 8", terminal.text)
        terminal.resize(24, 80)
        terminal.until("Color 19")
        terminal.write("G")
        terminal.until("Color 4999")
        terminal.write("g")
        home.hued("set", "Brand", "Color 2500", "white")
        terminal.until("▶")
        terminal.until("Color 2500")
        terminal.write("q")
        self.assertEqual(terminal.end(), 0)

    def test_shows_who_is_here_and_how_peers_are(self):
        hub, node, _ = self.hub()
        laptop = self.joined(hub)
        self.node(laptop)
        first = self.terminal(laptop, "watch", "Brand", USER="bob")
        first.until("Peers: ")
        first.until(" live")
        second = self.terminal(laptop, "watch", "Brand", USER="eve")
        second.until("Here: ")
        node.close()
        first.until("offline", 40)

    def test_misses_nothing_of_the_peers_while_it_begins(self):
        hub, node, _ = self.hub()
        laptop = self.joined(hub)
        self.node(laptop)
        node.close()
        wait_for(lambda: laptop.peer()["state"] != "live", 40, "not live")
        slow = SlowSocket(laptop)
        self.addCleanup(slow.close)
        terminal = self.terminal(laptop, "watch", "Brand", USER="bob")
        # It has asked for one thing, and is about to ask for the next.
        self.assertTrue(slow.holds_back.wait(20))
        self.node(hub, port=node.port)
        wait_for(lambda: laptop.peer()["state"] == "live", 40, "live")
        slow.goes_on.set()
        terminal.until(" live", 10)

    def test_is_lines_in_a_pipe(self):
        home = self.home()
        home.hued("new", "Brand")
        home.hued("add", "Brand", "tomato", "Ripe")
        process = home.start("watch", "Brand")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(process.stdout.readline().startswith("0\t#ff6347\tRipe\t"))
        home.hued("set", "Brand", "Ripe", "navy")
        self.assertTrue(process.stdout.readline().startswith("update\t0\t\t#000080\tRipe\t"))


class EditTests(TerminalCase):
    """`edit` changes the palette by keys, and gives the terminal back however it ends."""

    MODES = ("?1049", "?1000", "?1006", "?2004")

    def edited(self, **how):
        home = self.home()
        home.hued("new", "Brand")
        home.hued("add", "Brand", "tomato", "Ripe")
        home.hued("config", "set", "name", "Ann")
        terminal = self.terminal(home, "edit", "Brand", **how)
        terminal.until("Ripe")
        return home, terminal

    def ends(self, terminal, code):
        wait_for(lambda: terminal.read() is False or "\x1b[?1049l" in terminal.text, 20, "the end")
        wait_for(lambda: terminal.mode() == (True, True), 10, "the terminal's mode")
        self.assertEqual(terminal.end(), code)
        for mode in self.MODES:
            self.assertEqual(terminal.text.count(f"\x1b[{mode}h"), terminal.text.count(f"\x1b[{mode}l"), mode)

    def test_sliders_are_one_edit_that_undo_takes_back(self):
        home, terminal = self.edited(rows=12, columns=40)
        terminal.write("\r\t\t")
        terminal.until("RGB")
        terminal.write("9\r")
        terminal.write("\r")
        # Only cells that differ are sent, so a word may come in parts.
        terminal.until("#096347")
        wait_for(lambda: home.hued("list", "Brand")["colors"][0]["hex"] == "#096347", 20, "the edit")
        terminal.write("u")
        wait_for(lambda: home.hued("list", "Brand")["colors"][0]["hex"] == "#ff6347", 20, "the undo")
        terminal.write("q")
        self.ends(terminal, 0)

    def test_leaving_loses_no_edit(self):
        home, terminal = self.edited()
        terminal.write("n!\rq")
        self.ends(terminal, 0)
        self.assertIn("Ripe!", str(home.hued("list", "Brand")))

    def test_shows_what_others_do(self):
        home, terminal = self.edited()
        home.hued("set", "Brand", "Ripe", "navy")
        terminal.until("#000080")
        terminal.until("changed by Ann")
        terminal.write("q")
        self.ends(terminal, 0)

    def test_ends_by_signals(self):
        for signal_, code in ((signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP),
                              (signal.SIGINT, 130)):
            with self.subTest(signal_):
                _, terminal = self.edited()
                terminal.kill(signal_)
                self.ends(terminal, code)

    def test_is_plain_without_color(self):
        _, terminal = self.edited(NO_COLOR="1")
        terminal.until("? keys")
        self.assertNotRegex(terminal.text, r"\x1b\[[0-9;]*[34]8;")
        terminal.write("q")
        self.ends(terminal, 0)

    def test_needs_a_terminal(self):
        home = self.home()
        home.hued("new", "Brand")
        self.assertEqual(home.run("edit", "Brand").returncode, 2)


class ProgressTests(TerminalCase):
    """Long work shows how far it is, on a terminal only, and ends soundly."""

    def interrupted(self, home, part):
        """An import that was interrupted when some text was shown, of as many colors as that takes here."""
        for count in (10_000, 40_000, 160_000, 240_000):
            terminal = self.terminal(home(), "import", self.file(self.last, count), "--palette", "Big")
            if terminal.shows(part.format(count)):
                try:
                    terminal.write("\x03")
                except OSError:
                    pass  # it has ended in between
            code = terminal.end(120)
            if code == 130:
                return terminal, count
            self.assertEqual(code, 0, terminal.text[-2000:])
        self.fail(f"it ends before anybody can interrupt it: {terminal.text[-500:]!r}")

    def test_an_import_that_is_interrupted_leaves_nothing(self):
        def start():
            self.last = self.home()
            self.last.hued("new", "Before")
            return self.last

        terminal, _ = self.interrupted(start, " of {:,} colors")
        home = self.last
        self.assertIn("interrupted: nothing was imported", terminal.text)
        # The line is gone before anything else is said.
        self.assertRegex(terminal.text, r"\x1b\[K\r?\n?hued: interrupted")
        self.assertEqual([p["name"] for p in home.hued("palettes")["palettes"]], ["Before"])
        self.assertTrue(home.hued("doctor")["ok"])

    def test_a_backup_that_is_interrupted_leaves_nothing(self):
        home = self.home()
        home.hued("import", self.file(home, 40_000), "--palette", "Big", within=240)
        target = home.folder / "copy.sqlite"
        for attempt in range(40):
            terminal = self.terminal(home, "backup", target)
            time.sleep(0.002 * attempt)
            terminal.kill(signal.SIGINT)
            code = terminal.end()
            names = {path.name for path in home.folder.iterdir() if "partial" in path.name}
            self.assertEqual(names, set())
            self.assertIn(code, (0, 130, -signal.SIGINT))
            self.assertEqual(target.exists(), code == 0)
            target.unlink(missing_ok=True)

    def test_a_compaction_that_is_interrupted_says_how_far_it_is(self):
        whole = self.home()
        folder = whole.folder.with_name(whole.folder.name + "-many")
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        for number in range(3_000):
            (folder / f"p{number}.txt").write_text(self.colors(3))
        whole.hued("import", folder, within=240)
        digest = whole.digest()
        partly = re.compile(r"[\d,]+ of 3,?000 palettes are compacted")
        for attempt in range(30):
            home = self.home()
            shutil.copytree(whole.folder, home.folder, dirs_exist_ok=True)
            terminal = self.terminal(home, "compact", "--yes", "--before", "0 seconds ago")
            # From before it begins to long after it has ended, wherever that is on this machine.
            time.sleep(0.02 * 1.25 ** attempt)
            terminal.kill(signal.SIGINT)
            self.assertIn(terminal.end(60), (0, 130, -signal.SIGINT))
            self.assertEqual(home.digest(), digest)
            if partly.search(terminal.text):
                break
        self.assertRegex(terminal.text, partly)
        self.assertTrue(home.hued("doctor")["ok"])

    def test_a_command_beside_a_node_leaves_what_is_begun_to_it(self):
        def start():
            self.last, _, _ = self.hub()
            return self.last

        # The node tells how far it is.
        terminal, count = self.interrupted(start, " of {:,} colors")
        home = self.last
        self.assertIn("the node finishes what it has begun, and drops the rest", terminal.text)
        # Others' edits go in between, and what is begun becomes whole: nobody is left with a part of it.
        home.hued("new", "Behind", within=120)

        def big():
            return [p["count"] for p in home.hued("palettes", within=120)["palettes"] if p["name"] == "Big"]
        wait_for(lambda: big() in ([], [count]), 240, lambda: f"all of {count} colors, or none: {big()}")
        self.assertTrue(home.hued("doctor", "--full", within=120)["ok"])

    def test_says_nothing_elsewhere(self):
        home = self.home()
        path = self.file(home, 15_000)
        done = home.run("import", path, "--palette", "Big", within=240)
        self.assertEqual(done.stderr, "")
        for flag in ("--json", "--quiet"):
            terminal = self.terminal(home, "import", path, "--palette", f"Big{flag}", flag)
            self.assertEqual(terminal.end(240), 0)
            self.assertNotIn("\x1b[K", terminal.text)

    def test_a_join_that_is_interrupted_goes_on_by_sync(self):
        hub, _, _ = self.hub("Brand")
        hub.hued("import", self.file(hub, MANY // 3), "--palette", "Big", within=240)
        for attempt in range(30):
            laptop = self.home()
            terminal = self.terminal(laptop, "join", hub.hued("share")["code"])
            terminal.until("joining ")
            # Sooner it has not joined, later it has all.
            time.sleep(0.02 * 1.25 ** attempt)
            terminal.kill(signal.SIGINT)
            code = terminal.end(120)
            self.assertIn(code, (0, 130))
            if "is joined, and" in terminal.text:
                break
            self.assertTrue(code == 0 or "so it is not joined" in terminal.text
                            or not laptop.hued("peers")["peers"], terminal.text)
        self.assertIn("is joined, and", terminal.text)
        laptop.run("sync", within=240)
        wait_for(lambda: laptop.run("sync", within=240).returncode == 0 and laptop.digest() == hub.digest(),
                 240, "the same library")


class QuestionTests(TerminalCase):
    """What asks before it does something."""

    def test_does_not_ask_about_what_is_not_there(self):
        home = self.home()
        terminal = self.terminal(home, "drop", "nope")
        self.assertEqual(terminal.end(), 3)
        self.assertIn("there is no palette 'nope'", terminal.text)
        self.assertNotIn("[y/N]", terminal.text)

    def test_asks_by_the_name(self):
        home = self.home()
        identity = home.hued("new", "Brand")["id"]
        terminal = self.terminal(home, "drop", identity[:8])
        terminal.until("Drop the palette 'Brand' with all its colors? [y/N]")
        terminal.write("n\n")
        self.assertEqual(terminal.end(), 1)
        self.assertEqual(len(home.hued("palettes")["palettes"]), 1)


class ReadingTests(TerminalCase):
    """Screens of every width, and terminals that can do little."""

    def test_no_table_is_wider_than_the_window(self):
        home = self.home()
        home.hued("config", "set", "name", "Ann with a name that goes on")
        names = ["漢字パレット" * 6, "e\u0301" * 40, "👩‍👩‍👧 family " * 5, "plain"]
        for name in names:
            home.hued("new", name)
            home.hued("add", name, "oklch(70% 0.15 250)", name, "--note", name * 2)
        for columns in (50, 80, 200):
            for command in (["palettes"], ["list", "plain"], ["list", names[0]], ["history", names[1]],
                            ["status"], ["doctor"], [], ["formats"], ["tokens"], ["config"]):
                terminal = self.terminal(home, *command, columns=columns)
                self.assertEqual(terminal.end(), 0)
                for line in ESCAPES.sub("", terminal.text).splitlines():
                    self.assertLessEqual(width(line), columns, (command, columns, line))

    def test_no_color_means_no_escape(self):
        home = self.home()
        home.hued("new", "Brand")
        home.hued("add", "Brand", "tomato")
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb", "COLORTERM": ""}):
            for command in (["list", "Brand"], ["palettes"], ["status"], ["color", "red"], ["doctor"]):
                terminal = self.terminal(home, *command, **variables)
                self.assertEqual(terminal.end(), 0)
                self.assertNotIn("\x1b", terminal.text, (variables, command))

    def test_a_closed_pipe_is_no_error(self):
        home = self.home()
        home.hued("import", self.file(home, 5_000), "--palette", "Big", within=120)
        for command in (["list", "Big"], ["history", "Big"], ["export", "Big", "--format", "css"]):
            read, write = os.pipe()
            process = home.start(*command)
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.stderr.read(), "")
            self.assertEqual(process.wait(30), 0)
            os.close(read)
            os.close(write)


def width(line):
    """The columns of a line, as wcwidth counts."""
    import unicodedata
    total = 0
    joined = False
    for character in line:
        if character == "\u200d":
            joined = True
            continue
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        if joined:
            joined = False
            continue
        total += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return total


if __name__ == "__main__":
    unittest.main()
