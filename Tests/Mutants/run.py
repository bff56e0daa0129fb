"""Switches on one deliberate bug after the other and shows in how many seeds the simulation sees it.

run.py [SEEDS] [NAME ...], from the root of the tree. One that no seed sees is looked for in ten times as many.
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


def build():
    """Builds all bugs as one program, from a copy of the tree, and returns their names."""
    COPY.mkdir(parents=True, exist_ok=True)
    for name in ["Sources", "Tests"]:
        shutil.rmtree(COPY / name, ignore_errors=True)
        shutil.copytree(name, COPY / name)
    shutil.copy2("Package.swift", COPY)
    names = apply(COPY, sorted(HERE.glob("*.txt")))
    print(f"Building {len(names)} mutants as one program (some minutes the first time) ...",
          file=sys.stderr, flush=True)
    done = subprocess.run(["swift", "build", "--package-path", COPY, "--configuration", "release",
                           "--product", "hued-simulate"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit("\n".join(line for line in done.stdout.splitlines() if "error:" in line) or done.stdout)
    return names


def failures(mutant, seeds, *flags):
    """In how many seeds a bug is seen."""
    done = subprocess.run([COPY / ".build/release/hued-simulate", "--seeds", str(seeds), "--no-shrink", *flags],
                          env=os.environ | {"HUED_MUTANT": str(mutant)}, stdout=subprocess.PIPE, text=True)
    found = re.search("^([0-9]+) seeds failed, ", done.stdout, re.MULTILINE)
    return int(found[1]) if found else 0


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    chosen = sys.argv[2:]
    names = build()
    # Bugs of links need lives in which files are linked.
    linked = re.findall("^mutant (.*)$", (HERE / "links.txt").read_text(), re.MULTILINE)
    if failures(0, seeds) or failures(0, seeds, "--files"):
        sys.exit(f"Seeds fail without any mutant: see Scripts/simulate --seeds {seeds}")
    killed = tried = 0
    for number, name in enumerate(names, 1):
        if chosen and name not in chosen:
            continue
        tried += 1
        flags = ["--files"] if name in linked else []
        count = failures(number, seeds, *flags)
        is_killed = count or failures(number, seeds * 10, "--stop-after", "1", *flags)
        killed += bool(is_killed)
        said = (f"killed in {count} of {seeds} seeds" if count
                else f"killed within {seeds * 10} seeds" if is_killed else "SURVIVED")
        print(f"{name:42} {said}", flush=True)
    print(f"{killed} of {tried} mutants killed")
    sys.exit(killed != tried)


main()
