"""Runs the tests of a package that is built, each target in a process of its own, some of them at once.

The tests of a process run one after the other: they are not slower for that, as each has a processor, and no
test waits for its turn while a peer or a lease of its own does not.
"""

import collections
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

# As many at once keep two processors busy, since some tests wait.
JOBS = 3
# Those that take longest begin first; the rest comes in the order of the list.
LONGEST = ["huedTests", "PaletteStoreTests", "PalettePeersTests", "PaletteSimulationTests", "PaletteFleetTests",
           "WebSocketTests"]
# More tests than these do not fail for want of time.
REPEATS = 3


class Target:
    """A target's tests, and how they went."""

    def __init__(self, program, name):
        self.program = program
        self.name = name

    def run(self):
        self.code, self.output = self.execute(f"^{self.name}\\.")
        return self

    def repeat(self, test):
        """Runs one of them again, with nothing beside it; returns whether it passed."""
        code, output = self.execute(f"^{self.name}\\..*/{test}\\(")
        return code == 0 and passed(output) > 0

    def execute(self, tests):
        done = subprocess.run([*self.program, "--no-parallel", "--filter", tests], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", env=os.environ | {"NO_COLOR": "1"})
        return done.returncode, done.stdout

    @property
    def failed(self):
        """The names of the tests that failed; empty for a process that ended in the middle."""
        # A run that was not finished has no last line.
        if not re.search("^✘ Test run with", self.output, re.MULTILINE):
            return []
        return sorted(set(re.findall(r"^✘ Test (\w+)\(.* failed after", self.output, re.MULTILINE)))

    def show(self):
        """Prints failures first, with what they say; then the end, for whatever else went wrong."""
        print(f"{self.name} failed:\n" + excerpt(self.output), flush=True)


def excerpt(output):
    """The failures in the output of tests, and its end."""
    lines = output.splitlines()
    return "\n".join([line for line in lines if re.search("✘|error:|Fatal error", line)][:60] + lines[-20:])


def passed(output):
    """The number of tests that passed, as the output says."""
    found = re.search("^✔ Test run with ([0-9]+) tests? in .* passed", output, re.MULTILINE)
    return int(found[1]) if found else 0


def main():
    # Who started this with `nohup`, or in the background of a script, ignores it, and so would every node.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = Path(subprocess.run(["swift", "build", "--show-bin-path"], stdout=subprocess.PIPE, text=True,
                                 check=True).stdout.strip())
    program = [folder / "huedPackageTests.xctest", "--testing-library", "swift-testing"]
    listed = subprocess.run([*program, "--list-tests"], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = list(dict.fromkeys(re.findall(r"^(\w+)\.", listed, re.MULTILINE)))
    names.sort(key=lambda name: LONGEST.index(name) if name in LONGEST else len(LONGEST))
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        targets = list(pool.map(Target.run, [Target(program, name) for name in names]))
    broken = [target for target in targets if target.code]
    for target in broken:
        target.show()
    # A test that fails may have met a machine that was busy elsewhere: it is a defect, but none that keeps a
    # change away.
    tests = [(target, test) for target in broken for test in target.failed]
    if any(not target.failed for target in broken) or len(tests) > REPEATS:
        sys.exit(1)
    if not all([target.repeat(test) for target, test in tests]):
        sys.exit(1)
    counts = collections.Counter(re.findall(r"^(\w+)\.", listed, re.MULTILINE))
    for target in targets:
        if not target.code and passed(target.output) != counts[target.name]:
            sys.exit(f"{target.name} has {counts[target.name]} tests, and {passed(target.output)} were executed.")
    if not counts:
        sys.exit("No test was executed.")
    for target, test in tests:
        print(f"{target.name}.{test}: passed only when repeated")
    print(f"{counts.total()} tests of the package passed")


if __name__ == "__main__":
    main()
