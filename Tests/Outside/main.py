"""Runs the groups of cases; `Scripts/outside --help` tells how."""

import argparse
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from faulty import FAULTS
from processes import binary

GROUPS = ["crash", "power", "hostile", "calls", "acceptors", "conformance", "clocks", "network", "snapshots",
          "disk", "faults", "operation", "terminal", "files", "links", "owned", "readers", "fleet", "standbys"]


def parse():
    parser = argparse.ArgumentParser(
        prog="Scripts/outside", description="Tests the real binary from outside.",
        epilog="OUTSIDE_SEED=N replays the random choices of a run; HUED=FILE tests that binary.")
    parser.add_argument("--long", action="store_true", help="the long run, by hand")
    parser.add_argument("--self-test", action="store_true",
                        help="run cases on faulty binaries, which they have to notice")
    parser.add_argument("--jobs", type=int, default=3, help="how many groups at once (3)")
    parser.add_argument("names", nargs="*", metavar="GROUP", default=GROUPS,
                        help=f"{', '.join(GROUPS)}, or one case as group.Class.test")
    return parser.parse_args()


def run_here(name):
    """Runs one group, or one case, in this process."""
    # Who started it with `nohup` ignores this signal, and would have every node ignore it, too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stderr).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)


def run_apart(name, **environment):
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-B", __file__, name],
                          env=os.environ | {"OUTSIDE_CHILD": "1"} | environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return name, done.returncode, done.stdout, time.monotonic() - start


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
    options = parse()
    # A shell ignores the keyboard's interrupt for what it runs in the background, and hued keeps to that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.environ.get("OUTSIDE_CHILD"):
        run_here(options.names[0])
    os.environ["OUTSIDE_LONG"] = "1" if options.long else "0"
    os.environ.setdefault("OUTSIDE_SEED", str(time.time_ns() % 1_000_000_007))
    print(f"OUTSIDE_SEED={os.environ['OUTSIDE_SEED']}", flush=True)
    if options.self_test:
        return test_cases()
    failed = []
    total = 0
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run_apart, n) for n in options.names]):
            name, code, output, seconds = future.result()
            ran = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
            total += int(ran.group(1)) if ran else 0
            skipped = re.findall(r"skipped '(.*)'", output)
            print(f"{name}: {ran.group(1) if ran else 0} cases in {seconds:.0f} s, "
                  f"{'failed' if code else 'passed'}", flush=True)
            for reason in sorted(set(skipped)):
                print(f"  skipped: {reason}")
            if not code:
                for figures in re.findall(r"^(?:.* \.\.\. )?  (\S.*)$", output, re.MULTILINE):
                    print(f"  {figures}")
            if code or len(options.names) == 1:
                print(output)
            if code:
                failed.append(name)
    if failed:
        print(f"Failed: {' '.join(failed)}", file=sys.stderr)
        sys.exit(1)
    print(f"{total} cases passed")


main()
