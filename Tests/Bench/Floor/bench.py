"""Measures hued beside the least work that it cannot avoid; `Scripts/bench` tells how."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import growth
import network
import ratios
import workloads
from benching import Processes, compile_c, line, output

RESULTS, WORK = ".bench/results.jsonl", Path(".bench/work")
HUED, FLOOR = ".build/release/hued", ".bench/floor"
NETWORKED = {"W4": ["W4", "W4-large"], "W5": ["W5", "W5-paced"]}


def build():
    for product in ["hued", "hued-bench"]:
        command = ["swift", "build", "--configuration", "release", "--product", product, "--static-swift-stdlib"]
        subprocess.run(command, stdout=sys.stderr, check=True)
    compile_c("empty")
    compile_c("floor", "-lsqlite3")
    compile_c("limit", "-D_DEFAULT_SOURCE", "-lsqlite3")
    compile_c("measure", "-static")
    done = subprocess.run(["git", "describe", "--always", "--dirty"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    os.environ["BENCH_COMMIT"] = done.stdout.strip()


def measure(metric, repetitions, ours, floor):
    """Runs both in turn and prints a line; {} in an argument is the number of the run."""
    command = [".bench/measure", metric, str(repetitions), RESULTS, *ours, "--", *floor]
    subprocess.run(command, check=True)


def hued(home, *arguments):
    return [HUED, "--home", str(WORK / home), *map(str, arguments)]


def write_colors(count):
    file = WORK / f"{count}.hex"
    file.write_text("".join(f"{number * 7919 % 16777216:06x}\n" for number in range(1, count + 1)))
    return file


def header():
    print(f"{'':24} {'hued, ms':>26}  {'floor, ms':>26}  {'times':>13}  {'peak memory, MiB':>22}")
    print(f"{'metric':24} {'min':>8} {'median':>8} {'max':>8}  {'min':>8} {'median':>8} {'max':>8}  "
          f"{'min':>6} {'median':>6}  {'hued':>7} {'floor':>7} {'times':>6}", flush=True)


def measure_commands(repetitions, few):
    small, big = write_colors(1000), write_colors(100000)
    library = str(WORK / "floor-1")
    header()
    measure("version", repetitions, [HUED, "--version"], [".bench/empty"])
    measure("import-100000", few, hued("hued-{}", "import", big, "--palette", "big"),
            [FLOOR, "import", str(WORK / "floor-{}"), "100000"])
    if '"count":100000,' not in output(hued("hued-1", "palettes", "--json")):
        sys.exit("not all colors were imported")
    subprocess.run([".bench/measure", "--disk", "import-100000-disk", RESULTS, WORK / "hued-1", library], check=True)
    measure("list-json-100000", repetitions, hued("hued-1", "list", "big", "--json"),
            [FLOOR, "list", library, "100000"])
    add = hued("hued-1", "add", "big", "rebeccapurple")
    measure("add-into-100000", repetitions, add, [FLOOR, "add", library])
    output(hued("hued", "import", small, "--palette", "small"))
    subprocess.run([FLOOR, "import", WORK / "floor", "1000"], check=True)
    measure("list-1000", repetitions, hued("hued", "list", "small"), [FLOOR, "list", str(WORK / "floor"), "1000"])

    # Both servers hold the file with 100,000 colors open; ready once they say so.
    socket = str(WORK / "socket")
    with open(WORK / "node.log", "w") as log, Processes() as processes:
        line(processes.start(hued("hued-1", "serve", "--listen", "127.0.0.1:0"), stderr=log))
        line(processes.start([FLOOR, "serve", library, socket]))
        measure("add-through-node", repetitions, add, [FLOOR, "ask", socket])


def options(arguments):
    """How often, what, the parts of GROWTH, and what becomes of the ratios."""
    if arguments[:1] == ["growth"]:
        return 21, ["GROWTH"], arguments[1:], None
    repetitions, only, purpose = 21, "commands,W1,W2,W3,W4,W5,W6,W7", None
    while arguments:
        if arguments[0] == "--only":
            if len(arguments) < 2:
                sys.exit("--only needs the names of workloads, such as W1,W7")
            only, arguments = arguments[1], arguments[2:]
        elif arguments[0] in ["--compare", "--keep"]:
            purpose, arguments = arguments[0], arguments[1:]
        elif arguments[0].isdigit():
            repetitions, arguments = int(arguments[0]), arguments[1:]
        else:
            sys.exit(f"{arguments[0]} is neither an option nor how often: Scripts/bench begins with what there is")
    return repetitions, only.split(","), [], purpose


def main():
    if sys.argv[1:] == ["--test"]:
        return ratios.test()
    repetitions, only, parts, purpose = options(sys.argv[1:])
    few = (repetitions + 2) // 3  # for what takes long
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    try:
        build()
        plain = [name for name in only if name not in ["commands", "GROWTH", *NETWORKED]]
        rows = workloads.run(few, plain) if plain else []
        if "GROWTH" in only:
            growth.run(parts)
        for name in only:
            if name in NETWORKED:
                measured = network.measure(few, NETWORKED[name])
                rows += measured
                for row in network.table(measured):
                    print(row, flush=True)
        if "commands" in only:
            measure_commands(repetitions, few)
        if purpose == "--keep":
            ratios.keep(ratios.ratios(rows))
        elif purpose:
            ratios.check(ratios.ratios(rows))
    finally:
        shutil.rmtree(WORK, ignore_errors=True)


main()
