"""Runs workloads of hued-bench beside their limits, in turn, and prints medians and ratios.

    Tests/Bench/Floor/workloads REPETITIONS WORKLOAD... (W1 W2 W3 W6 W7). For Scripts/bench.
"""

import os
import shutil
import statistics
import sys
from pathlib import Path

from benching import BENCH, field, output, significant

WORK, LIMIT = Path(".bench/workloads"), ".bench/limit"
INSERTS = {"W1": ("W1", 100000, 100000), "W2": ("W2", 200000, 100000), "W3": ("W3", 20000, 10000),
           "W7": ("W7-history", 200000, 100000)}


def limits(workload):
    if workload not in INSERTS:
        return ""
    for file in WORK.glob("limit.db*"):
        file.unlink()
    name, changes, colors = INSERTS[workload]
    database = WORK / "limit.db"
    lines = output([LIMIT, "insert", name, database, str(changes), str(colors)])
    return lines + (output([LIMIT, "read", "W7", database]) if workload == "W7" else "")


def ours(workload):
    sizes = ["-n", "10000", "--edits", "10000"] if workload == "W3" else []
    return output([BENCH, workload, *sizes])


def measured(repetitions, workloads):
    lines = []
    for workload in workloads:
        for repetition in range(1, repetitions + 1):
            # Who begins changes, so that neither always inherits the other's caches and writes.
            for run in [limits, ours] if repetition % 2 else [ours, limits]:
                lines += run(workload).splitlines()
    return lines


def table(lines):
    values, units = {}, {}
    for line in lines:
        key = field(line, "w"), field(line, "metric")
        units[key] = field(line, "unit")
        values.setdefault(key, {}).setdefault(field(line, "peer"), []).append(float(field(line, "value")))
    yield f"{'metric':<44} {'unit':>5} {'hued min':>12} {'hued median':>12} {'limit median':>12} {'times':>8}"
    for key in sorted(values):
        peers = values[key]
        if "ours" not in peers:
            continue
        median = statistics.median(peers["ours"])
        row = f"{key[0] + ' ' + key[1]:<44} {units[key]:>5} " \
              f"{significant(min(peers['ours'])):>12} {significant(median):>12}"
        limit = statistics.median(peers.get("limit", [0]))
        if limit > 0:
            row += f" {significant(limit):>12} {median / limit:8.2f}"
        yield row


def run(repetitions, workloads):
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ["HUED_BENCH_FOLDER"] = str(WORK.absolute())
    try:
        lines = measured(repetitions, workloads)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    with open(".bench/workloads.jsonl", "a") as results:
        results.writelines(line + "\n" for line in lines)
    for row in table(lines):
        print(row, flush=True)
    return [tuple(field(line, name) for name in ["w", "metric", "peer", "value"]) for line in lines]


if __name__ == "__main__":
    run(int(sys.argv[1]), sys.argv[2:])
