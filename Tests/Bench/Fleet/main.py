"""Measures a fleet of hubs beside one hub alone, and beside the least that appends; `Scripts/bench-fleet` tells how."""

import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUILT = Path(os.environ.setdefault("HUED", ".build/release/hued"))
# Behind everything else: modules of the same name are those of this folder.
sys.path.append(str(Path(__file__).resolve().parents[2] / "Outside"))

WORK, RESULTS = Path(".bench/fleet"), Path(".bench/fleet.jsonl")
HERE = Path("Tests/Bench/Fleet")
PARTS = ["edits", "appends", "import", "take-over", "many", "fan-out", "idle", "in-turn"]
COLORS = {"small": 100, "large": 100_000}


def build():
    if "HUED_BUILT" not in os.environ:
        for product in ["hued", "hued-fleet"]:
            subprocess.run(["swift", "build", "--configuration", "release", "--product", product, "--static-swift-stdlib"],
                           stdout=sys.stderr, check=True)
    include = subprocess.run(["pkg-config", "--cflags", "--libs", "libpq"], stdout=subprocess.PIPE, text=True, check=True)
    for name, flags in [("append", include.stdout.split()), ("clients", [])]:
        command = ["clang", "-std=c17", "-O2", "-Wall", "-Wextra", "-Werror", "-o", WORK / name, HERE / f"{name}.c"]
        subprocess.run([*command, *flags], check=True)


WORK.mkdir(parents=True, exist_ok=True)
build()

from database import Database, Hub  # noqa: E402, the binary has to be there
from processes import Home, Node, wait_for  # noqa: E402


class Ground:
    """A database on the disk, a home with palettes, and hubs that come and go."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hued-bench-", dir=WORK.absolute()))
        # What a server does that is to keep what it said.
        self.database = Database("fsync=on", "max_wal_size=4GB")
        self.hubs = []
        self.numbers = {}
        self.tokens = {}
        self.homes = {size: self.make_home(size) for size in COLORS}

    def make_home(self, size):
        home = Home(folder=self.folder / f"home-{size}")
        home.hued("new", "Bench")
        file = self.folder / "colors.hex"
        file.write_text("".join(f"{number * 7919 % 16777216:06x}\n" for number in range(1, COLORS[size] + 1)))
        home.hued("import", file, "--palette", "Bench", within=120)
        self.tokens[size] = home.hued("token", "Bench", "--role", "editor")["token"]
        return home

    def color(self, size):
        return self.homes[size].hued("list", "Bench", within=120)["colors"][0]["id"]

    def environment(self, _=None):
        return {key: value for key, value in os.environ.items() if not key.startswith(("HUED_", "PG"))} | {
            "HUED_DATABASE": self.database.url(), "LC_ALL": "C.UTF-8"}

    def fleet(self, *arguments):
        done = subprocess.run([BUILT.with_name("hued-fleet"), "--json", *map(str, arguments)], env=self.environment(),
                              stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    def hub(self, *flags):
        hub = Hub(self, f"hub{len(self.hubs)}", *flags)
        self.hubs.append(hub)
        return hub

    def end_hubs(self):
        for hub in self.hubs:
            hub.stop()
            hub.close()
            shutil.rmtree(self.folder / hub.name, ignore_errors=True)
        self.hubs = []

    def remove(self):
        self.end_hubs()
        self.database.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


def clients(lines, rate, seconds):
    """What those measured who edited and watched."""
    file = WORK / "lines"
    file.write_text("".join(" ".join(map(str, line)) + "\n" for line in lines))
    process = subprocess.Popen([WORK / "clients", file, str(rate), str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    if process.stdout.readline() != "READY\n":
        sys.exit("the clients were not let in")
    process.stdin.write("go\n")
    process.stdin.close()
    measured = process.stdout.readline()
    if process.wait():
        sys.exit("the clients failed")
    return json.loads(measured)


def pair(ground, port, path, size="small"):
    """Somebody who edits a library, and somebody who watches it."""
    color = ground.color(size)
    return [(role, "127.0.0.1", port, path, ground.tokens[size], "Bench", color) for role in ["edit", "watch"]]


def tell(part, name, **values):
    print(f"{part:10} {name:34} " + "  ".join(f"{key} {value}" for key, value in values.items()), flush=True)
    with RESULTS.open("a") as file:
        file.write(json.dumps({"part": part, "name": name} | values) + "\n")


def median(runs, key):
    return round(statistics.median(run[key] for run in runs))


def measure_edits(ground, repetitions):
    """One edit after the other: to its answer, and to another watcher."""
    hubs = [ground.hub() for _ in range(3)]
    for number in range(3):
        ground.fleet("import", ground.homes["small"].folder, f"edits{number}")
    alone = Node(ground.homes["small"])
    spread = [(hub.port, f"/l/edits{number}") for number, hub in enumerate(hubs)]
    # The other two hubs rest where there is one alone.
    places = {"one hub on SQLite": [(alone.port, "-")], "one hub on PostgreSQL": spread[:1], "three hubs on PostgreSQL": spread}
    runs = {name: [] for name in places}
    for repetition in range(repetitions):
        for name in list(places)[::-1 if repetition % 2 else 1]:
            lines = [line for port, path in places[name] for line in pair(ground, port, path)]
            runs[name].append(clients(lines, 0, 3))
    for name, measured in runs.items():
        keys = ["answer_p50_us", "answer_p99_us", "delivery_p50_us", "delivery_p99_us"]
        tell("edits", name, **{key: median(measured, key) for key in keys})
    alone.stop()
    alone.close()
    ground.end_hubs()


def numbers(hub):
    """The number of appends of a hub, and the seconds that they took."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=10)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return [float(re.search(rf"^hued_fleet_append_seconds_{what} (\S+)$", text, re.MULTILINE)[1]) for what in ["count", "sum"]]


