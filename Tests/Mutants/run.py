"""Switches on one deliberate bug after the other and shows in how many seeds the simulation sees it.

run.py [SEEDS] [NAME ...], from the root of the tree. One that no seed sees is looked for in ten times as many.
One of which its file names a suite is looked for by that suite alone.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from apply import apply

COPY = Path(".build/mutants")
HERE = Path(__file__).parent


def copy():
    """Writes all bugs into a copy of the tree, and returns their names."""
    COPY.mkdir(parents=True, exist_ok=True)
    for name in ["Sources", "Tests"]:
        shutil.rmtree(COPY / name, ignore_errors=True)
        shutil.copytree(name, COPY / name)
    shutil.copy2("Package.swift", COPY)
    return apply(COPY, sorted(HERE.glob("*.txt")))


def build(*flags):
    """Builds a part of the copy."""
    print(f"Building mutants as one program, {' '.join(flags)} (some minutes the first time) ...",
          file=sys.stderr, flush=True)
    done = subprocess.run(["swift", "build", "--package-path", COPY, *flags],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        errors = dict.fromkeys(line for line in done.stdout.splitlines() if "error:" in line)
        sys.exit("\n".join(errors) or done.stdout)


def suites():
    """The suites that have to see a bug, by its name."""
    found = {}
    for file in HERE.glob("*.txt"):
        name = ""
        for line in file.read_text().splitlines():
            if line.startswith("mutant "):
                name = line[len("mutant "):].strip()
            elif line.startswith("suite "):
                found[name] = line[len("suite "):].strip()
    return found


def passes(mutant, suite):
    """Whether a suite sees no bug."""
    done = subprocess.run(["swift", "test", "--package-path", COPY, "--skip-build", "--filter", suite],
                          env=os.environ | {"HUED_MUTANT": str(mutant), "HUED_SEEDS": "1"},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    counts = re.findall("Test run with ([0-9]+) test", done.stdout)
    if not any(map(int, counts)):
        sys.exit(f"No test is called {suite}:\n{done.stdout[-2_000:]}")
    return done.returncode == 0


def failures(mutant, seeds, *flags):
    """In how many seeds a bug is seen."""
    done = subprocess.run([COPY / ".build/release/hued-simulate", "--seeds", str(seeds), "--no-shrink", *flags],
                          env=os.environ | {"HUED_MUTANT": str(mutant)}, stdout=subprocess.PIPE, text=True)
    found = re.search("^([0-9]+) seeds failed, ", done.stdout, re.MULTILINE)
    return int(found[1]) if found else 0


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    names = copy()
    chosen = sys.argv[2:] or names
    if unknown := set(chosen) - set(names):
        sys.exit(f"No mutant is called {', '.join(sorted(unknown))}")
    watched = suites()
    seen_by_tests = [name for name in chosen if name in watched]
    if seen_by_tests:
        build("--build-tests")
        for suite in sorted({watched[name] for name in seen_by_tests}):
            if not passes(0, suite):
                sys.exit(f"{suite} fails without any mutant")
    # Bugs of links need lives in which files are linked.
    linked = re.findall("^mutant (.*)$", (HERE / "links.txt").read_text(), re.MULTILINE)
    if len(seen_by_tests) < len(chosen):
        build("--configuration", "release", "--product", "hued-simulate")
        if failures(0, seeds) or failures(0, seeds, "--files"):
            sys.exit(f"Seeds fail without any mutant: see Scripts/simulate --seeds {seeds}")
    killed = 0
    for number, name in enumerate(names, 1):
        if name not in chosen:
            continue
        if name in watched:
            is_killed = not passes(number, watched[name])
            said = f"killed by {watched[name]}" if is_killed else "SURVIVED"
        else:
            flags = ["--files"] if name in linked else []
            count = failures(number, seeds, *flags)
            is_killed = count or failures(number, seeds * 10, "--stop-after", "1", *flags)
            said = (f"killed in {count} of {seeds} seeds" if count
                    else f"killed within {seeds * 10} seeds" if is_killed else "SURVIVED")
        killed += bool(is_killed)
        print(f"{name:55} {said}", flush=True)
    print(f"{killed} of {len(chosen)} mutants killed")
    sys.exit(killed != len(chosen))


main()
