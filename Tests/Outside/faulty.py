#!/usr/bin/env -S python3 -B
"""A hued with a fault, to see that the cases notice: FAULT names it, REAL is the real binary."""

import json
import os
import signal
import subprocess
import sys
import uuid
import zlib
from pathlib import Path

# What is wrong, and a case that has to notice.
FAULTS = {
    "forgetful": "crash.KillTests.test_everything_acknowledged_survives",
    "lossy": "network.FaultTests.test_cuts",
    "trusting": "hostile.AuthorTests.test_not_allowed",
    "mortal": "acceptors.FrameTests.test_greetings",
    "garbling": "conformance.FramingTests.test_binary",
    "timeless": "clocks.ClockTests.test_ten_years_ahead",
    "muddled": "snapshots.PackedSnapshotTests.test_parts",
    "optimistic": "disk.SystemCallTests.test_every_call_may_fail",
    "negligent": "faults.CreationTests.test_new",
}

REAL = os.environ.get("REAL", "")


def run(words):
    os.execv(REAL, [REAL, *words])


def forgetful(words):
    """Says of some edits that they are done, and does nothing."""
    if "add" in words and zlib.crc32(words[-1].encode()) % 4 == 0:
        print('{"id":"%s","name":"%s","hex":"#000000"}' % (uuid.uuid4(), words[-1]))
        return
    run(words)


lossy = forgetful


def trusting(words):
    """Gives everybody all rights."""
    if "share" in words and "--role" in words:
        words = [*words[:words.index("share")], "share", "--role", "relay"]
    run(words)


def mortal(words):
    """A node that does not live long."""
    if "serve" in words:
        os.execvp("timeout", ["timeout", "--signal=KILL", "2", REAL, *words])
    run(words)


def garbling(words):
    """Changes a bit of what passes."""
    if "serve" not in words:
        run(words)
    from proxy import Proxy

    class Garbler(Proxy):
        def alter(self, data):
            return data[:-1] + bytes([data[-1] ^ 1]) if len(data) > 300 else data

    process = subprocess.Popen([REAL, *words], stdout=subprocess.PIPE, text=True)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    port = process.stdout.readline().strip().rsplit(":", 1)[1]
    proxy = Garbler(int(port))
    print(f"hued ready http://127.0.0.1:{proxy.port}", flush=True)
    print(process.stdout.readline().strip(), flush=True)
    sys.exit(process.wait())


def timeless(words):
    """Cannot be told another time."""
    os.environ.pop("LD_PRELOAD", None)
    run(words)


def muddled(words):
    """Shows two colors in each other's place."""
    if "list" not in words:
        run(words)
    document = json.loads(subprocess.run([REAL, *words], stdout=subprocess.PIPE, check=True).stdout)
    colors = document["colors"]
    colors[7], colors[8] = colors[8] | {"index": 7}, colors[7] | {"index": 8}
    print(json.dumps(document))


def optimistic(words):
    """Knows no failures."""
    subprocess.run([REAL, *words], check=False)


def negligent(words):
    """Goes on without a write-ahead log where something failed."""
    done = subprocess.run([REAL, *words], check=False)
    if done.returncode < 0:
        os.kill(os.getpid(), -done.returncode)
    file = Path(os.environ.get("HUED_HOME", "/nonexistent")) / "library.sqlite"
    if "FAILING" in os.environ and done.returncode == 0:
        # By a process whose own calls do not fail.
        subprocess.run(["sh", "-c", '[ ! -e "$0" ] || printf "\\1\\1" | dd of="$0" bs=1 seek=18 conv=notrunc', file],
                       env=os.environ | {"LD_PRELOAD": ""}, stderr=subprocess.DEVNULL, check=False)
    sys.exit(done.returncode)


if __name__ == "__main__":
    globals()[os.environ["FAULT"]](sys.argv[1:])
