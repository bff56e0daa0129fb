"""Builds and runs all tests: run.py [--sanitize thread|address] [FLAG OF swift test]..., for Scripts/test."""

import contextlib
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

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
        self.lines.append(f"  {name:<28}{elapsed:6.0f} s {used:6.0f} s of processor time")

    def show(self):
        print("\n".join(["What each phase cost:", *self.lines]), flush=True)

    @staticmethod
    def processor_seconds():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def build():
    """Builds the tests; a failure is left to the run of the tests, which builds again and shows it."""
    print("Building and testing (some minutes the first time) ...", flush=True)
    subprocess.run(["swift", "build", "--build-tests"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run_swift(flags):
    """Runs `swift test`, and returns how many tests passed."""
    done = subprocess.run(["swift", "test", *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    lines = done.stdout.splitlines()
    if done.returncode:
        # Failures first, with what they say; the end of the log for whatever else went wrong.
        failures = [line for line in lines if re.search("✘|error:|Fatal error", line)]
        print("\n".join(failures[:60] + lines[-20:]))
        sys.exit(1)
    # The exit code alone would also be content with a run of no test at all.
    return count(r".*Test run with ([0-9]+) tests? in .* passed", done.stdout)


def run_counted(*command, **environment):
    """Runs a script that says how many of its tests passed, and returns that."""
    process = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.PIPE, text=True)
    output = ""
    for line in process.stdout:
        print(line, end="", flush=True)
        output += line
    if process.wait():
        sys.exit(process.returncode)
    return count(r"([0-9]+) (?:cases|tests of .*) passed$", output)


def count(pattern, output):
    passed = sum(int(found) for found in re.findall("^" + pattern, output, re.MULTILINE))
    if not passed:
        sys.exit("No test was executed.")
    return passed


def run_rest(costs):
    """Runs what is no test of the package manager, and returns how many passed."""
    # Also lives in which programs save linked files. A seed that fails has said all there is to say. Each night
    # has thousands of them in a release build, which would cost more here than all of these.
    for flags in [["--seeds", "100"], ["--seeds", "30", "--files"]]:
        with costs.phase(" ".join(["simulation", *flags])):
            code = subprocess.run([".build/debug/hued-simulate", *flags]).returncode
        if code:
            sys.exit(code)
    # From outside, on the binary that was just built; as a dependency of a package of somebody else; the page
    # in real browsers.
    hued = {"HUED": str(Path(".build/debug/hued").absolute())}
    passed = 0
    for script, environment in [("outside", hued), ("consumer", {}), ("page", hued)]:
        with costs.phase(script):
            passed += run_counted(f"Scripts/{script}", **environment)
    return passed


def main():
    flags = sys.argv[1:]
    sanitizer = None
    if flags[:1] == ["--sanitize"]:
        if flags[1:2] == [] or flags[1] not in PATIENCE:
            print("usage: Scripts/test [--sanitize thread|address] [FLAG OF swift test]...", file=sys.stderr)
            sys.exit(2)
        sanitizer = Sanitizer(flags[1])
        flags = flags[2:]
    costs = Costs()
    if not flags and not sanitizer:
        with costs.phase("build of the tests"):
            build()
    with costs.phase("tests of the package"):
        passed = run_swift((sanitizer.flags if sanitizer else []) + flags)
    if sanitizer:
        sanitizer.check()
    # Not with a sanitizer: it sees the same code in the tests, at a speed that it can bear.
    elif not flags:
        passed += run_rest(costs)
        costs.show()
    said = f", nothing found by the {sys.argv[2]} sanitizer" if sanitizer else ""
    print(f"{passed} passed, 0 failed{said}")


main()
