"""What an item costs as libraries grow: Scripts/bench growth [PART[:SIZE,SIZE...]...]. For Scripts/bench.

    palettes         libraries of 100 to 99,900 palettes of 20 colors: commands, join, return
    palette          one palette of 1,000 to 249,000 colors: commands, join
    colors library   the store alone, see GrowthBench
    history          a million edits of one palette
    connections      10 to 5,000 machines connected, 50 of them on the palette that is edited: memory
                     of each, processor time to connect, latency of edits
    tls              the same through TLS
    W1 W2 W3 W6 W7   these workloads from 1,000 to 250,000 colors (W6 to 1,000,000), for each color or edit
    W4               p50 and p99 of live edits in palettes of 1,000 and 100,000 colors

Beside each row stands the exponent of its curve, from the least to the greatest size (0: it costs what
it costs in a small library, 1: it grows with it), and the goal where there is one.
"""

import math
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import network
from benching import BENCH, NOTES, Processes, compile_c, field, line, output, significant

WORK = Path(".bench/growth")
PORT = os.environ.get("HUED_BENCH_PORT", "9873")
PARTS = "palettes palette history connections tls colors library W1 W2 W3 W6 W7 W4".split()
CONNECTIONS = ["10", "50", "1000", "5000"]
STEADY = "at most 1.5 times the least"
GOALS = {
    "call_status_of_palette": STEADY, "call_add": STEADY, "call_list": STEADY, "call_list_by_name": STEADY,
    "call_new": STEADY, "palettes_return_processor_hub": "under 10000",
    "http_metrics": "under 50000", "http_readyz": "under 50000", "node_start": "under 300000",
    "palettes_join_per_color": "at most twice palette_join_per_color at 100000",
    "palettes_join_memory_client": "under 200", "palettes_join_memory_hub": "under 200",
    "connection_memory": "4096", "connection_processor": "exponent 0",
    "edit_to_machines_p99_us": "under twice that of 50",
    "tls_edit_to_machines_p99_us": "at most 1.5 times that without TLS",
    "palette_add_at_5": "at most twice palette_add_at_end",
}


def workload(name, sizes):
    """A workload in microseconds for each color or edit."""
    for size in sizes or ["1000", "10000", "100000", "1000000" if name == "W6" else "250000"]:
        metric, items, more = "wall_s", int(size), ["--edits", size]
        if name == "W1":
            more = []
        elif name == "W3":
            items *= 2
        elif name == "W6":
            metric, more = "scattered_full_s", ["--block", "100", "--shuffle", "100"]
        for text in output([BENCH, name, "-n", size, *more]).splitlines():
            if field(text, "peer") == "ours" and field(text, "metric") == metric:
                cost = float(field(text, "value")) * 1e6 / items
                yield f"{name} {metric}", size, significant(cost, 6), "us"


def memory(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return next(int(text.split()[1]) for text in status.splitlines() if text.startswith("VmRSS"))


def ticks(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def connections(count, name="", server_options=(), environment=None):
    """All but 50 of the machines look at another palette than the one that is edited."""
    count, edits = int(count), "500"
    concerned = min(count, 50)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3 * count + 1000, hard))
    compile_c("load", "-lssl", "-lcrypto")
    notes, environment = NOTES / f"hued-bench-{PORT}", os.environ | (environment or {})
    with Processes() as processes:
        server = processes.start(
            [BENCH, "server", "--port", PORT, "--db", WORK / "db", "--colors", "1000", *server_options])
        line(server)
        before, busy = memory(server), ticks(server)
        if count > concerned:
            others = str(count - concerned)
            line(processes.start(
                [".bench/load", "idle", PORT, "/sync", "hued.sync.v1", others, notes / "hello-elsewhere", "3"],
                env=environment, stderr=subprocess.DEVNULL), 300)
            yield f"{name}connection_memory", count, (memory(server) - before) * 1024 // int(others), "B"
            yield f"{name}connection_processor", count, (ticks(server) - busy) * 10000 // int(others), "us"
        watcher = processes.start(
            [".bench/load", "watch", PORT, "/sync", "hued.sync.v1", str(concerned), notes / "hello", "3", edits,
             "120"], env=environment)
        line(watcher)
        writer = processes.start([BENCH, "writer", PORT, edits, "100", "1000"], stdin=subprocess.PIPE,
                                 env=environment)
        writer.stdin.write(b"go\n")
        writer.stdin.close()
        measured = line(watcher, 180)
        for metric in ["p50_us", "p99_us"]:
            yield f"{name}edit_to_machines_{metric}", count, field(measured, metric), "us"


def tls(sizes):
    key, certificate = WORK / "key.pem", WORK / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
        stderr=subprocess.DEVNULL, check=True)
    for count in sizes or CONNECTIONS:
        yield from connections(count, "tls_", ["--certificate", certificate, "--key", key], {"LOAD_TLS": "yes"})


def part(argument):
    """The rows of a part: metric, size, value, unit."""
    name, _, sizes = argument.partition(":")
    sizes = sizes.split(",") if sizes else []
    if name == "W4":
        for row in network.table(network.measure(3, ["W4", "W4-large"])):
            print(row, file=sys.stderr)
    elif name.startswith("W"):
        yield from workload(name, sizes)
    elif name == "connections":
        for count in sizes or CONNECTIONS:
            yield from connections(count)
    elif name == "tls":
        yield from tls(sizes)
    else:
        for text in output([BENCH, "GROWTH", name, *sizes]).splitlines():
            if field(text, "size"):
                yield tuple(field(text, key) for key in ["metric", "size", "value", "unit"])


def table(rows):
    curves = {}
    for metric, size, value, unit in rows:
        curves.setdefault(metric, (unit, []))[1].append((float(size), float(value)))
    for metric, (unit, points) in curves.items():
        (first, low), (last, high) = points[0], points[-1]
        exponent = f"{math.log(high / low) / math.log(last / first):5.2f}" if last > first and low > 0 < high else ""
        cells = "".join(f"  {size:8.0f}: {significant(value):<9}" for size, value in points)
        goal = f"   goal: {GOALS[metric]}" if metric in GOALS else ""
        yield f"{metric:<36} {unit:>4} {exponent:5} {cells}{goal}"


def run(arguments):
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ["HUED_BENCH_FOLDER"] = str(WORK.absolute())
    rows = []
    try:
        with open(".bench/growth.tsv", "a") as results:
            for argument in arguments or PARTS:
                for row in part(argument):
                    rows.append(row)
                    results.write("\t".join(map(str, row)) + "\n")
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    for row in table(rows):
        print(row, flush=True)


if __name__ == "__main__":
    run(sys.argv[1:])
