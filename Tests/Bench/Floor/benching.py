"""What the programs that measure share: processes that say when they are ready, builds, medians."""

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

HERE = Path("Tests/Bench/Floor")
BENCH = os.environ.get("HUED_BENCH", ".build/release/hued-bench")
NOTES = Path("/tmp")


def compile_c(name, *flags):
    """Compiles a program of this folder into .bench."""
    command = ["clang", "-std=c17", "-O2", "-Wall", "-Wextra", "-Werror", "-o", f".bench/{name}", HERE / f"{name}.c"]
    subprocess.run([*command, *flags], check=True)


def output(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **options).stdout


class Processes:
    """Processes that end with the program, or before."""

    def __init__(self):
        self.running = []

    def start(self, command, **options):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, **options)
        self.running.append(process)
        return process

    def finish(self):
        for process in self.running:
            process.terminate()
            process.wait()
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finish()


def line(process, seconds=120):
    """The next line that a process writes, and nothing behind it."""
    text, end = b"", time.monotonic() + seconds
    while not text.endswith(b"\n"):
        if not select.select([process.stdout], [], [], max(0, end - time.monotonic()))[0]:
            sys.exit(f"{process.args} said nothing for {seconds} s")
        byte = os.read(process.stdout.fileno(), 1)
        if not byte:
            sys.exit(f"{process.args} ended")
        text += byte
    return text.decode().rstrip("\n")


def await_ready(process):
    if line(process) != "READY":
        sys.exit(f"{process.args} is not ready")


def field(text, name):
    """The number of a field in a line of JSON, as it is written there; None where there is none."""
    found = re.search(rf'"{name}": ?"?([^,}}"]+)"?', text)
    return found and found[1]


def significant(value, digits=4):
    """A number as printf's %.4g writes it."""
    return f"{value:.{digits}g}"
