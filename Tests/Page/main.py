"""Tests the page: the types of its modules, their own tests, and the page in real browsers.

main.py [--long] [--jobs N] [CASE]..., for Scripts/page.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

# Behind everything else: it has a `websocket` of its own, and selenium another.
sys.path.append(str(Path(__file__).resolve().parents[1] / "Outside"))

from running import LONG, run_all, run_if_child

# Those in one process use each other's browsers; a new one takes 0.4 s of processor time, and each group two.
# Those that take longest begin first.
GROUPS = ["states", "taken conflicts", "libraries begin access", "people tools", "several editor looks",
          "offline phone groups engine fleets", "rail use picker together"]


HERE = Path(__file__).parent


def test_modules():
    """Checks the types of the modules and runs their tests; returns how many passed."""
    subprocess.run(["tsc", "--project", HERE / "tsconfig.json"], check=True)
    done = subprocess.run(["node", "--test", "--test-reporter=tap", *sorted(HERE.glob("*.test.js"))],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        lines = done.stdout.splitlines()
        failed = [number for number, line in enumerate(lines) if line.lstrip().startswith("not ok")]
        sys.exit("\n".join(line for number in failed[:5] for line in lines[number:number + 21]) or done.stdout)
    return int(re.search("^# pass ([0-9]+)$", done.stdout, re.MULTILINE)[1])


def main():
    run_if_child()
    parser = argparse.ArgumentParser(prog="Scripts/page")
    parser.add_argument("--long", action="store_true", help="the long run, of each night")
    parser.add_argument("--jobs", type=int, help="how many groups at once (as many as keep the processors busy)")
    parser.add_argument("names", nargs="*", metavar="CASE")
    options = parser.parse_args()
    os.environ[LONG] = "1" if options.long else "0"
    others = 0 if options.names else test_modules()
    print(f"{others + run_all(options.names or GROUPS, options.jobs)} cases passed")


if __name__ == "__main__":
    main()