class Floor:
    """The statement and the bytes that a hub has sent, for the least that appends."""

    def __init__(self, ground):
        self.ground = ground
        text = ground.database.execute("SELECT query FROM pg_stat_activity WHERE application_name = 'hued-fleet' "
                                       "AND query LIKE '%INSERT INTO entry%' LIMIT 1")
        (WORK / "statement").write_text(text)
        assert "INSERT INTO entry" in text, "no hub has appended anything"

    def keep(self, pattern, first, most=1_000_000):
        """Keeps the entries of a library, or of several, behind a number."""
        rows = self.ground.database.execute(
            "SELECT encode(e.changes, 'hex') FROM entry e JOIN library l ON l.id = e.library "
            f"WHERE l.name LIKE '{pattern}' AND e.number > {first} AND e.changes IS NOT NULL ORDER BY e.number LIMIT {most}").split()
        with (WORK / "entries").open("wb") as file:
            for row in rows:
                changes = bytes.fromhex(row)
                file.write(len(changes).to_bytes(4, "little") + changes)
        return len(rows), (WORK / "entries").stat().st_size

    def run(self, rate):
        self.ground.database.execute(
            "DELETE FROM library WHERE name = 'floor'; "
            "INSERT INTO library (id, name, schema, owner, epoch, head, hash, image, image_epoch, image_parts, image_hash, bytes, "
            "created) VALUES (gen_random_uuid(), 'floor', 1, 1, 1, 0, decode(repeat('00', 16), 'hex'), 0, 0, 0, '', 0, now())")
        done = subprocess.run([WORK / "append", self.ground.database.url(), WORK / "statement", WORK / "entries", str(rate)],
                              stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)


def head(ground, name):
    return next(each["head"] for each in ground.fleet("list")["libraries"] if each["name"] == name)


