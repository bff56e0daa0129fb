"""Homes, commands and nodes of the real binary."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def binary():
    """The binary under test: $HUED, else the newest build."""
    if os.environ.get("HUED"):
        return os.environ["HUED"]
    builds = [ROOT / ".build" / kind / "hued" for kind in ("debug", "release")]
    built = [build for build in builds if build.exists()]
    if not built:
        raise SystemExit("No hued to test: `swift build` first.")
    return str(max(built, key=lambda build: build.stat().st_mtime))


def wait_for(condition, within=10, what="it", every=0.02):
    """Waits until a condition holds, and returns what it returned.

    The longer it waits, the less often it asks, for most questions start a program: it may miss what holds for less
    than half a second. Without `every` it never rests.
    """
    began = time.monotonic()
    while True:
        result = condition()
        if result:
            return result
        passed = time.monotonic() - began
        if passed > within:
            raise AssertionError(f"{what() if callable(what) else what} did not come true within {within} s")
        time.sleep(every and max(every, min(passed / 10, 0.25)))


class CommandFailed(Exception):
    """A command that did not exit with 0."""

    def __init__(self, arguments, done):
        super().__init__(f"{' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}")
        self.exit = done.returncode
        self.error = done.stderr


class Home:
    """A library of its own in a temporary folder, and commands on it."""

    def __init__(self, folder=None, environment=(), prefix=()):
        self.folder = Path(folder or tempfile.mkdtemp(prefix="hued-outside-"))
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("HUED_", "XDG_"))
        } | {"HUED_HOME": str(self.folder), "LC_ALL": "C.UTF-8"} | dict(environment)
        self.prefix = list(prefix)

    def start(self, *arguments, **how):
        """Starts a command without waiting for it."""
        return subprocess.Popen(
            self.prefix + [binary(), *map(str, arguments)], env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)

    def run(self, *arguments, within=60, prefix=(), input=None):
        """Runs a command to its end, whatever that is."""
        return subprocess.run(
            [*prefix, *self.prefix, binary(), *map(str, arguments)], env=self.environment, text=True,
            input=input, stdin=subprocess.DEVNULL if input is None else None,
            capture_output=True, timeout=within)

    def hued(self, *arguments, **how):
        """Runs a command that must succeed, and returns its JSON."""
        done = self.run("--json", *arguments, **how)
        if done.returncode != 0:
            raise CommandFailed(list(map(str, arguments)), done)
        return json.loads(done.stdout)

    def status(self):
        return self.hued("status")

    def digest(self):
        return self.status()["digest"]

    def names(self, palette):
        return {color["name"] for color in self.hued("list", palette)["colors"]}

    def peer(self):
        """The first peer, as `status` shows it."""
        return (self.status()["peers"] or [None])[0]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class NotStarted(AssertionError):
    """A node that ended before it was ready."""

    def __init__(self, node):
        super().__init__(f"serve did not start: {node.process.returncode} {node.lines}")
        self.node = node


class Node:
    """`hued serve` on a home."""

    def __init__(self, home, *flags, listen="127.0.0.1:0", port=None, prefix=(), within=20,
                 environment=()):
        self.home = home
        listen = listen if port is None else f"127.0.0.1:{port}"
        self.lines = []
        self.process = subprocess.Popen(
            [*prefix, *home.prefix, binary(), "serve", "--listen", listen, *flags],
            env=home.environment | dict(environment), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.reader = threading.Thread(target=self._read_log, daemon=True)
        self.reader.start()
        first = self._line(within)
        self.url = first.removeprefix("hued ready ").strip()
        self.link = self._line(within).removeprefix("open ").strip()
        self.port = int(self.url.rsplit(":", 1)[1])

    def _read_log(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))

    def _line(self, within):
        timer = threading.Timer(within, self.process.kill)
        timer.start()
        line = self.process.stdout.readline()
        timer.cancel()
        if not line:
            self.process.wait()
            self.reader.join(2)
            raise NotStarted(self)
        return line

    @property
    def is_running(self):
        return self.process.poll() is None

    def logged(self, text):
        """The log lines that contain a text."""
        return [line for line in self.lines if text in line]

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def kill(self):
        """kill -9"""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self):
        """Ends it at once, if it runs, and closes what it was read by."""
        if self.is_running:
            self.kill()
        self.process.stdout.close()
        self.reader.join(5)
        self.process.stderr.close()

    def stop(self, within=20):
        """SIGTERM; returns the exit code."""
        if self.is_running:
            self.process.terminate()
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


def join(home, hub, palette=None, role=None):
    """Joins the hub's home by a join code."""
    arguments = ["share"] + ([palette] if palette else []) + (["--role", role] if role else [])
    return home.hued("join", hub.hued(*arguments)["code"])
