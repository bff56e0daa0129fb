"""Writes deliberate bugs into a copy of the tree, each behind a switch that the environment variable
HUED_MUTANT sets to its number, and prints their names: apply.py COPY FILE...

A file has lines `mutant NAME`, perhaps `suite FILTER` (see run.py), `file PATH`, and then `-TEXT` lines that are found exactly once in that
file, with the `+TEXT` lines that take their place; MUTANT in these is true while the bug is on.
"""

import sys
from pathlib import Path

SWITCH = """import PalettePlatform

/// The number of the deliberate bug that is switched on; 0 for none.
package let activeMutant = getenv("HUED_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
"""

# The targets that have a switch of their own; all others take that of the model.
LEAVES = {"PaletteModel": "package", "WebSocket": "internal"}


def edits(files):
    """Each edit as the mutant's name and number, the path, the text and what takes its place."""
    number, name, path = 0, "", ""
    found = []
    for file in files:
        for line in Path(file).read_text().splitlines(keepends=True):
            if line.startswith("mutant "):
                number, name = number + 1, line[len("mutant "):].strip()
            elif line.startswith("file "):
                path = line[len("file "):].strip()
            elif line.startswith("-"):
                if not found or found[-1][4] or found[-1][1:3] != [number, path]:
                    found.append([name, number, path, "", ""])
                found[-1][3] += line[1:]
            elif line.startswith("+"):
                found[-1][4] += line[1:]
    return found


def apply(copy, files):
    """Writes the bugs into the copy.

    Returns their names, in the order of their numbers.
    """
    names = {}
    for name, number, path, text, replacement in edits(files):
        names[number] = name
        file = Path(copy, path)
        before = file.read_text()
        if before.count(text) != 1:
            sys.exit(f"Found {before.count(text)} times in {path}, for mutant {name}:\n{text}")
        after = before.replace(text, replacement.replace("MUTANT", f"(activeMutant == {number})"))
        if Path(path).parts[1] not in LEAVES and "import PaletteModel\n" not in after:
            after = "internal import PaletteModel\n" + after
        file.write_text(after)
    for leaf, access in LEAVES.items():
        Path(copy, "Sources", leaf, "ActiveMutant.swift").write_text(SWITCH.replace("package", access))
    return [names[number] for number in sorted(names)]


if __name__ == "__main__":
    print("\n".join(apply(sys.argv[1], sys.argv[2:])))
