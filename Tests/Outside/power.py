"""Power cuts: of what was written since the last sync, any part may be missing. What was acknowledged
is there all the same."""

import re
import unittest

from cases import Case
from disk import can_trace
from processes import wait_for
from rpc import RPC
from running import sized

CALLS = ("openat,open,creat,close,dup,dup2,dup3,pwrite64,write,writev,pwritev,ftruncate,fsync,fdatasync,"
         "rename,renameat,renameat2,unlink,unlinkat,sendto,sendmsg")
LINE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)(.*)$", re.DOTALL)
SECTOR = 512


def tracing(log, *more):
    return ["strace", "-D", "-f", "-s", "10000000", "-xx", "-e", "signal=none", "-e", f"trace={CALLS}",
            *more, "-o", str(log)]


def calls(log):
    """The calls of a trace in the order in which they returned: (name, arguments, result, injected)."""
    begun = {}
    for line in log.read_text(errors="replace").splitlines():
        head = re.match(r"^(\d+) +(.*)$", line)
        if not head:
            continue
        pid, rest = head.groups()
        if rest.endswith("<unfinished ...>"):
            begun[pid] = rest.removesuffix("<unfinished ...>").rstrip()
            continue
        resumed = re.match(r"^<\.\.\. \w+ resumed>(.*)$", rest)
        if resumed:
            rest = begun.pop(pid, "") + resumed.group(1)
        whole = LINE.match(f"{pid} {rest}")
        if whole:
            _, name, arguments, result, note = whole.groups()
            yield name, arguments, int(result), "INJECTED" in note


def strings(arguments):
    """The strings among the arguments of a call."""
    return [bytes.fromhex(text.replace("\\x", "")) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]


def numbers(arguments):
    """The arguments with strings left out, as a list of texts."""
    return [part.strip() for part in re.sub(r'"(?:\\x[0-9a-f]{2})*"', "", arguments).split(",")]


class File:
    """One file: what is surely on the disk, and what was written since."""

    def __init__(self, data=b""):
        self.data = bytearray(data)
        self.waiting = []

    def sync(self):
        for change in self.waiting:
            self.apply(self.data, change)
        self.waiting = []

    @staticmethod
    def apply(data, change):
        offset, piece = change
        if piece is None:
            del data[offset:]
            data.extend(bytes(offset - len(data)))
            return
        data.extend(bytes(max(0, offset - len(data))))
        data[offset:offset + len(piece)] = piece

    def after_cut(self, chance):
        """What a power cut might leave of it."""
        data = bytearray(self.data)
        mood = chance.choice(["all", "none", "some", "prefix", "torn"])
        kept = chance.randrange(len(self.waiting) + 1)
        for number, change in enumerate(self.waiting):
            if mood == "none" or mood == "prefix" and number >= kept \
                    or mood in ("some", "torn") and chance.random() < 0.5:
                continue
            if mood != "torn" or change[1] is None:
                self.apply(data, change)
                continue
            for start in range(0, len(change[1]), SECTOR):
                if chance.random() < 0.5:
                    self.apply(data, (change[0] + start, change[1][start:start + SECTOR]))
        return bytes(data)


