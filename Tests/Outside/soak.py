"""Scripts/soak [MINUTES]: a hub and two nodes at work for 30 minutes, with flat memory and files.

Both nodes reach the hub through a relay that cuts every connection now and then; watchers come and
go; somebody edits all the time. Every ten seconds the memory and the open files of the three
processes are read. It fails when one grew by more than 1 MiB in 10 minutes over the second half, when
files stay open, or when the three do not agree at the end. HUED names another binary than the release.
"""
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import codes
from processes import ROOT

HUED = os.environ.get("HUED") or str(ROOT / ".build/release/hued")
GROWTH_LIMIT_KIB = 1024.0  # in ten minutes
COLORS = 100


class Relay:
    """Passes connections on to a port, and cuts them all when told."""

    def __init__(self, target):
        self.target, self.open, self.lock = target, set(), threading.Lock()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.server.accept()
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            with self.lock:
                self.open |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self.copy, args=(source, sink), daemon=True).start()

    def copy(self, source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        with self.lock:
            self.open -= {source, sink}
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        source.close()

    def cut(self):
        with self.lock:
            ends = list(self.open)
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Node:
    def __init__(self, folder, name):
        self.name, self.home, self.process = name, os.path.join(folder, name), None

    def run(self, *arguments):
        result = subprocess.run([HUED, "--home", self.home, *arguments], capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"{self.name}: hued {' '.join(arguments)}: {result.stderr}")
        return result.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    def serve(self, *flags):
        log = open(self.home + ".log", "ab")
        self.process = subprocess.Popen(
            [HUED, "--home", self.home, "serve", "--listen", "127.0.0.1:0", *flags],
            stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} does not start: see {self.home}.log")
        return int(line.rsplit(":", 1)[1])

    def memory(self):
        """Resident memory in KiB; that of the process alone, without the pages of files."""
        with open(f"/proc/{self.process.pid}/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return int(fields["VmRSS"].split()[0]), int(fields["RssAnon"].split()[0])

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=10)


def until(what, seconds, condition):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"no {what} within {seconds} s")
        time.sleep(0.2)


def slope(samples):
    """The growth in ten minutes by least squares."""
    count = len(samples)
    middle = sum(time for time, _ in samples) / count
    mean = sum(value for _, value in samples) / count
    spread = sum((time - middle) ** 2 for time, _ in samples)
    return 600 * sum((time - middle) * (value - mean) for time, value in samples) / max(spread, 1e-9)


class Work:
    """Edits and watchers; about two edits a second."""

    def __init__(self, nodes):
        self.nodes, self.names, self.watchers, self.edits = nodes, [], [], 0

    def edit(self):
        node = random.choice(self.nodes)
        value = f"#{random.randrange(1 << 24):06x}"
        # Removed and changed by the node that added it: another may not know of it yet.
        if len(self.names) >= COLORS:
            owner, name = self.names.pop(random.randrange(len(self.names)))
            owner.run("remove", "Soak", name)
        elif self.names and random.random() < 0.5:
            owner, name = random.choice(self.names)
            owner.run(*random.choice([("set", "Soak", name, value), ("move", "Soak", name, "--at", "0"),
                                      ("note", "Soak", name, value)]))
        else:
            self.edits += 1
            name = f"color {self.edits}"
            node.run("add", "Soak", value, name)
            self.names.append((node, name))

    def watch(self):
        if len(self.watchers) >= 3 or self.watchers and random.random() < 0.3:
            self.leave(self.watchers.pop(0))
        self.watchers.append(subprocess.Popen(
            [HUED, "--home", random.choice(self.nodes).home, "watch", "Soak", "--json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def leave(self, watcher):
        watcher.send_signal(random.choice([signal.SIGINT, signal.SIGKILL]))
        watcher.wait()

    def stop(self):
        while self.watchers:
            self.leave(self.watchers.pop())


def report(nodes, samples, minutes):
    print(f"{'':8} {'min':>7} {'start':>7} {'middle':>7} {'end':>7}  KiB   growth in 10 min, second half")
    failed = False
    for node in nodes:
        for kind, index in (("rss", 1), ("anon", 2)):
            rows = [(row[0], row[index]) for row in samples[node.name]]
            half = rows[len(rows) // 2:]
            growth = slope(half)
            print(f"{node.name:5}{kind:4}{min(v for _, v in rows):7} {rows[0][1]:7} {half[0][1]:7} "
                  f"{rows[-1][1]:7}        {growth:+8.0f} KiB")
            # A short run is all warm-up.
            failed |= minutes >= 10 and growth > GROWTH_LIMIT_KIB
    return failed


def main():
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    with tempfile.TemporaryDirectory(prefix="hued-soak-") as folder:
        nodes = [Node(folder, name) for name in ("hub", "ann", "bob")]
        hub, work = nodes[0], Work(nodes)
        try:
            sys.exit(soak(nodes, hub, work, minutes))
        finally:
            work.stop()
            for node in nodes:
                if node.process and node.process.poll() is None:
                    node.process.kill()


def soak(nodes, hub, work, minutes):
    hub.run("new", "Soak")
    port = hub.serve()
    relay = Relay(port)
    join(nodes, hub, port, relay)
    until("agreement", 30, lambda: agree(nodes))
    base = {node.name: node.files() for node in nodes}
    samples = {node.name: [] for node in nodes}
    start = time.monotonic()
    due = {"edit": 0.0, "watch": 3.0, "cut": 30.0, "sample": 5.0}
    cuts = 0
    while (now := time.monotonic() - start) < minutes * 60:
        for kind, pause in (("edit", 0.5), ("watch", 5), ("cut", 45), ("sample", 10)):
            if now < due[kind]:
                continue
            due[kind] = now + pause
            if kind == "edit":
                work.edit()
            elif kind == "watch":
                work.watch()
            elif kind == "cut":
                relay.cut()
                cuts += 1
            else:
                for node in nodes:
                    samples[node.name].append((now, *node.memory(), node.files()))
        time.sleep(0.05)
    work.stop()
    until("agreement at the end", 60, lambda: agree(nodes))
    # The write-ahead log is opened once more when it has become long, and stays so.
    until("return of the files", 30, lambda: all(n.files() <= base[n.name] + 1 for n in nodes))
    failed = report(nodes, samples, minutes)
    most = {node.name: max(row[3] for row in samples[node.name]) for node in nodes}
    print(f"files: base {base}, most {most}, at the end {({n.name: n.files() for n in nodes})}")
    print(f"{work.edits} colors added, {cuts} times cut off, all agree: {hub.json('status')['digest']}")
    codes = [node.end() for node in nodes]
    if any(codes):
        print(f"exit codes {codes}")
    print("FAILED" if failed or any(codes) else "flat")
    return 1 if failed or any(codes) else 0


def join(nodes, hub, port, relay):
    """Joins through the relay: a code's addresses are tried in turn, and only the relay's is given."""
    for node in nodes[1:]:
        node.run("join", through(hub.run("share").strip(), port, relay.port))
        node.serve()


def through(code, port, relay):
    """The join code with another port in its address."""
    urls, *others = codes.read(code)
    old = f"127.0.0.1:{port}"
    if not any(old in url for url in urls):
        raise SystemExit("the join code has no address to replace")
    return codes.write([url.replace(old, f"127.0.0.1:{relay}") for url in urls], *others)


def agree(nodes):
    states = [node.json("status") for node in nodes]
    return len({state["digest"] for state in states}) == 1 and not any(s["pending"] for s in states)


if __name__ == "__main__":
    main()
