"""kill -9 of hub, nodes and commands under load: nothing acknowledged is lost, nothing stalls."""

import random
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from cases import Case
from faults import Shim
from processes import CommandFailed, join, wait_for
from rpc import RPC, ConnectionLost, RPCError
from running import sized
from websocket import HandshakeFailed


class Ledger:
    """What one writer was told about its colors.

    Each color belongs to one writer, which waits for an answer before it goes on; so a color is as
    the last acknowledged edit left it, or as one that was never answered would.
    """

    def __init__(self, name):
        self.name = name
        self.lock = threading.Lock()
        self.allowed = {}      # color's name -> hex values it may have; None among them: not there
        self.count = 0
        self.acknowledged = 0

    def fresh(self):
        self.count += 1
        return f"{self.name}-{self.count}"

    def begin(self, color, value):
        with self.lock:
            self.allowed.setdefault(color, {None}).add(value)

    def acknowledge(self, color, value):
        with self.lock:
            self.allowed[color] = {value}
            self.acknowledged += 1

    def check(self, case, listed):
        for color, values in self.allowed.items():
            case.assertIn(listed.get(color), values, f"{color} of {self.name}: acknowledged, then lost")


class Writer(threading.Thread):
    """Edits without pause, and notes what was acknowledged."""

    def __init__(self, home, name, seed):
        super().__init__(daemon=True)
        self.home = home
        self.ledger = Ledger(name)
        self.random = random.Random(seed)
        self.is_ending = threading.Event()
        self.problem = None

    def run(self):
        try:
            while not self.is_ending.is_set():
                self.edit()
        except Exception as error:  # told by `finish`
            self.problem = error

    def edit(self):
        known = [color for color, values in self.ledger.allowed.items() if values - {None}]
        value = f"#{self.random.randrange(1 << 24):06x}"
        if not known or self.random.random() < 0.6:
            color = self.ledger.fresh()
            self.attempt(color, value, "add", value=value, name=color)
        elif self.random.random() < 0.75:
            color = self.random.choice(known)
            self.attempt(color, value, "set", color=color, value=value)
        else:
            color = self.random.choice(known)
            self.attempt(color, None, "remove", colors=[color])

    def attempt(self, target, outcome, method, **parameters):
        self.ledger.begin(target, outcome)
        try:
            self.call(method, palette="Brand", **parameters)
            self.ledger.acknowledge(target, outcome)
        except (RPCError, CommandFailed) as error:
            # Whether an unanswered edit happened shows only now.
            if "not-found" not in str(error) and "not found" not in str(error) \
                    and "ambiguous" not in str(error) and "not-removed" not in str(error):
                raise
        except Unanswered:
            pass

    def finish(self):
        self.is_ending.set()
        self.join(60)
        if self.problem:
            raise self.problem


class Unanswered(Exception):
    """Nobody said whether the edit is done."""


class SocketWriter(Writer):
    """Edits through the node's Unix socket."""

    rpc = None

    def call(self, method, **parameters):
        try:
            if self.rpc is None:
                self.rpc = RPC(unix=str(self.home.folder / "node.sock"))
            self.rpc.call(method, **parameters)
        except (OSError, ConnectionLost, HandshakeFailed) as error:
            self.rpc = None
            self.is_ending.wait(0.02)
            raise Unanswered from error


class CommandWriter(Writer):
    """Edits by commands; some are killed."""

    def __init__(self, *arguments, kills=0.0):
        super().__init__(*arguments)
        self.kills = kills
        self.killed = 0

    def call(self, method, palette, value=None, name=None, color=None, colors=()):
        words = [method, palette, *([color] if color else []), *([value] if value else []),
                 *([name] if name else []), *colors]
        process = self.home.start("--json", *words)
        if self.random.random() < self.kills:
            # The end of the wait is a moment to strike at, not a condition to wait for.
            try:
                process.wait(self.random.uniform(0, 0.15))
            except subprocess.TimeoutExpired:
                process.kill()
                self.killed += 1
        out, err = process.communicate(timeout=60)
        if process.returncode < 0 or process.returncode == 7 and "node" in err:
            raise Unanswered
        if process.returncode != 0:
            if "unreachable" in err or "\"failed\"" in err or "locked" in err:
                # The node that was asked died, or one began while the command ran alone.
                raise Unanswered
            raise CommandFailed(words, subprocess.CompletedProcess(words, process.returncode, out, err))


