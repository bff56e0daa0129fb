"""Runs the groups of cases; `Scripts/outside --help` tells how."""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from faulty import FAULTS
from processes import binary
from running import LONG, run_all, run_apart, run_if_child

# Those that take longest begin first.
GROUPS = ["network", "faults", "fleet", "acceptors", "files", "disk", "terminal", "links", "hostile", "owned",
          "snapshots", "operation", "calls", "clocks", "power", "crash", "conformance", "readers", "standbys"]


def parse():
    parser = argparse.ArgumentParser(
        prog="Scripts/outside", description="Tests the real binary from outside.",
        epilog="OUTSIDE_SEED=N replays the random choices of a run; HUED=FILE tests that binary.")
    parser.add_argument("--long", action="store_true", help="the long run, by hand")
    parser.add_argument("--self-test", action="store_true",
                        help="run cases on faulty binaries, which they have to notice")
    parser.add_argument("--jobs", type=int, help="how many groups at once (as many as keep the processors busy)")
    parser.add_argument("names", nargs="*", metavar="GROUP", default=GROUPS,
                        help=f"{', '.join(GROUPS)}, or one case as group.Class.test")
    return parser.parse_args()


def test_cases():
    """Shows that cases can fail; those of `power` do so by themselves, with a disk that lies."""
    faulty = Path(__file__).with_name("faulty.py")
    unnoticed = []
    for fault, case in FAULTS.items():
        _, code, output, seconds = run_apart(case, HUED=str(faulty), REAL=binary(), FAULT=fault)
        is_skipped = "skipped=" in output
        print(f"{case}: {'skipped' if is_skipped else 'failed' if code else 'passed'} "
              f"with a binary that is {fault}, {seconds:.0f} s", flush=True)
        if not code and not is_skipped:
            unnoticed.append(fault)
            print(output)
    if unnoticed:
        sys.exit(f"Not noticed: {' '.join(unnoticed)}")


def main():
    # A shell ignores the keyboard's interrupt for what it runs in the background, and hued keeps to that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run_if_child()
    options = parse()
    os.environ[LONG] = "1" if options.long else "0"
    os.environ.setdefault("OUTSIDE_SEED", str(time.time_ns() % 1_000_000_007))
    print(f"OUTSIDE_SEED={os.environ['OUTSIDE_SEED']}", flush=True)
    if options.self_test:
        return test_cases()
    print(f"{run_all(options.names, options.jobs)} cases passed")


main()
