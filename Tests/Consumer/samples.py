"""Runs the sample apps of the guide as people do: on terminals of their own, with what they show read back."""

import os
import pty
import re
import select
import subprocess
import termios
import time
from pathlib import Path

CLEAR = "\x1b[2J"
PATIENCE_SECONDS = 60


class App:
    """A program on a terminal."""

    def __init__(self, *command):
        self.terminal, end = pty.openpty()
        # What is typed shall not be taken for what is shown.
        modes = termios.tcgetattr(end)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(end, termios.TCSANOW, modes)
        self.process = subprocess.Popen(command, stdin=end, stdout=end, stderr=end, start_new_session=True)
        os.close(end)
        self.shown = ""

    def type(self, line):
        os.write(self.terminal, f"{line}\n".encode())

    def read(self):
        """Reads what the program shows within a moment; on Linux a terminal that nobody writes to any more fails."""
        if select.select([self.terminal], [], [], 0.05)[0]:
            try:
                self.shown += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                time.sleep(0.05)

    @property
    def screen(self):
        """What is on the screen: what came after it was cleared last."""
        return self.shown.split(CLEAR)[-1]

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < end, f"{what} is missing:\n{self.shown[-2000:]!r}"
            self.read()

    def wait_for(self, *words):
        self.wait(lambda: all(word in self.screen for word in words), " and ".join(words))

    def end(self):
        """Ends the input, and with it the program."""
        os.write(self.terminal, b"\x04")
        end = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < end, "a sample does not end with its input"
            self.read()
        assert self.process.returncode == 0, self.shown[-2000:]
        os.close(self.terminal)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def start_board(apps, program, folder, *code):
    board = App(program, folder, *code)
    apps.append(board)
    return board


def code_of(board):
    board.wait(lambda: re.search(r"\x1b\[H(hued1\S+)", board.shown), "a join code")
    return re.search(r"\x1b\[H(hued1\S+)", board.shown)[1]


def try_kanban(apps, program, folder):
    """Two boards, each a node, show the cards of both."""
    ann = start_board(apps, program, folder / "ann")
    ann.type("add Ideas #102030 Paper")
    ann.wait_for("IDEAS", "48;2;16;32;48m  \x1b[0m Paper")
    bob = start_board(apps, program, folder / "bob", code_of(ann))
    bob.wait_for("Paper")
    bob.type("add Ideas tomato Ripe")
    for board in [ann, bob]:
        board.wait_for("Paper", "48;2;255;99;71m  \x1b[0m Ripe")
        assert "DONE" not in board.screen
    bob.type("move Paper Done")
    for board in [ann, bob]:
        board.wait(lambda: "DONE" in board.screen and board.screen.count("Paper") == 1, "the card that moved")
    ann.end()
    bob.end()


def try_theme(apps, board, program, folder):
    """The stylesheet has what somebody else edits, of the theme that was chosen."""
    file = folder / "theme.css"
    ann = start_board(apps, board, folder / "cat")
    ann.type("add Day tomato Ripe")
    ann.wait_for("Ripe")
    theme = App(program, folder / "dan", file, code_of(ann))
    apps.append(theme)
    theme.wait_for("Day (1)")
    theme.type("Day")
    theme.wait(lambda: file.exists() and "#ff6347" in file.read_text(), "the first stylesheet")
    ann.type("add Day #123456 Ink")
    theme.wait(lambda: "#123456" in file.read_text(), "what was edited elsewhere")
    assert "#ff6347" in file.read_text()
    ann.type("add Night #010203 Void")
    theme.wait_for("Night (1)")
    theme.type("Night")
    theme.wait(lambda: "#010203" in file.read_text(), "the other theme")
    assert "#123456" not in file.read_text()
    # The theme that was left is followed no more.
    ann.type("add Day gold Sun")
    theme.wait_for("Day (3)")
    assert "#010203" in file.read_text() and "Sun" not in file.read_text()
    theme.end()
    ann.end()


def try_samples(programs, folder):
    """Runs both samples; none of them is left behind."""
    apps = []
    try:
        try_kanban(apps, programs / "kanban", folder)
        try_theme(apps, programs / "kanban", programs / "theme", folder)
    finally:
        for app in apps:
            app.kill()


def needed(program):
    """The shared libraries that a program was linked with."""
    told = subprocess.run(["readelf", "--dynamic", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*?)\.so", told))


def check_links(programs, page):
    """The product without a network links none, and the one that syncs has no page."""
    offline, online = needed(programs / "consumer"), needed(programs / "kanban")
    network = {"libwebsockets", "libssl", "libcrypto"}
    assert "libsqlite3" in offline and not network & offline, offline
    assert "libwebsockets" in online, online
    sample = Path(page).read_bytes()[:400]
    assert sample not in (programs / "kanban").read_bytes(), "the page is in a program that only syncs"
