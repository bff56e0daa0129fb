"""Runs groups of cases, each in a process of its own, some of them at once."""

import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import time
import unittest

# What a process has in its environment that runs one group.
CHILD = "CASES_CHILD"
# The cases that may fail beside others, where the machine was busy, if each passes alone.
REPEATS = 3


def run_if_child():
    """Runs the one group or case that a process was started for, and ends it; returns in any other."""
    if os.environ.get(CHILD):
        run_here(sys.argv[1])


def run_here(name):
    # Who started it with `nohup` ignores this signal, and would have every node ignore it, too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stderr).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)


def run_apart(name, **environment):
    """Runs a group in a process of its own: its name, exit code, output and seconds."""
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-B", sys.argv[0], name], env=os.environ | {CHILD: "1"} | environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return name, done.returncode, done.stdout, time.monotonic() - start


def run_all(names, jobs):
    """Runs groups, so many at once, and says how each went; returns how many cases passed, unless one failed."""
    failed = []
    cases = []
    total = 0
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run_apart, name) for name in names]):
            name, code, output, seconds = future.result()
            ran = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
            total += int(ran.group(1)) if ran else 0
            print(f"{name}: {ran.group(1) if ran else 0} cases in {seconds:.0f} s, {'failed' if code else 'passed'}",
                  flush=True)
            for reason in sorted(set(re.findall(r"skipped '(.*)'", output))):
                print(f"  skipped: {reason}")
            if not code:
                for figures in re.findall(r"^(?:.* \.\.\. )?  (\S.*)$", output, re.MULTILINE):
                    print(f"  {figures}")
            if code or len(names) == 1:
                print(output)
            if code:
                failed.append(name)
                cases.append(failed_cases(output))
    repeated = sum(cases, [])
    if not all(cases) or len(repeated) > REPEATS or not all([repeat(case) for case in repeated]):
        print(f"Failed: {' '.join(failed)}", file=sys.stderr)
        sys.exit(1)
    return total


def failed_cases(output):
    """The cases that failed in a group's output, as they are called; empty where more than cases did."""
    reasons = re.findall(r"^(?:FAIL|ERROR): (.*)$", output, re.MULTILINE)
    found = [re.fullmatch(r"\w+ \((\w+\.\w+\.\w+)\)", reason) for reason in reasons]
    return [case[1] for case in found] if all(found) else []


def repeat(case):
    """Runs a case that failed beside others once more, alone, and says how it went; returns whether it passed."""
    _, code, output, _ = run_apart(case)
    print(f"{case}: {'failed' if code else 'passed only'} when repeated", flush=True)
    if code:
        print(output)
    return not code
