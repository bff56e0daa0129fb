"""Tells how much of sessions, cores and log some seeds reach: coverage.py SEEDS, for Scripts/simulate.

It fails where a file has less than 90 % of its lines and is not in Unreached.txt, which says why.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

SCRATCH = Path(".build/coverage").absolute()
FOLDERS = ["PaletteSync/Session", "PalettePeers", "PaletteStore/Tables", "PaletteStore/Records", "PaletteStore/Cache",
           "PaletteStore/Reading", "PaletteStore/Merging", "PaletteStore/Store"]
LEAST_PERCENT = 90


def build():
    done = subprocess.run(
        ["swift", "build", "--scratch-path", SCRATCH, "--product", "hued-simulate",
         "-Xswiftc", "-profile-generate", "-Xswiftc", "-profile-coverage-mapping"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout)
    return SCRATCH / "debug/hued-simulate"


def lines_of_files(binary, seeds):
    """Runs the seeds, and returns for each file how many lines it has and how many were reached."""
    for profile in SCRATCH.glob("*.profraw"):
        profile.unlink()
    subprocess.run([binary, "--seeds", seeds, "--no-shrink"], check=True,
                   env=os.environ | {"LLVM_PROFILE_FILE": str(SCRATCH / "%p.profraw")})
    tools = Path(shutil.which("swift")).resolve().parent
    merged = SCRATCH / "simulate.profdata"
    subprocess.run([tools / "llvm-profdata", "merge", "--sparse", *SCRATCH.glob("*.profraw"), "-o", merged], check=True)
    report = subprocess.run(
        [tools / "llvm-cov", "export", "--format=lcov", "--skip-functions", "--skip-branches",
         "--instr-profile", merged, binary], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = re.findall("^SF:[^\\n]*/Sources/([^\\n]*)$.*?^LF:([0-9]+)\\nLH:([0-9]+)$", report,
                       re.MULTILINE | re.DOTALL)
    return {name: (int(lines), int(hit)) for name, lines, hit in found
            if folder_of(name) and int(lines)}


def folder_of(name):
    """The folder that a file counts for, at whatever depth it lies in it; None for any other file."""
    return next((folder for folder in FOLDERS if name.startswith(f"{folder}/")), None)


def main():
    text = Path(__file__).with_name("Unreached.txt").read_text()
    reasons = dict(re.findall("^(.*?): (.*)$", text, re.MULTILINE))
    files = lines_of_files(build(), sys.argv[1])
    lines, reached = Counter(), Counter()
    has_failed = False
    for name, (count, hit) in files.items():
        folder = folder_of(name)
        lines[folder] += count
        reached[folder] += hit
        share = 100 * hit / count
        if share < LEAST_PERCENT or name in reasons:
            has_failed |= name not in reasons
            print(f"{share:5.1f} %  {name}: {reasons.get(name, 'NOT EXPLAINED')}")
    for name in reasons.keys() - files.keys():
        print(f"no file {name}")
        has_failed = True
    for folder in lines:
        print(f"{100 * reached[folder] / lines[folder]:5.1f} %  {folder} "
              f"({reached[folder]} of {lines[folder]} lines)")
    sys.exit(has_failed)


main()
