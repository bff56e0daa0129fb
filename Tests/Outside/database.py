"""PostgreSQL servers in folders of their own, and the hubs of a fleet."""

import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
from pathlib import Path

from processes import binary, Node, wait_for

FLEET = Path(binary()).with_name("hued-fleet")
SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
ACCESS = """local replication all trust
local all guarded scram-sha-256
local all all trust
"""


class Server:
    """A PostgreSQL server in a folder, behind a Unix socket alone."""

    def __init__(self, *flags):
        self.folder = Path(tempfile.mkdtemp(prefix="hued-fleet-"))
        self.flags = [f"-c{flag}" for flag in flags]
        self.before = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.getuid() == 0 else []
        if self.before:
            shutil.chown(self.folder, "postgres")
        self.process = None

    def call(self, program, *arguments):
        subprocess.run([*self.before, SERVERS[-1] / program, *arguments], cwd=self.folder, check=True,
                       capture_output=True)

    def start(self):
        self.process = subprocess.Popen(
            [*self.before, SERVERS[-1] / "postgres", "-D", "data", "-k", self.folder, "-c", "listen_addresses=", *self.flags],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.answers, within=30, what="the database")

    def answers(self):
        return subprocess.run([SERVERS[-1] / "pg_isready", "-q", "-h", self.folder], check=False).returncode == 0

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)

    def crash(self):
        """Ends it without a checkpoint, as a machine that is lost does."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(30)

    def execute(self, text, database="fleet"):
        return subprocess.run([SERVERS[-1] / "psql", "-qAtX", "-h", self.folder, "-U", "hued", "-d", database, "-c", text],
                              check=True, capture_output=True, text=True).stdout

    def remove(self):
        if self.process and self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Database(Server):
    """A server with the databases of the cases; by default one that asks nothing of the disk."""

    def __init__(self, *flags):
        super().__init__(*(flags or ["fsync=off"]))
        self.call("initdb", "-D", "data", "-A", "trust", "-U", "hued", "-E", "UTF8", "--no-locale", "--no-sync")
        (self.folder / "data/pg_hba.conf").write_text(ACCESS)
        self.start()
        self.execute("CREATE DATABASE fleet", "postgres")
        self.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'", "postgres")
        self.execute("CREATE DATABASE guarded OWNER guarded", "postgres")

    def url(self, user="hued", password="", database="fleet", others=()):
        hosts = ",".join(str(server.folder) for server in [self, *others])
        return f"host={hosts} user={user} dbname={database}" + (f" password={password}" if password else "")


class Standby(Server):
    """A server that follows another one until it is promoted."""

    def __init__(self, primary):
        super().__init__()
        self.flags = primary.flags
        self.call("pg_basebackup", "-D", "data", "-R", "-X", "stream", "-c", "fast", "-U", "hued", "-h", primary.folder)
        self.start()

    def is_streaming(self):
        return self.execute("SELECT count(*) FROM pg_stat_wal_receiver WHERE status = 'streaming'", "postgres") == "1\n"

    def cut_off(self):
        """Has it hear nothing more of what the primary takes."""
        self.execute("ALTER SYSTEM SET primary_conninfo = ''", "postgres")
        self.execute("SELECT pg_reload_conf()", "postgres")
        wait_for(lambda: not self.is_streaming(), within=30, what="a standby that is cut off")

    def promote(self):
        self.execute("SELECT pg_promote()", "postgres")


class OldServer:
    """Something that lets everybody in as a PostgreSQL of another version, and knows one answer."""

    def __init__(self, version):
        self.version = version.encode()
        self.folder = Path(tempfile.mkdtemp(prefix="hued-old-"))
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / ".s.PGSQL.5432"))
        self.listener.listen()
        self.url = f"host={self.folder} user=hued dbname=fleet"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self.listener.close()
        shutil.rmtree(self.folder)

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._talk, args=[self.listener.accept()[0]], daemon=True).start()

    def _talk(self, client):
        with client, client.makefile("rwb") as stream:
            stream.read(struct.unpack(">I", stream.read(4))[0] - 4)  # who wants to come in
            self._send(stream, b"R" + struct.pack(">I", 0), b"Sserver_version\0" + self.version + b"\0",
                       b"Sclient_encoding\0UTF8\0", b"ZI")
            while kind := stream.read(1):
                stream.read(struct.unpack(">I", stream.read(4))[0] - 4)
                if kind == b"Q":  # whether it takes writes
                    self._send(stream, b"T" + struct.pack(">H", 1) + b"off\0" + struct.pack(">IHIHIH", 0, 0, 25, 65535, 0, 0),
                               b"D" + struct.pack(">HI", 1, 3) + b"off", b"CSHOW\0", b"ZI")

    def _send(self, stream, *messages):
        for message in messages:
            stream.write(message[:1] + struct.pack(">I", len(message) + 3) + message[1:])
        stream.flush()


class Hub(Node):
    """`hued-fleet serve`, with a cache of its own."""

    def __init__(self, fleet, name, *flags, port=0, database=None):
        self.name = name
        self.lines = []
        self.process = subprocess.Popen(
            [FLEET, "serve", "--name", name, "--listen", f"127.0.0.1:{port}", "--cache", fleet.folder / name, *flags],
            env=fleet.environment(database), text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.reader = threading.Thread(target=self._read_log, daemon=True)
        self.reader.start()
        self.url = self._line(60).removeprefix("hued-fleet ready ").strip()
        self.port = int(self.url.rsplit(":", 1)[1])