class Disk:
    """A folder whose files are followed call by call."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.names = {p.name: File(p.read_bytes()) for p in folder.iterdir()
                      if p.is_file() and not p.name.endswith("-shm")}
        self.durable = dict(self.names)
        self.moves = []          # changes of names that no sync of the folder made durable
        self.open = {}           # descriptor -> [File or None for the folder itself, offset]

    def name(self, path):
        path = path.decode()
        folder, _, name = path.rpartition("/")
        return name if folder == self.folder and not name.endswith("-shm") else None

    def take(self, call, arguments, result, is_injected):
        """Follows one call."""
        if result < 0:
            return
        handler = getattr(self, "take_" + {"open": "openat", "creat": "openat", "fdatasync": "fsync",
                                           "renameat": "rename", "renameat2": "rename",
                                           "unlinkat": "unlink"}.get(call, call), None)
        if handler:
            handler(arguments, result, is_injected)

    def take_openat(self, arguments, result, _):
        path = strings(arguments)[0]
        self.open.pop(result, None)
        if path.decode() == self.folder:
            self.open[result] = [None, 0]
        name = self.name(path)
        if name is None:
            return
        if name not in self.names:
            self.names[name] = File()
            self.moves.append((name, self.names[name]))
        if "O_TRUNC" in arguments:
            self.names[name].waiting.append((0, None))
        self.open[result] = [self.names[name], 0]

    def descriptor(self, arguments):
        return int(numbers(arguments)[0].split("<")[0])

    def take_close(self, arguments, result, _):
        self.open.pop(self.descriptor(arguments), None)

    def take_dup(self, arguments, result, _):
        if self.descriptor(arguments) in self.open:
            self.open[result] = self.open[self.descriptor(arguments)]

    take_dup2 = take_dup3 = take_dup

    def file(self, arguments):
        found = self.open.get(self.descriptor(arguments))
        return found if found and found[0] else None

    def take_pwrite64(self, arguments, result, _):
        found = self.file(arguments)
        if found:
            found[0].waiting.append((int(numbers(arguments)[-1]), strings(arguments)[0][:result]))

    def take_write(self, arguments, result, _):
        found = self.file(arguments)
        if found:
            found[0].waiting.append((found[1], strings(arguments)[0][:result]))
            found[1] += result

    def take_writev(self, arguments, result, _):
        assert not self.file(arguments), "files are written by pwrite and write only"

    take_pwritev = take_writev

    def take_ftruncate(self, arguments, result, _):
        found = self.file(arguments)
        if found:
            found[0].waiting.append((int(numbers(arguments)[1]), None))

    def take_fsync(self, arguments, result, is_injected):
        found = self.open.get(self.descriptor(arguments))
        if is_injected or not found:
            return
        if found[0]:
            return found[0].sync()
        for name, file in self.moves:
            self.move(self.durable, name, file)
        self.moves = []

    @staticmethod
    def move(names, name, file):
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file

    def take_rename(self, arguments, result, _):
        old, new = (self.name(path) for path in strings(arguments)[:2])
        file = self.names.pop(old, None)
        if file is not None and new is not None:
            self.names[new] = file
            self.moves += [(new, file), (old, None)]

    def take_unlink(self, arguments, result, _):
        name = self.name(strings(arguments)[0])
        if name in self.names:
            del self.names[name]
            self.moves.append((name, None))

    def cut(self, chance, folder):
        """Writes what a power cut now might leave into a folder."""
        names = dict(self.durable)
        for name, file in self.moves[:chance.randrange(len(self.moves) + 1)]:
            self.move(names, name, file)
        for name, file in names.items():
            (folder / name).write_bytes(file.after_cut(chance))
            (folder / name).chmod(0o600)


@unittest.skipUnless(can_trace(), "strace is not installed, or not permitted")
class PowerCutTests(Case):
    """The trace of a run is replayed up to a moment, and the library opened that the disk then has."""

    def check(self, disk, acknowledged, possible):
        home = self.home()
        disk.cut(self.random, home.folder)
        colors = home.hued("list", "Brand")["colors"] if acknowledged else []
        shown = {color["name"]: color["hex"] for color in colors}
        self.assertLessEqual(acknowledged.items(), shown.items(), "acknowledged, then lost")
        self.assertLessEqual(shown.items(), (acknowledged | possible).items(), "nobody wrote that")
        if acknowledged:
            self.assert_healthy(home)
            home.hued("add", "Brand", "#ffffff", "afterwards")
        home.remove()

    def commands(self, count, *lies):
        """The calls of some commands in turn, with what each has acknowledged when it ended."""
        home = self.home()
        home.hued("new", "Brand")
        disk = Disk(home.folder)
        trace = []
        for number in range(count):
            log = home.folder.with_suffix(".trace")
            name, value = f"color {number}", f"#{number:06x}"
            home.hued("add", "Brand", value, name, prefix=tracing(log, *lies))
            wait_for(lambda: "exited" in log.read_text(errors="replace"), 10, "the trace")
            trace += [(call, None) for call in calls(log)] + [(None, (name, value))]
            log.unlink()
        return disk, trace

    def node_run(self, count, *lies):
        """The calls of a node that is asked over its socket, with what it answered when."""
        home = self.home()
        home.hued("new", "Brand")
        disk = Disk(home.folder)
        log = home.folder.with_suffix(".trace")
        node = self.node(home, prefix=tracing(log, *lies))
        rpc = RPC(unix=str(home.folder / "node.sock"))
        edits = {}
        for number in range(count):
            name, value = f"color {number}", f"#{number:06x}"
            rpc.call("add", palette="Brand", value=value, name=name)
            edits[rpc.number] = (name, value)
        rpc.close()
        node.process.terminate()
        node.process.wait(30)
        wait_for(lambda: "exited" in log.read_text(errors="replace"), 10, "the trace")
        trace = []
        for call in calls(log):
            trace.append((call, None))
            if call[0] in ("sendto", "sendmsg", "write", "writev"):
                for answer in strings(call[1]):
                    for number in re.findall(rb'"id":(\d+),"result"', answer):
                        if int(number) in edits:
                            trace.append((None, edits.pop(int(number))))
        log.unlink()
        self.assertEqual(edits, {}, "answers that are not in the trace")
        return disk, trace

    def replay(self, disk, trace, cuts):
        """Cuts the power at moments of chance."""
        everything = dict(entry for _, entry in trace if entry)
        # Moments at which something is under way, and right behind every answer.
        moments = [n for n, (call, entry) in enumerate(trace)
                   if entry or call[0] in ("pwrite64", "fdatasync", "fsync", "unlink", "rename", "ftruncate")]
        chosen = sorted(self.random.sample(moments, min(cuts, len(moments))))
        acknowledged = {}
        for number, (call, entry) in enumerate(trace):
            if entry:
                acknowledged[entry[0]] = entry[1]
            else:
                disk.take(*call)
            if number in chosen:
                self.check(disk, acknowledged, everything)
        return len(chosen)

    def test_commands(self):
        cuts = self.replay(*self.commands(sized(6, 30)), sized(40, 400))
        print(f"  {cuts} power cuts")

    def test_a_node(self):
        cuts = self.replay(*self.node_run(sized(60, 600)), sized(40, 400))
        print(f"  {cuts} power cuts")

    def test_a_disk_that_lies_is_found_out(self):
        """These cases can fail: without syncs edits are lost."""
        lie = ["-e", "inject=fsync,fdatasync:retval=0"]
        for run in (lambda: self.commands(4, *lie), lambda: self.node_run(20, *lie)):
            with self.assertRaises(Exception) as found:
                self.replay(*run(), 200)
            self.assertNotIsInstance(found.exception, (KeyError, ValueError, TypeError))