class KillTests(Case):
    """Everyone is killed at random moments."""

    def test_everything_acknowledged_survives(self):
        kills = sized(6, 200)
        hub, hub_node, palette = self.hub()
        homes = [hub, self.joined(hub), self.joined(hub), self.joined(hub)]
        nodes = {home: self.node(home) for home in homes[1:3]} | {hub: hub_node}
        port = hub_node.port
        writers = [
            SocketWriter(homes[1], "socket", self.random.random()),
            CommandWriter(homes[2], "command", self.random.random(), kills=0.2),
            CommandWriter(homes[3], "alone", self.random.random(), kills=0.3),
            SocketWriter(hub, "hub", self.random.random()),
        ]
        for writer in writers:
            writer.start()
        for _ in range(kills):
            before = sum(writer.ledger.acknowledged for writer in writers)
            wait_for(lambda: any(w.problem for w in writers)
                     or sum(w.ledger.acknowledged for w in writers) > before, 30, "an edit")
            time.sleep(self.random.uniform(0, 0.2))  # the moment of the blow is random
            victims = self.random.sample(list(nodes), self.random.choice([1, 1, 1, 2]))
            for home in victims:
                nodes[home].kill()
            for home in victims:
                nodes[home] = self.node(home, port=port if home is hub else None)
        for writer in writers:
            writer.finish()
        self.assert_settled(homes[:3])
        # What was edited without a node waits for whoever syncs next.
        homes[3].hued("sync", "--wait", within=120)
        self.assert_settled(homes)
        print("  acknowledged:", {w.ledger.name: w.ledger.acknowledged for w in writers})
        listed = {c["name"]: c["hex"] for c in hub.hued("list", "Brand")["colors"]}
        for writer in writers:
            self.assertGreater(writer.ledger.acknowledged, 0, writer.ledger.name)
            writer.ledger.check(self, listed)
        for home in homes:
            self.assert_healthy(home)
        self.verify(hub, nodes[hub], palette)

    def verify(self, hub, node, palette):
        """A stranger's merge of all changes comes to the same digest."""
        client = self.peer(hub, node).live()
        self.assertEqual(client.summary().hex(), hub.digest())
        client.hang_up()
        return client


class RollbackTests(Case):
    """A hub that comes back from an old backup."""

    def grown(self):
        """A hub with a node, a backup of it, and what both made since."""
        hub, hub_node, palette = self.hub()
        other = self.joined(hub)
        other_node = self.node(other)
        hub.hued("add", "Brand", "#000001", "early hub")
        other.hued("add", "Brand", "#000002", "early other")
        self.assert_settled([hub, other])
        backup = hub.folder / "backup.sqlite"
        hub.hued("backup", str(backup), "--yes")
        for number in range(5):
            hub.hued("add", "Brand", f"#0000f{number}", f"late hub {number}")
            other.hued("add", "Brand", f"#00f00{number}", f"late other {number}")
        hub.hued("set", "Brand", "early other", "#123456")
        other.hued("rename", "Brand", "early hub", "renamed")
        self.assert_settled([hub, other])
        witness = self.peer(hub, hub_node).live()
        witness.hang_up()
        dots = {(node, sequence): data for node, sequence, data in witness.palettes[palette].log}
        return hub, hub_node, other, palette, backup, dots

    def check(self, hub, hub_node, other, palette, dots, names):
        self.assert_settled([hub, other], within=20)
        self.assertEqual(hub.names("Brand"), names | {"new"})
        client = self.peer(hub, hub_node).live()
        for node, sequence, data in client.palettes[palette].log:
            self.assertEqual(dots.get((node, sequence), data), data, f"{node:016x}:{sequence} reused")
        self.assertEqual(client.summary().hex(), other.digest())
        for home in (hub, other):
            self.assert_healthy(home)

    def test_recovered_hub_gets_everything_back(self):
        hub, hub_node, other, palette, backup, dots = self.grown()
        names = hub.names("Brand")
        port = hub_node.port
        hub_node.stop()
        hub.hued("recover", str(backup), "--yes")
        hub.hued("add", "Brand", "#abcdef", "new")
        hub_node = self.node(hub, port=port)
        self.check(hub, hub_node, other, palette, dots, names)

    def test_copied_back_files_make_no_dot_twice(self):
        hub, hub_node, other, palette, backup, dots = self.grown()
        names = hub.names("Brand")
        port = hub_node.port
        hub_node.kill()
        for rest in ("-wal", "-shm"):
            (hub.folder / f"library.sqlite{rest}").unlink(missing_ok=True)
        (hub.folder / "library.sqlite").write_bytes(backup.read_bytes())
        hub.hued("add", "Brand", "#abcdef", "new")
        hub_node = self.node(hub, port=port)
        self.check(hub, hub_node, other, palette, dots, names)