def measure_appends(ground, repetitions):
    """The time that a hub waits for the database at each edit, and what the same bytes cost in C."""
    ground.fleet("import", ground.homes["small"].folder, "appends")
    hub = ground.hub()
    lines = pair(ground, hub.port, "/l/appends")
    clients(lines, 100, 1)
    ours, floors = [], []
    # Short and often, since other work of the machine comes and goes.
    for _ in range(3 * repetitions):
        first, before = head(ground, "appends"), numbers(hub)
        clients(lines, 100, 1.5)
        after = numbers(hub)
        ours.append((after[1] - before[1]) / (after[0] - before[0]) * 1e6)
        floor = Floor(ground)
        floor.keep("appends", first)
        floors.append(floor.run(100))
    mean, least = statistics.median(ours), statistics.median(floor["mean_us"] for floor in floors)
    ratios = statistics.median(hued / floor["mean_us"] for hued, floor in zip(ours, floors))
    tell("appends", "mean of an append", hued_us=round(mean), floor_us=round(least), times=round(mean / least, 2),
         median_of_ratios=round(ratios, 2), least_hued_us=round(min(ours)), least_floor_us=min(each["mean_us"] for each in floors),
         floor_p50_us=median(floors, "p50_us"), floor_p99_us=median(floors, "p99_us"))
    ground.end_hubs()


def measure_import(ground, repetitions):
    """100,000 colors that somebody imports at home, until a hub has them."""
    file = ground.folder / "colors.hex"
    seconds = {"one hub on SQLite": [], "one hub on PostgreSQL": []}
    floors = []
    for number in range(repetitions):
        for name in seconds:
            home = Home(folder=ground.folder / "guest")
            if "SQLite" in name:
                place = Home(folder=ground.folder / "place")
                node = Node(place)
                code = place.hued("share", "--role", "owner")["code"]
            else:
                node = ground.hub()
                code = ground.fleet("new", f"import{number}")["code"]
            guest = Node(home)
            home.hued("join", code)
            start = time.monotonic()
            home.hued("import", file, "--palette", "Guest", within=120)
            wait_for(lambda: home.status()["pending"] == 0, within=120, what="an import")
            seconds[name].append(time.monotonic() - start)
            if "SQLite" not in name:
                floor = Floor(ground)
                count, size = floor.keep(f"import{number}", 1)
                floors.append(floor.run(0)["wall_s"] if count else 0)
            for each in [guest, node]:
                each.stop()
                each.close()
            ground.hubs = []
            for folder in ["guest", "place", "hub0"]:
                shutil.rmtree(ground.folder / folder, ignore_errors=True)
    for name, values in seconds.items():
        tell("import", name, seconds=round(statistics.median(values), 2))
    tell("import", "its entries, floor", seconds=round(statistics.median(floors), 2), entries=count, KiB=size // 1024)


def measure_take_over(ground, repetitions):
    """The time until a hub that has never had a library answers for it."""
    for size in COLORS:
        ground.fleet("import", ground.homes[size].folder, f"taken-{size}")
        times = []
        for _ in range(repetitions):
            hub = ground.hub()
            wait_for(lambda: ask(hub, "/readyz", ground.tokens[size]) == 200, what="a hub that is ready")
            start = time.monotonic()
            wait_for(lambda: ask(hub, f"/l/taken-{size}/p/Bench.css", ground.tokens[size]) == 200, within=30,
                     what="a library that is open", every=0.002)
            times.append(time.monotonic() - start)
            ground.end_hubs()
        tell("take-over", f"{COLORS[size]} colors", milliseconds=round(statistics.median(times) * 1000),
             worst=round(max(times) * 1000))


def ask(hub, path, token, address="127.0.0.1"):
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=30, source_address=(address, 0))
    try:
        connection.request("HEAD", path, headers={"Authorization": f"Bearer {token}"})
        return connection.getresponse().status
    finally:
        connection.close()


def copies(ground, count):
    """Libraries that are all like one, in place of earlier ones."""
    # The first that comes makes the tables.
    ground.fleet("list")
    ground.database.execute("""
        DELETE FROM entry WHERE library IN (SELECT id FROM library WHERE name LIKE 'many%' OR name = 'model');
        DELETE FROM library WHERE name LIKE 'many%' OR name = 'model'""")
    ground.fleet("import", ground.homes["small"].folder, "model")
    ground.database.execute(f"""
        CREATE TEMP TABLE made AS SELECT gen_random_uuid() AS id, 'many' || n AS name FROM generate_series(1, {count}) n;
        INSERT INTO library SELECT m.id, m.name, schema, NULL, epoch, head, hash, image, image_epoch, image_parts, image_hash,
          bytes, NULL, created FROM library l, made m WHERE l.name = 'model';
        INSERT INTO entry SELECT m.id, number, e.epoch, e.hash, changes FROM entry e, library l, made m
          WHERE e.library = l.id AND l.name = 'model';
        INSERT INTO image SELECT m.id, number, i.epoch, part, i.bytes FROM image i, library l, made m
          WHERE i.library = l.id AND l.name = 'model'""")


