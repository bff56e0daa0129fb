"""Latency and fan-out of a hued node beside a C relay that commits each message before it passes it on
(relay.c), in turn.

    Tests/Bench/Floor/network REPETITIONS [WORKLOAD...]. For Scripts/bench.

    W4        one watcher of 1,000 colors, 100 edits a second; W4-large: of 100,000 colors
    W5        200 watchers, all edits at once; W5-paced: 50 edits a second
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from benching import BENCH, NOTES, Processes, await_ready, compile_c, field, line, significant

WORK = Path(".bench/network")
PORT = os.environ.get("HUED_BENCH_PORT", "9871")
# Colors, watchers, edits, edits a second.
SETTINGS = {"W4": (1000, 1, 500, 100), "W4-large": (100000, 1, 500, 100),
            "W5": (1000, 200, 500, 0), "W5-paced": (1000, 200, 200, 50)}
FIELDS = ["deliveries", "deliveries_per_s", "p50_us", "p99_us"]


def commands(peer, colors, watchers, edits, rate):
    """Who serves, who watches and who writes."""
    colors, watchers, edits, rate = map(str, (colors, watchers, edits, rate))
    database, hello = str(WORK / "db"), str(NOTES / f"hued-bench-{PORT}/hello")
    load = [".bench/load", "watch", PORT]
    if peer == "limit":
        return ([".bench/relay", PORT, database], [*load, "/", "relay", watchers, "-", "0", edits, "120"],
                [".bench/load", "write", PORT, "/", "relay", edits, rate, "120"])
    watcher = ([BENCH, "watcher", PORT, edits, "120"] if watchers == "1"
               else [*load, "/sync", "hued.sync.v1", watchers, hello, "3", edits, "120"])
    return ([BENCH, "server", "--port", PORT, "--db", database, "--colors", colors], watcher,
            [BENCH, "writer", PORT, edits, rate, colors])


def run(workload, peer):
    """What the watchers measured, as (workload, metric, peer, value)."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    server_command, watcher_command, writer_command = commands(peer, *SETTINGS[workload])
    with Processes() as processes:
        server = processes.start(server_command)
        await_ready(server)
        watcher = processes.start(watcher_command)
        await_ready(watcher)
        time.sleep(0.3)
        with open(WORK / "writer", "w") as told:
            writer = subprocess.Popen(writer_command, stdin=subprocess.PIPE, stdout=told)
            processes.running.append(writer)
            writer.stdin.write(b"go\n" if peer == "ours" else b"")
            writer.stdin.close()
        measured = line(watcher)
        if writer.wait():
            sys.exit(f"{writer_command} failed")
        values = [(name, field(measured, name)) for name in FIELDS]
        status = Path(f"/proc/{server.pid}/status").read_text()
        values.append(("server_rss_kib", re.search(r"VmHWM:\s*([0-9]+)", status)[1]))
    return [(workload, name, peer, value) for name, value in values if value]


def table(rows):
    values = {}
    for workload, metric, peer, value in rows:
        values.setdefault((workload, metric), {}).setdefault(peer, []).append(float(value))
    yield f"{'metric':<28} {'hued min':>12} {'hued median':>12} {'limit median':>12} {'times':>8}"
    for key in sorted(values):
        ours, limit = (sorted(values[key].get(peer, [0])) for peer in ["ours", "limit"])
        median, floor = (numbers[(len(numbers) - 1) // 2] for numbers in [ours, limit])
        yield f"{' '.join(key):<28} {significant(ours[0]):>12} {significant(median):>12} " \
              f"{significant(floor):>12} {median / floor if floor else 0:8.2f}"


def measure(repetitions, workloads):
    for program in ["relay", "load"]:
        compile_c(program, "-lwebsockets", "-lsqlite3", "-lssl", "-lcrypto")
    rows = []
    try:
        for repetition in range(repetitions):
            for workload in workloads or SETTINGS:
                # Who begins changes, so that neither always inherits the other's caches and writes.
                for peer in ["limit", "ours"] if repetition % 2 else ["ours", "limit"]:
                    rows += run(workload, peer)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    with open(".bench/network.jsonl", "a") as results:
        results.writelines("\t".join(row) + "\n" for row in rows)
    return rows


if __name__ == "__main__":
    for row in table(measure(int(sys.argv[1]), sys.argv[2:])):
        print(row, flush=True)
