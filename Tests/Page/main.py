"""Runs the cases of the page in real browsers; `Scripts/page` calls it."""

import argparse
import sys
import unittest
from pathlib import Path

# Behind everything else: it has a `websocket` of its own, and selenium another.
sys.path.append(str(Path(__file__).resolve().parents[1] / "Outside"))

GROUPS = ["together", "editor", "offline", "access", "tools", "libraries", "looks"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--others", type=int, default=0, help="how many other tests have passed")
    parser.add_argument("names", nargs="*", metavar="CASE", default=GROUPS)
    arguments = parser.parse_args()
    suite = unittest.defaultTestLoader.loadTestsFromNames(arguments.names)
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stderr).run(suite)
    if not result.wasSuccessful() or not result.testsRun:
        sys.exit(1)
    print(f"{arguments.others + result.testsRun} cases passed")


if __name__ == "__main__":
    main()
