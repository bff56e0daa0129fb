"""Finds the functions that a node calls for every edit, and lists them for the linker: for Scripts/order.

Runs a node under callgrind while one client edits and another one watches.
"""

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from benching import BENCH, Processes, await_ready, line
from network import PORT

EDITS = 100
FUNCTIONS = Path("Scripts/functions.order")
WORK = Path(".bench/order")
PROFILE = WORK / "profile"


def profile():
    """Has a node carry out edits, and returns the profile of what it did between the first and the last."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    with Processes() as processes:
        node = processes.start(["valgrind", f"--log-file={WORK}/log", "--tool=callgrind", "--compress-strings=no",
                                f"--callgrind-out-file={PROFILE}", BENCH, "server", "--port", PORT, "--db",
                                str(WORK / "db"), "--colors", "1000"])
        await_ready(node)
        watcher = processes.start([BENCH, "watcher", PORT, str(EDITS), "120"])
        await_ready(watcher)
        control("--zero", node)
        writer = processes.start([BENCH, "writer", PORT, str(EDITS), "20", "1000"], stdin=subprocess.PIPE)
        writer.communicate(b"go\n")
        line(watcher)
        control("--dump", node)
    # The first dump; the node writes another one when it ends.
    return Path(f"{PROFILE}.1").read_text(errors="replace")


def control(action, node):
    subprocess.run(["callgrind_control", action, str(node.pid)], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)


def called(text, program, least):
    """The functions of a program that a profile has been called so often, by name."""
    calls, own, callee = Counter(), set(), None
    place = None
    for text_line in text.splitlines():
        key, _, value = text_line.partition("=")
        if key == "ob":
            place = value
        elif key == "fn" and place == program:
            own.add(value)
        elif key == "cfn":
            callee = value
        elif key == "calls":
            calls[callee] += int(value.split()[0])
    # A function that is within itself has a number; one without a name has an address.
    often = {re.sub(r"'\d+$", "", name) for name in own if calls[name] >= least}
    return sorted(name for name in often if not name.startswith("0x"))


def main():
    command = ["swift", "build", "--configuration", "release", "--product", "hued-bench", "--static-swift-stdlib"]
    subprocess.run(command, stdout=sys.stderr, check=True)
    try:
        names = called(profile(), str(Path(BENCH).resolve()), EDITS)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    if len(names) < 500:
        sys.exit(f"Only {len(names)} functions were found: nothing is changed.")
    before = set(FUNCTIONS.read_text().splitlines()) if FUNCTIONS.exists() else set()
    FUNCTIONS.write_text("\n".join(names) + "\n")
    # The package manager does not see that the linker has another order now.
    for program in ["hued", "hued-bench"]:
        Path(f".build/release/{program}").unlink(missing_ok=True)
    print(f"{len(names)} functions, {len(set(names) - before)} of them new, {len(before - set(names))} went.")


main()
