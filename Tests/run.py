"""Builds and runs all tests: run.py [--sanitize thread|address] [FLAG OF swift test]..., for Scripts/test."""

import concurrent.futures
import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from package import excerpt, run_targets

# Everything is slower under a sanitizer, and other tests run beside.
PATIENCE = {"thread": "10", "address": "5"}


class Sanitizer:
    """A sanitizer, in a build of its own, that also reports on the programs that tests start."""

    def __init__(self, kind):
        self.folder = Path(f".build/{kind}").absolute()
        self.reports = self.folder / "reports"
        shutil.rmtree(self.reports, ignore_errors=True)
        self.reports.mkdir(parents=True)
        object_file = self.folder / "sanitizer.o"
        subprocess.run(["clang", "-c", "-O1", "-Wall", "-Wextra", "-Werror", f'-DREPORTS="{self.reports}/report"',
                        "-o", object_file, f"Scripts/sanitizer/{kind}.c"], check=True)
        os.environ["HUED_PATIENCE"] = PATIENCE[kind]
        # The toolchain's lld: Debian's gold fails at some symbols of the sanitizers.
        self.flags = ["--sanitize", kind, "--scratch-path", str(self.folder), "-Xlinker", str(object_file),
                      "-Xswiftc", "-Xclang-linker", "-Xswiftc", "-fuse-ld=lld"]

    def check(self):
        """A program that a test started and killed had no exit code to tell with."""
        found = [line for file in sorted(self.reports.iterdir()) for line in file.read_text().splitlines()[:40]]
        if found:
            sys.exit("\n".join(found))


class Costs:
    """Measures each phase of the run: elapsed time, and processor time of what it started."""

    def __init__(self):
        self.lines = []

    @contextlib.contextmanager
    def phase(self, name):
        began, used = time.monotonic(), self.processor_seconds()
        yield
        elapsed, used = time.monotonic() - began, self.processor_seconds() - used
        self.lines.append(f"  {name:<36}{elapsed:6.0f} s {used:6.0f} s of processor time")

    def show(self):
        print("\n".join(["What each phase cost:", *self.lines]), flush=True)

    @staticmethod
    def processor_seconds():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def build():
    """Builds the tests."""
    print("Building and testing (some minutes the first time) ...", flush=True)
    done = subprocess.run(["swift", "build", "--build-tests"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    if done.returncode:
        sys.exit(excerpt(done.stdout))


def run_swift(flags):
    """Runs `swift test`, and returns how many tests passed."""
    done = subprocess.run(["swift", "test", *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if done.returncode:
        print(excerpt(done.stdout))
        sys.exit(1)
    # The exit code alone would also be content with a run of no test at all.
    return count(r".*Test run with ([0-9]+) tests? in .* passed", done.stdout)


def run_counted(*command, **environment):
    """Runs a script that says how many of its tests passed; returns that, and those that had to be repeated."""
    process = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.PIPE, text=True)
    output = ""
    for line in process.stdout:
        print(line, end="", flush=True)
        output += line
    if process.wait():
        sys.exit(process.returncode)
    return (count(r"([0-9]+) (?:cases|tests of .*) passed$", output),
            re.findall(r"^(\S+): passed only when repeated$", output, re.MULTILINE))


def count(pattern, output):
    passed = sum(int(found) for found in re.findall("^" + pattern, output, re.MULTILINE))
    if not passed:
        sys.exit("No test was executed.")
    return passed


def run_rest(costs):
    """Runs what is no test of the package manager; returns what each script said."""
    hued = str(Path(".build/debug/hued").absolute())
    with costs.phase("simulation, consumer, outside, page"), concurrent.futures.ThreadPoolExecutor() as pool:
        # From outside, on the binary that was just built, and the page in real browsers: both wait often enough
        # to run beside each other and beside the rest.
        runs = [pool.submit(run_counted, f"Scripts/{script}", "--jobs", "2", HUED=hued) for script in ["outside", "page"]]
        runs.append(pool.submit(run_simulation_and_consumer))
        return [run.result() for run in runs]


def run_simulation_and_consumer():
    """Runs what keeps a processor busy, one after the other; returns what the consumer said."""
    # Also lives in which programs save linked files. A seed that fails has said all there is to say. Each night
    # has thousands of them in a release build, which would cost more here than all of these.
    for flags in [["--seeds", "50"], ["--seeds", "15", "--files"]]:
        code = subprocess.run([".build/debug/hued-simulate", *flags]).returncode
        if code:
            sys.exit(code)
    # As a dependency of a package of somebody else.
    return run_counted("Scripts/consumer")


def main():
    # Who started this with `nohup`, or in the background of a script, ignores these, and so would every node.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    flags = sys.argv[1:]
    said = ""
    if flags[:1] == ["--sanitize"]:
        if flags[1:2] == [] or flags[1] not in PATIENCE:
            print("usage: Scripts/test [--sanitize thread|address] [FLAG OF swift test]...", file=sys.stderr)
            sys.exit(2)
        # Only this: a sanitizer sees the same code in the tests, at a speed that it can bear.
        sanitizer = Sanitizer(flags[1])
        passed = run_swift(sanitizer.flags + flags[2:])
        sanitizer.check()
        said = f", nothing found by the {flags[1]} sanitizer"
    elif flags:
        passed = run_swift(flags)
    else:
        passed, said = run_all()
    print(f"{passed} passed, 0 failed{said}")


def run_all():
    """Runs everything; returns how many tests passed, and what else there is to say."""
    costs = Costs()
    with costs.phase("build of the tests"):
        build()
    with costs.phase("tests of the package"):
        outcomes = [run_targets()]
    outcomes += run_rest(costs)
    costs.show()
    repeated = [test for _, tests in outcomes for test in tests]
    return (sum(passed for passed, _ in outcomes),
            f"; only when repeated, alone: {' '.join(repeated)}" if repeated else "")


main()
