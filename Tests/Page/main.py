"""Tests the page: the types of its modules, their own tests, and the page in real browsers.

main.py [CASE]..., for Scripts/page.
"""

import argparse
import re
import subprocess
import sys
import unittest
from pathlib import Path

# Behind everything else: it has a `websocket` of its own, and selenium another.
sys.path.append(str(Path(__file__).resolve().parents[1] / "Outside"))

GROUPS = ["taken", "together", "conflicts", "editor", "offline", "access", "tools", "libraries", "use", "picker", "begin", "rail", "engine", "states", "looks", "phone", "people", "several", "groups", "fleets"]


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
    parser = argparse.ArgumentParser(prog="Scripts/page")
    parser.add_argument("names", nargs="*", metavar="CASE")
    names = parser.parse_args().names
    others = 0 if names else test_modules()
    suite = unittest.defaultTestLoader.loadTestsFromNames(names or GROUPS)
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stderr).run(suite)
    if not result.wasSuccessful() or not result.testsRun:
        sys.exit(1)
    print(f"{others + result.testsRun} cases passed")


if __name__ == "__main__":
    main()
