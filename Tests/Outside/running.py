"""Runs groups of cases in processes of their own, as many at once as keep the processors busy."""

import atexit
import concurrent.futures
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

# What a process has in its environment that runs one group.
CHILD = "CASES_CHILD"
# Whether this is the long run, and what says so in the environment.
LONG = "CASES_LONG"
IS_LONG = os.environ.get(LONG) == "1"
# The cases that may fail beside others, where the machine was busy, if each passes alone.
REPEATS = 3
# The most groups at once: each may have several browsers or nodes.
MOST = 6


def sized(short, long):
    """How much of something a run does."""
    return long if IS_LONG else short


def run_if_child():
    """Runs the groups or the case that a process was started for, and ends it; returns in any other."""
    if os.environ.get(CHILD):
        run_here(sys.argv[1].split())


def run_here(names):
    # Who started it with `nohup` ignores this signal, and would have every node ignore it, too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # Behind everything else, when what was started has ended.
    atexit.register(report_use)
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stderr).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)


def report_use():
    """Says what this process and those that it started took."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"Took {sum(one.ru_utime + one.ru_stime for one in used):.0f} s of processor time", file=sys.stderr)


def run_apart(name, **environment):
    """Runs a group, or some with a space between their names, in a process: its name, exit code, output and seconds."""
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-B", sys.argv[0], name], env=os.environ | {CHILD: "1"} | environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return name, done.returncode, done.stdout, time.monotonic() - start


class Turns:
    """Lets groups begin: one always runs, and another one begins when the processors have time for it.

    Most of a case is waiting for a node or a page, but how much differs between machines.
    """

    # The seconds in which processors are watched, and those of one processor that were idle among them.
    WINDOW = 2
    SPARE = 0.8

    def __init__(self):
        self.next = threading.Lock()
        self.running = set()

    def run(self, name):
        with self.next:
            while self.running and not self.is_room():
                pass
            self.running.add(name)
        try:
            return run_apart(name)
        finally:
            self.running.discard(name)

    def is_room(self):
        """Watches the processors for a while."""
        before = self.idle_seconds()
        time.sleep(self.WINDOW)
        return self.idle_seconds() - before > self.SPARE

    @staticmethod
    def idle_seconds():
        with open("/proc/stat") as file:
            idle, waiting = file.readline().split()[4:6]
        return (int(idle) + int(waiting)) / os.sysconf("SC_CLK_TCK")


def run_all(names, jobs=None):
    """Runs groups and says how each went; returns how many cases passed, unless one failed.

    So many are run at once, or as many as keep the processors busy. Groups that stand in one name, with a space
    between them, share a process and what its cases keep for later ones.
    """
    failed = []
    cases = []
    total = 0
    run = run_apart if jobs else Turns().run
    with concurrent.futures.ThreadPoolExecutor(jobs or MOST) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run, name) for name in names]):
            name, code, output, seconds = future.result()
            ran = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
            total += int(ran.group(1)) if ran else 0
            used = re.search(r"^Took (\d+) s of processor time$", output, re.MULTILINE)
            print(f"{name}: {ran.group(1) if ran else 0} cases in {seconds:.0f} s, "
                  f"{used.group(1) + ' s of processor time, ' if used else ''}{'failed' if code else 'passed'}",
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
