"""What cases about a fleet of hubs share."""

import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from cases import Case
from database import Database, FLEET, Hub
from processes import CommandFailed, wait_for
from proxy import Proxy


class FleetCase(Case):
    """A fleet on a database of its own."""

    @classmethod
    def setUpClass(cls):
        cls.database = Database()
        cls.addClassCleanup(cls.database.remove)

    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp(prefix="hued-caches-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.count = 0

    def environment(self, database=None):
        return {key: value for key, value in os.environ.items() if not key.startswith(("HUED_", "PG"))} | {
            "HUED_DATABASE": database or self.database.url(), "LC_ALL": "C.UTF-8"}

    def run_fleet(self, *arguments, database=None, within=60):
        return subprocess.run([FLEET, *map(str, arguments)], env=self.environment(database), text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=within)

    def fleet(self, *arguments, **how):
        done = self.run_fleet("--json", *arguments, **how)
        if done.returncode:
            raise CommandFailed(list(map(str, arguments)), done)
        return json.loads(done.stdout)

    def serve(self, name, *flags, **how):
        hub = Hub(self, name, *flags, **how)
        self.addCleanup(hub.close)
        return hub

    def owner(self, name):
        return next(each["owner"] for each in self.fleet("list")["libraries"] if each["name"] == name)

    def joined_home(self, code):
        """A home with a node that joined, and a palette in the library."""
        home = self.home()
        self.node(home)
        home.hued("join", code)
        return home

    def library(self, name, role="owner"):
        """Two homes in a new library, live: an owner's, and one of a role."""
        made = self.fleet("new", name)
        self.assertTrue(made["code"])
        first = self.joined_home(made["code"])
        first.hued("new", name)
        first.hued("add", name, "#ff0000", "first")
        second = self.joined_home(self.fleet("share", name, "--name", "Bob", "--role", role)["code"])
        self.eventually(lambda: "first" in self.names(second, name), "the color at the second home")
        return first, second

    def names(self, home, palette):
        try:
            return home.names(palette)
        except CommandFailed:
            return set()

    def eventually(self, condition, what, within=40):
        return wait_for(condition, within=within, what=what, every=0.1)

    def ready(self, hub):
        return self.get(hub, "/readyz")[0]

    def get(self, hub, path):
        """The answer of a hub, or of whoever else listens at a port."""
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=10)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def balance(self, names):
        """Hubs behind HAProxy as the guide has it; the hubs by name, which keep their ports when they start again."""
        guide = (Path(__file__).parents[2] / "Sources/PaletteNode/PaletteNode.docc/RunningAFleet.md").read_text()
        [text] = re.findall("^```\n(defaults.*?)^```", guide, re.MULTILINE | re.DOTALL)
        self.balancer = Proxy(0)
        self.balancer.close()
        self.flags = ["--public-url", f"http://127.0.0.1:{self.balancer.port}"]
        hubs = {name: self.serve(name, *self.flags) for name in names}
        servers = "".join(f"  server {hub.name} 127.0.0.1:{hub.port} check\n" for hub in hubs.values())
        text = re.sub("^  server .*\n", "", text, flags=re.MULTILINE).replace(":8443", f"127.0.0.1:{self.balancer.port}") + servers
        (self.folder / "haproxy.cfg").write_text(text)
        balancer = subprocess.Popen(["haproxy", "-db", "-f", self.folder / "haproxy.cfg"], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(balancer.wait)
        self.addCleanup(balancer.kill)
        return hubs