class CatchUpTests(Case):
    """Catching up that is cut short goes on where it was."""

    def test_a_node_killed_while_it_catches_up(self):
        hub, hub_node, palette = self.hub()
        count = sized(1500, 20_000)
        listing = "".join(f"#{number:06x}\tcolor {number}\n" for number in range(count))
        (hub.folder / "many.txt").write_text(listing)
        hub.hued("import", str(hub.folder / "many.txt"), "--palette", "Brand", within=300)
        home = self.home()
        code = hub.hued("share")["code"]
        joining = home.start("join", code)
        time.sleep(self.random.uniform(0.02, 0.3))  # a random moment of the catch-up
        joining.kill()
        joining.communicate()
        if home.peer() is None:
            join(home, hub)
        node = self.node(home)
        for _ in range(sized(3, 20)):
            time.sleep(self.random.uniform(0.02, 0.2))  # a random moment
            node.kill()
            node = self.node(home)
        self.assert_settled([hub, home], within=30)
        self.assertEqual(len(home.names("Brand")), count)
        self.assert_healthy(home)


class AnswerTests(Case):
    """A command whose node is killed while it makes the edit."""

    CALLS = "pwrite,fdatasync"

    def setUp(self):
        super().setUp()
        self.log = Path(tempfile.mkdtemp(prefix="hued-calls-")) / "calls"
        self.addCleanup(shutil.rmtree, self.log.parent)

    def add(self, plan=None):
        """Adds a color through a node with a plan for its calls: the numbers of those that the edit took."""
        self.log.write_text("")
        home = self.home()
        home.hued("new", "Sea")
        environment = {"LD_PRELOAD": Shim.path(), "FAILING_FOLDERS": str(home.folder), "FAILING_LOG": str(self.log)}
        node = self.node(home, environment=environment | ({"FAILING": plan} if plan else {}))
        before = self.made()
        done = home.run("add", "Sea", "tomato", "Ripe")
        self.assertEqual(done.returncode, 0, f"{plan}: {done.stderr}")
        self.assertEqual(node.is_running, plan is None, plan)
        self.assertEqual([color["name"] for color in home.hued("list", "Sea")["colors"]], ["Ripe"], plan)
        self.assertEqual(len(home.hued("history", "Sea")["changes"]), 2, plan)
        after = self.made()
        node.close()
        return range(before + 1, after + 1)

    def made(self):
        """How many calls were made that a plan counts."""
        return sum(line.split("\t")[0] in self.CALLS.split(",") for line in self.log.read_text().splitlines())

    def test_an_edit_whose_node_is_killed_is_made_once(self):
        numbers = self.add()
        self.assertGreater(len(numbers), 1)
        for number in numbers:
            for moment in ("before", "after"):
                self.add(f"{self.CALLS} {moment} {number} 1")
