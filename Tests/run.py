"""Builds and runs all tests: run.py [--sanitize thread|address] [FLAG OF swift test]..., for Scripts/test."""

import concurrent.futures
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from package import excerpt

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
        os.environ["HUED_SANITIZED"] = "yes"
        # The toolchain's lld: Debian's gold fails at some symbols of the sanitizers.
        self.flags = ["--sanitize", kind, "--scratch-path", str(self.folder), "-Xlinker", str(object_file),
                      "-Xswiftc", "-Xclang-linker", "-Xswiftc", "-fuse-ld=lld"]

    def check(self):
        """A program that a test started and killed had no exit code to tell with."""
        found = [line for file in sorted(self.reports.iterdir()) for line in file.read_text().splitlines()[:40]]
        if found:
            sys.exit("\n".join(found))


class Costs:
    """What each part of the run cost: elapsed time, and processor time of what it started."""

    def __init__(self):
        self.lines = []

    def add(self, name, began, usage):
        elapsed, used = time.monotonic() - began, usage.ru_utime + usage.ru_stime
        self.lines.append(f"  {name:<36}{elapsed:6.0f} s {used:6.0f} s of processor time")

    def show(self):
        print("\n".join(["What each part cost, all but the build side by side:", *self.lines]), flush=True)


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


def count(pattern, output):
    passed = sum(int(found) for found in re.findall("^" + pattern, output, re.MULTILINE))
    if not passed:
        sys.exit("No test was executed.")
    return passed


class Part:
    """A part of the run: a program that says how many of its tests passed, if it says anything."""

    def __init__(self, name, *command, **environment):
        self.name = name
        self.command = command
        self.environment = os.environ | environment

    def run(self, costs):
        """Runs it; returns what it printed."""
        began = time.monotonic()
        process = subprocess.Popen(self.command, env=self.environment, stdout=subprocess.PIPE, text=True,
                                   errors="replace")
        output = ""
        for line in process.stdout:
            print(line, end="", flush=True)
            output += line
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        costs.add(self.name, began, usage)
        if process.returncode:
            sys.exit(f"{self.name}: failed")
        return output


def parts():
    """All that is run side by side: each of them is a list of parts that come one after the other."""
    hued = str(Path(".build/debug/hued").absolute())
    return [
        [Part("tests of the package", sys.executable, "-B", "Tests/package.py")],
        # From outside, on the binary that was just built, and the page in real browsers. Both begin with what
        # takes longest, and wait where the processors are busy.
        [Part("from outside", "Scripts/outside", HUED=hued)],
        [Part("page", "Scripts/page", HUED=hued)],
        # Also lives in which programs save linked files. A seed that fails has said all there is to say. Each
        # night has thousands of them in a release build, which would cost more here than all of these.
        [Part("simulation", ".build/debug/hued-simulate", "--seeds", "8"),
         Part("simulation with files", ".build/debug/hued-simulate", "--seeds", "3", "--files"),
         # As a dependency of a package of somebody else.
         Part("consumer", "Scripts/consumer")],
    ]


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
    began = time.monotonic()
    build()
    costs.add("build of the tests", began, resource.getrusage(resource.RUSAGE_CHILDREN))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = [pool.submit(lambda row: "".join(part.run(costs) for part in row), row) for row in parts()]
        outputs = [run.result() for run in runs]
    costs.show()
    repeated = [name for output in outputs
                for name in re.findall(r"^(\S+): passed only when repeated$", output, re.MULTILINE)]
    return (sum(count(r"([0-9]+) (?:cases|tests of .*) passed$", output) for output in outputs),
            f"; only when repeated, alone: {' '.join(repeated)}" if repeated else "")


main()