def measure_many(ground, seconds, count=1000, rate=500):
    """As many libraries as people, on three hubs, with a steady rate of edits."""
    copies(ground, count)
    hubs = [ground.hub() for _ in range(3)]
    color, token = ground.color("small"), ground.tokens["small"]
    lines = [("edit", f"127.1.{n // 200}.{n % 200 + 1}", hubs[n % 3].port, f"/l/many{n}", token, "Bench", color)
             for n in range(1, count + 1)]
    resting = [hub.memory() for hub in hubs]
    warm = clients(lines, rate, 10)
    before = [hub.memory() for hub in hubs]
    begun = [processor(hub) for hub in hubs]
    measured = clients(lines, rate, seconds)
    used = [processor(hub) - old for hub, old in zip(hubs, begun)]
    after = [hub.memory() for hub in hubs]
    # One append after the other, at the rate of one hub: what the machine grants at this time.
    floor = Floor(ground)
    floor.keep("many%", 1, rate * 5)
    least = floor.run(rate / 3)
    mebibytes = [[round(value / 2**20) for value in values] for values in (resting, before, after)]
    tell("many", f"{count} libraries, {rate} edits a second", seconds=seconds, edits=measured["edits"], refused=measured["errors"],
         p50_us=measured["answer_p50_us"], p99_us=measured["answer_p99_us"], max_us=measured["answer_max_us"],
         worst_10s_p99_us=measured["worst_10s_p99_us"], first_10s_p99_us=warm["answer_p99_us"],
         floor_p50_us=least["p50_us"], floor_p99_us=least["p99_us"], empty_MiB=mebibytes[0],
         before_MiB=mebibytes[1], after_MiB=mebibytes[2], processor_share=[round(each / seconds, 2) for each in used])
    ground.end_hubs()


def processor(hub):
    """The seconds of processor that a hub has used."""
    return processor_of(hub.process.pid)


def processor_of(pid, first=11, last=12):
    """The seconds of processor that a process has used; those of its ended children with other columns."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[first:last + 1]) / os.sysconf("SC_CLK_TCK")


def measure_fan_out(ground, repetitions, watching=180, seconds=5):
    """Three libraries with many who watch each, at one hub and at three: what they are told in a second."""
    tokens = [ground.homes["small"].hued("token", "Bench", "--role", "editor")["token"] for _ in range(watching // 60)]
    hubs = [ground.hub() for _ in range(3)]
    for number in range(3):
        ground.fleet("import", ground.homes["small"].folder, f"fan{number}")
        ground.fleet("import", ground.homes["small"].folder, f"spread{number}")
    color, runs = ground.color("small"), {"one hub": [], "three hubs": []}
    for repetition in range(repetitions):
        for name in list(runs)[::-1 if repetition % 2 else 1]:
            lines = []
            for number in range(3):
                place = (hubs[0].port, f"/l/fan{number}") if name == "one hub" else (hubs[number].port, f"/l/spread{number}")
                lines.append(("edit", "127.2.0.1", *place, ground.tokens["small"], "Bench", color))
                lines += [("watch", f"127.2.{number + 1}.{index + 1}", *place, tokens[index // 60], "Bench", color)
                          for index in range(watching)]
            before, children = [processor(hub) for hub in hubs], os.times().children_user + os.times().children_system
            # Each writer has one edit in flight.
            measured = clients(lines, -3, seconds)
            used = sum(processor(hub) for hub in hubs) - sum(before)
            other = os.times().children_user + os.times().children_system - children
            runs[name].append(measured | {"per_second": measured["deliveries"] / seconds, "hubs": used / seconds, "clients": other / seconds})
    for name, measured in runs.items():
        tell("fan-out", f"{3 * watching} watchers, {name}", deliveries_a_second=median(measured, "per_second"),
             delivery_p50_us=median(measured, "delivery_p50_us"), delivery_p99_us=median(measured, "delivery_p99_us"),
             answer_p50_us=median(measured, "answer_p50_us"),
             **{f"{key}_processor": round(statistics.median(run[key] for run in measured), 2) for key in ("hubs", "clients")})
    ground.end_hubs()


def rest(ground, hub, seconds):
    """The cost of a hub that nobody uses: processor, memory, transactions of the database."""
    def transactions():
        return int(ground.database.execute("SELECT xact_commit FROM pg_stat_database WHERE datname = 'fleet'"))
    # What a connection has done is told ten seconds later at most.
    time.sleep(11)
    first, used, start = transactions(), processor(hub), time.monotonic()
    time.sleep(seconds)
    passed = time.monotonic() - start
    return {"processor": round((processor(hub) - used) / passed, 4), "MiB": round(hub.memory() / 2**20),
            "transactions_a_second": round((transactions() - first - 1) / passed, 1)}


def visit(ground, hub, number):
    """The seconds until a library answers somebody who asks again until it does."""
    path, address = f"/l/many{number}/p/Bench.css", f"127.3.{number // 200}.{number % 200 + 1}"
    start = time.monotonic()
    wait_for(lambda: ask(hub, path, ground.tokens["small"], address) == 200, within=30, what=path, every=0.002)
    return time.monotonic() - start


def numbers_of(hub, name):
    """A number of a hub by its name in /metrics."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=10)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return int(re.search(rf"^hued_fleet_{name} (\S+)$", text, re.MULTILINE)[1])


