"""The ratios of hued to its floors, kept from one commit to the next (Tests/Bench/ratios.json).

One slower step after the other is never seen: each is within the noise. So a run is compared with what
was kept, each workload by itself and all of them together since the commit that is named there."""

import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

KEPT = Path("Tests/Bench/ratios.json")
# How much worse a workload may be, and all of them on average.
WORKLOAD_LIMIT, SUM_LIMIT = 1.10, 1.05
# What says how fast a workload is; of these, more is better.
TIMES, RATES = ["wall_s", "p50_us"], ["deliveries_per_s"]


def ratios(rows):
    """Of (workload, metric, peer, value): how many times slower than the floor each metric is."""
    values = {}
    for workload, metric, peer, value in rows:
        if metric in TIMES or metric in RATES and float(value) > 0:
            values.setdefault((workload, metric), {}).setdefault(peer, []).append(float(value))
    found = {}
    for (workload, metric), peers in values.items():
        if "ours" in peers and "limit" in peers:
            ours, limit = statistics.median(peers["ours"]), statistics.median(peers["limit"])
            if ours > 0 and limit > 0:
                found[f"{workload} {metric}"] = limit / ours if metric in RATES else ours / limit
    return found


def compare(now, kept):
    """A line for each metric, and those of which too much was lost."""
    lost = []
    changes = {name: now[name] / kept["ratios"][name] for name in sorted(now) if name in kept["ratios"]}
    lines = [f"{'times the floor':<28} {'kept':>8} {'now':>8} {'change':>8}"]
    for name, change in changes.items():
        lines.append(f"{name:<28} {kept['ratios'][name]:8.3f} {now[name]:8.3f} {change - 1:+8.1%}")
        if change > WORKLOAD_LIMIT:
            lost.append(f"{name} is {change - 1:.0%} slower")
    if changes:
        mean = math.exp(statistics.mean(math.log(change) for change in changes.values()))
        lines.append(f"{'all, since ' + kept['commit']:<46} {mean - 1:+8.1%}")
        if mean > SUM_LIMIT:
            lost.append(f"all together are {mean - 1:.0%} slower since {kept['commit']}")
    return lines, lost


def keep(now):
    """Keeps the ratios as those of the present commit; metrics that were not measured stay."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, text=True, check=True)
    old = json.loads(KEPT.read_text())["ratios"] if KEPT.exists() else {}
    rounded = {name: float(f"{ratio:.3g}") for name, ratio in now.items()}
    text = json.dumps({"commit": commit.stdout.strip(), "ratios": old | rounded}, indent=2, sort_keys=True)
    KEPT.write_text(text + "\n")


def check(now):
    """Prints the comparison with what is kept; fails where too much was lost."""
    lines, lost = compare(now, json.loads(KEPT.read_text()))
    print(*lines, sep="\n", flush=True)
    if lost:
        sys.exit("slower than what is kept in Tests/Bench/ratios.json: " + "; ".join(lost))


def test():
    """What is compared and what is found, with made-up figures."""
    rows = [("W1", "wall_s", "ours", "2"), ("W1", "wall_s", "limit", "1"), ("W1", "rss_kib", "ours", "9"),
            ("W5", "deliveries_per_s", "ours", "600"), ("W5", "deliveries_per_s", "limit", "100"),
            ("W6", "wall_s", "ours", "1")]
    now = ratios(rows)
    assert now == {"W1 wall_s": 2, "W5 deliveries_per_s": 1 / 6}, now
    kept = {"commit": "abc", "ratios": {"W1 wall_s": 1.9, "W5 deliveries_per_s": 1 / 6, "W7 wall_s": 1}}
    assert compare(now, kept)[1] == [], "5 % are within a workload's limit"
    kept["ratios"]["W1 wall_s"] = 1.5
    assert len(compare(now, kept)[1]) == 2, "a third is not, and pulls the mean along"
    kept["ratios"] = {"W1 wall_s": 1.86, "W5 deliveries_per_s": 0.155}
    assert len(compare(now, kept)[1]) == 1, "two small losses are one loss"