def measure_idle(ground, count=10_000, visited=1000, seconds=30):
    """A hub whose fleet has many libraries that nobody uses: before there are any, with them, and after many were open."""
    hub = ground.hub()
    tell("idle", "no library", **rest(ground, hub, seconds))
    copies(ground, count)
    tell("idle", f"{count} libraries", **rest(ground, hub, seconds))
    for number in range(1, visited + 1):
        visit(ground, hub, number)
    tell("idle", "just after", open=numbers_of(hub, "open_libraries"), **rest(ground, hub, 5))
    wait_for(lambda: numbers_of(hub, "owned_libraries") == 0, within=180, what="libraries that are closed", every=1)
    tell("idle", f"{count} libraries, {visited} of which were open", **rest(ground, hub, seconds))
    ground.end_hubs()


def measure_in_turn(ground, count=1000, most=50):
    """A hub that may have few libraries open and serves many in turn, twice."""
    copies(ground, count)
    hub = ground.hub("--max-libraries", str(most))
    for name in ["first", "again"]:
        times = sorted(visit(ground, hub, number) for number in range(1, count + 1))
        tell("in-turn", f"{count} libraries, {most} at once, {name}", p50_ms=round(times[count // 2] * 1000, 1),
             p99_ms=round(times[count * 99 // 100] * 1000, 1), worst_ms=round(times[-1] * 1000, 1),
             open=numbers_of(hub, "open_libraries"), MiB=round(hub.memory() / 2**20))
    ground.end_hubs()


def main():
    words = sys.argv[1:]
    repetitions = int(words.pop(0)) if words and words[0].isdigit() else 7
    parts = words or PARTS
    ground = Ground()
    try:
        if "edits" in parts:
            measure_edits(ground, repetitions)
        if "appends" in parts:
            measure_appends(ground, repetitions)
        if "import" in parts:
            measure_import(ground, (repetitions + 2) // 3)
        if "take-over" in parts:
            measure_take_over(ground, repetitions)
        if "many" in parts:
            measure_many(ground, 60)
        if "fan-out" in parts:
            measure_fan_out(ground, repetitions)
        if "idle" in parts:
            measure_idle(ground)
        if "in-turn" in parts:
            measure_in_turn(ground)
    except SystemExit:
        for hub in ground.hubs:
            print("\n".join(f"  {hub.name}: {line}" for line in hub.lines[-5:]), file=sys.stderr)
        raise
    finally:
        ground.remove()


main()
