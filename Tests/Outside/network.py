"""Networks that delay, cut, hold back and forget; many clients; rings and chains; proxies; TLS."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from acceptor import Acceptor, join_code
from cases import Case
from peer import invite, Peer, pump, read_code
from processes import Home, Node, join, wait_for
from proxy import Proxy
from rpc import RPC, description
from running import IS_LONG, sized


def is_live(home):
    peer = home.peer()
    return bool(peer) and peer["state"] == "live"


class FaultTests(Case):
    """A node that reaches its hub through a proxy that does things."""

    def setUp(self):
        super().setUp()
        self.hub_home = self.home()
        self.hub_home.hued("new", "Brand")
        # The port is the hub's as long as the test runs, so that it can come back there.
        probe = self.node(self.hub_home)
        self.port = probe.port
        probe.stop()
        self.proxy = Proxy(self.port)
        self.addCleanup(self.proxy.close)
        self.start_hub()
        self.other = self.home()
        join(self.other, self.hub_home)
        self.other_node = self.node(self.other)
        wait_for(lambda: is_live(self.other), 10, "live")

    def start_hub(self):
        url = f"http://127.0.0.1:{self.proxy.port}"
        self.hub_node = self.node(self.hub_home, "--public-url", url, port=self.port)

    def exchange(self, count=3, within=10):
        """Edits on both sides meet."""
        for number in range(count):
            name = os.urandom(3).hex()
            self.hub_home.hued("add", "Brand", f"#00{number:02x}00", f"hub {name}")
            self.other.hued("add", "Brand", f"#0000{number:02x}", f"other {name}")
        self.assert_settled([self.hub_home, self.other], within)

    def test_delay(self):
        self.proxy.delay = 0.15
        self.exchange()
        self.assertGreater(self.other.peer()["rttMilliseconds"] or 0, -1)

    def test_single_bytes(self):
        self.proxy.chunk = 1
        self.proxy.cut()
        self.exchange(within=30)

    def test_little_bandwidth(self):
        self.proxy.rate = 40_000
        lines = "".join(f"#{n:06x}\tcolor {n}\n" for n in range(400))
        (self.hub_home.folder / "many.txt").write_text(lines)
        self.hub_home.hued("import", str(self.hub_home.folder / "many.txt"), "--palette", "Brand")
        self.assert_settled([self.hub_home, self.other], 30)

    def test_cuts(self):
        for number in range(sized(5, 100)):
            self.hub_home.hued("add", "Brand", "#111111", f"hub {number}")
            self.proxy.cut(resets=self.random.random() < 0.5)
            self.other.hued("add", "Brand", "#222222", f"other {number}")
        self.assert_settled([self.hub_home, self.other])
        self.assertEqual(len(self.hub_home.names("Brand")), 2 * sized(5, 100))

    def test_cut_in_the_middle_of_frames(self):
        for _ in range(sized(4, 50)):
            self.proxy.rate = self.random.choice([3_000, 10_000, 30_000])
            self.other.hued("add", "Brand", "#333333", os.urandom(200).hex())
            self.proxy.cut()
            self.hub_home.hued("add", "Brand", "#333333", os.urandom(200).hex())
        self.proxy.rate = 0
        self.assert_settled([self.hub_home, self.other], 20)

    def test_live_within_ten_seconds_after_the_network_is_back(self):
        self.proxy.is_refusing = True
        self.proxy.cut()
        wait_for(lambda: not is_live(self.other), 10, "the loss")
        self.other.hued("add", "Brand", "#444444", "made offline")
        before = self.proxy.accepted
        wait_for(lambda: self.proxy.accepted >= before + sized(3, 8), 90, "attempts")
        self.proxy.is_refusing = False
        wait_for(lambda: is_live(self.other), 10, "live again", every=0.1)
        self.assert_settled([self.hub_home, self.other])

    def test_the_hub_dies_and_returns(self):
        self.hub_node.kill()
        done = self.other.hued("add", "Brand", "#555555", "meanwhile")
        self.assertEqual(done["name"], "meanwhile")
        self.assertEqual(self.other.status()["pending"], 1)
        self.start_hub()
        wait_for(lambda: is_live(self.other), 10, "live again")
        self.assert_settled([self.hub_home, self.other])

    def test_held_back_for_a_while(self):
        self.proxy.is_holding = True
        self.other.hued("add", "Brand", "#666666", "held")
        self.hub_home.hued("add", "Brand", "#666666", "held too")
        self.assertEqual(self.other.status()["pending"], 1)
        self.proxy.is_holding = False
        self.assert_settled([self.hub_home, self.other])

    def test_half_open(self):
        before = self.proxy.accepted
        self.proxy.forget()
        start = time.monotonic()
        # Nobody is told, so somebody has to ask: `live` without an answer lasts ten seconds at most.
        wait_for(lambda: self.proxy.accepted > before, 11, "another connection")
        self.assert_settled([self.hub_home, self.other], 10)
        self.other.hued("add", "Brand", "#777777", "after the loss")
        self.assert_settled([self.hub_home, self.other], 10)
        print(f"  a forgotten connection was replaced after {time.monotonic() - start:.1f} s")

    def test_a_hub_that_hangs_is_not_live(self):
        os.kill(self.hub_node.process.pid, signal.SIGSTOP)
        try:
            wait_for(lambda: not is_live(self.other), 11, "the loss")
        finally:
            os.kill(self.hub_node.process.pid, signal.SIGCONT)
        wait_for(lambda: is_live(self.other), 10, "live again")
        self.assert_settled([self.hub_home, self.other])

    def test_a_node_that_hung_itself_keeps_its_connection(self):
        before = self.proxy.accepted
        os.kill(self.other_node.process.pid, signal.SIGSTOP)
        start = time.monotonic()
        wait_for(lambda: time.monotonic() > start + 12, 15, "a nap")
        os.kill(self.other_node.process.pid, signal.SIGCONT)
        self.exchange()
        self.assertEqual(self.proxy.accepted, before, "it connected anew")


class RefusalTests(Case):
    """A hub that wants a node no more: both say so in their logs and in `status`."""

    def test_a_revoked_node(self):
        hub, hub_node, _ = self.hub()
        other = self.joined(hub)
        node = self.node(other)
        wait_for(lambda: is_live(other), 10, "live")
        hub.hued("revoke", hub.hued("tokens")["tokens"][0]["id"])
        wait_for(lambda: other.peer()["state"] == "refused", 10, "the refusal")
        wait_for(lambda: node.logged("refuses this library"), 5, "a line in its log")
        # It asks again when it is told to, and the hub says whom it sent away.
        other.hued("add", "Brand", "#123456", "kept")
        done = other.run("sync")
        self.assertNotEqual(done.returncode, 0)
        wait_for(lambda: any("revoked" in line for line in hub_node.logged("a peer was refused")), 10, "a line in the hub's log")
        self.assertEqual(other.names("Brand"), {"kept"})
        self.assertIn("revoked", other.peer()["error"])
        # A new code is all that is needed.
        join(other, hub)
        self.assert_settled([hub, other])
        self.assertEqual(hub.names("Brand"), {"kept"})

    def test_whoever_shares_on_hears_what_goes_no_further(self):
        hub, hub_node, _ = self.hub()
        editor = self.joined(hub, palette="Brand", role="editor")
        self.node(editor)
        said = "takes this library's own changes alone"
        self.assertIn(f"{hub_node.url} {said}", editor.run("share", "Brand").stderr)
        self.assertNotIn(said, editor.run("share", "Brand", "--role", "viewer").stderr)
        self.assertNotIn(said, hub.run("share", "Brand").stderr)
        editor.hued("new", "Own")
        self.assertNotIn(said, editor.run("share", "Own").stderr)


class SilenceTests(Case):
    """Whatever stands where the hub was answers nothing, or half: the node is live again within ten
    seconds after the hub is back."""

    def setUp(self):
        super().setUp()
        self.hub_home, node, _ = self.hub()
        self.port = node.port
        self.other = self.joined(self.hub_home)
        self.node(self.other)
        wait_for(lambda: is_live(self.other), 10, "live")
        node.kill()
        wait_for(lambda: not is_live(self.other), 10, "the loss")

    def check(self, after, begun):
        """The node has met the silence for some time, then the hub comes back."""
        wait_for(begun, 20, "an attempt")
        start = time.monotonic()
        wait_for(lambda: time.monotonic() > start + after, after + 5)
        self.assertEqual(self.other.hued("add", "Brand", "#444444", "meanwhile")["name"], "meanwhile")
        self.end()
        self.node(self.hub_home, port=self.port)
        # `status` and nothing else: an edit would have it try at once.
        wait_for(lambda: is_live(self.other), 10, "live again", every=0.1)
        self.assert_settled([self.hub_home, self.other])

    def mute(self, behaviour):
        acceptor = Acceptor(behaviour, self.port)
        # Connections that hang go on hanging: the node has to give them up by itself.
        self.end = acceptor.stop_listening
        self.addCleanup(acceptor.end)
        return lambda: acceptor.accepted

    def test_accepted_and_never_answered(self):
        self.check(self.random.uniform(0, sized(6, 20)), self.mute(lambda link: link.hold(600)))

    def test_half_an_answer(self):
        self.check(self.random.uniform(0, sized(6, 20)), self.mute(lambda link: (
            link.read_request(), link.send_raw(link.accepted()[:60]), link.hold(600))))

    def test_no_welcome(self):
        self.check(self.random.uniform(0, sized(6, 20)), self.mute(lambda link: (
            link.upgrade(), link.listen(600))))

    def test_packets_that_vanish(self):
        # A listener whose queue is full: the kernel drops what further connections begin with.
        hole = socket.socket()
        hole.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        hole.bind(("127.0.0.1", self.port))
        hole.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", self.port))

        def end():
            for each in [*fillers, hole]:
                each.close()
        self.end = end
        self.addCleanup(end)
        self.check(self.random.uniform(0, sized(6, 20)), lambda: self.other.peer()["state"] == "connecting")

    def test_one_of_its_addresses_is_a_hole(self):
        """A hub with several addresses is found by the one that works, every time."""
        hole = Acceptor(lambda link: link.hold(600))
        self.addCleanup(hole.end)
        other = self.home()
        hub_node = self.node(self.hub_home, port=self.port)
        _, secret, pin, role, palette, library, name = read_code(invite(self.hub_home))
        code = join_code([hole.url, f"http://127.0.0.1:{self.port}"], secret, pin, role, palette, library, name)
        other.hued("join", code, within=60)
        self.node(other)
        for _ in range(2):
            wait_for(lambda: is_live(other), 15, "live")
            hub_node.kill()
            wait_for(lambda: not is_live(other), 10, "the loss")
            hub_node = self.node(self.hub_home, port=self.port)
            wait_for(lambda: is_live(other), 10, "live again")


class StormTests(Case):
    """Many clients at once."""

    def test_all_come_back_at_once(self):
        count = sized(100, 1000)
        hub, node, palette = self.hub()
        port = node.port
        rpc = RPC(unix=str(hub.folder / "node.sock"), methods=description(node.url)["methods"])
        clients = [Peer(node.url, rpc.call("share", role="relay")["code"]) for _ in range(count)]
        rpc.close()
        self.addCleanup(lambda: [c.socket and c.socket.hang_up() for c in clients])
        for client in clients:
            client.connect()
        pump(clients, lambda: all(c.is_compared for c in clients), sized(30, 120))
        start = time.monotonic()
        clients[0].add(palette, "to everybody")
        pump(clients, lambda: all(c.palette(palette).digest() == clients[0].palette(palette).digest()
                                  for c in clients), sized(10, 60))
        spread = time.monotonic() - start
        node.kill()
        for client in clients[1:11]:
            data = client.author.add(client.palette(palette), "offline")
            client.palette(palette).take(data)
        node = self.node(hub, port=port)
        start = time.monotonic()
        for client in clients:
            client.connect(within=30)
        pump(clients, lambda: all(c.is_compared for c in clients)
             and len({c.palette(palette).digest() for c in clients}) == 1, sized(30, 120))
        print(f"  {count} clients: one edit reached all in {spread:.2f} s; "
              f"all equal {time.monotonic() - start:.2f} s after the hub was back; "
              f"{node.memory() >> 20} MiB")
        self.assertEqual(clients[0].summary().hex(), hub.digest())


class ShapeTests(Case):
    """Nodes that are not a star."""

    def nodes(self, count):
        homes = [self.home() for _ in range(count)]
        homes[0].hued("new", "Brand")
        return homes, [self.node(home) for home in homes]

    def check(self, homes):
        wait_for(lambda: all(h.status()["palettes"] for h in homes), 20, "the palette everywhere")
        for number, home in enumerate(homes):
            home.hued("add", "Brand", "#123456", f"from {number}")
        self.assert_settled(homes, 20)
        self.assertEqual(len(homes[-1].names("Brand")), len(homes))
        homes[0].hued("rename", "Brand", f"from {len(homes) - 1}", "around")
        self.assert_settled(homes, 20)
        self.assertIn("around", homes[-1].names("Brand"))

    def test_chain(self):
        homes, _ = self.nodes(4)
        for left, right in zip(homes, homes[1:]):
            join(right, left)
        self.check(homes)

    def test_ring(self):
        homes, _ = self.nodes(4)
        for left, right in zip(homes, homes[1:] + homes[:1]):
            join(right, left)
        self.check(homes)
        self.assert_quiet(homes)

    def assert_quiet(self, homes):
        """Nothing goes round and round: the log grows by what is edited and nothing else."""
        counts = [len(home.hued("history", "Brand")["changes"]) for home in homes]
        self.assertEqual(len(set(counts)), 1, counts)

    def test_a_ring_with_a_broken_link(self):
        homes, nodes = self.nodes(3)
        for left, right in zip(homes, homes[1:] + homes[:1]):
            join(right, left)
        self.check(homes)
        port = nodes[1].port
        nodes[1].kill()
        homes[0].hued("add", "Brand", "#fedcba", "past the gap")
        self.assert_settled_but_pending([homes[0], homes[2]])
        self.node(homes[1], port=port)
        self.assert_settled(homes, 20)

    def assert_settled_but_pending(self, homes):
        wait_for(lambda: len({home.digest() for home in homes}) == 1, 20, "equal digests")


NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
  uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
  map $http_upgrade $connection_upgrade {{ default upgrade; "" close; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://127.0.0.1:{target};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_read_timeout {timeout}s;
      proxy_send_timeout {timeout}s;
      proxy_buffering off;
    }}
  }}
}}
"""

HAPROXY = """
defaults
  mode http
  timeout connect 5s
  timeout client {timeout}s
  timeout server {timeout}s
  timeout tunnel {timeout}s
frontend front
  bind 127.0.0.1:{port}
  default_backend hued
backend hued
  server hub 127.0.0.1:{target}
"""


class ProxyCases:
    """A hub behind a proxy that others have written."""

    def start_proxy(self, port, target, timeout):
        raise NotImplementedError

    def behind(self, timeout):
        hub = self.home()
        hub.hued("new", "Brand")
        probe = Proxy(1)          # a port that is free
        self.port = probe.port
        probe.close()
        self.hub_node = self.node(hub, "--behind-proxy", "--public-url", f"http://127.0.0.1:{self.port}")
        self.folder = Path(tempfile.mkdtemp(prefix="hued-proxy-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.timeout = timeout
        self.begin_proxy()
        other = self.home()
        wait_for(lambda: join(other, hub), 10, "a join through the proxy")
        self.node(other)
        wait_for(lambda: is_live(other), 10, "live")
        return hub, other

    def begin_proxy(self):
        self.proxy = self.start_proxy(self.port, self.hub_node.port, self.timeout)

        def end(process=self.proxy):
            process.terminate()
            process.wait()
        self.addCleanup(end)
        wait_for(lambda: self.answers(self.port), 10, "the proxy")

    def answers(self, port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return True
        except OSError:
            return False

    def test_edits_pass(self):
        hub, other = self.behind(60)
        hub.hued("add", "Brand", "#111111", "one")
        other.hued("add", "Brand", "#222222", "two")
        self.assert_settled([hub, other])

    def test_the_proxy_restarts(self):
        hub, other = self.behind(60)
        self.proxy.terminate()
        self.proxy.wait()
        wait_for(lambda: not is_live(other), 10, "the loss")
        other.hued("add", "Brand", "#222222", "meanwhile")
        self.begin_proxy()
        wait_for(lambda: is_live(other), 10, "live again")
        self.assert_settled([hub, other])

    def test_the_hub_restarts(self):
        """The proxy stays, and answers 502 or 503 meanwhile."""
        hub, other = self.behind(60)
        port = self.hub_node.port
        self.hub_node.kill()
        wait_for(lambda: not is_live(other), 10, "the loss")
        other.hued("add", "Brand", "#222222", "meanwhile")
        self.assertEqual(other.status()["pending"], 1)
        self.hub_node = self.node(
            hub, "--behind-proxy", "--public-url", f"http://127.0.0.1:{self.port}", port=port)
        # nginx passes over a server that failed for ten seconds.
        wait_for(lambda: is_live(other), 25, "live again")
        self.assert_settled([hub, other])

    @unittest.skipUnless(IS_LONG, "two idle minutes: --long only")
    def test_idle_connections_stay(self):
        hub, other = self.behind(60)
        acknowledged = other.peer()["lastAck"]
        deadline = time.monotonic() + 130

        def checked():
            self.assertTrue(is_live(other), "it was cut")
            return time.monotonic() > deadline
        wait_for(checked, 140, "two idle minutes", every=1)
        self.assertEqual(other.peer()["lastAck"], acknowledged, "it was idle all the time")
        hub.hued("add", "Brand", "#111111", "after")
        self.assert_settled([hub, other])


@unittest.skipUnless(shutil.which("nginx"), "nginx is not installed")
class NginxTests(ProxyCases, Case):
    """Behind nginx, as the guide to running a hub says."""

    def start_proxy(self, port, target, timeout):
        (self.folder / "conf").write_text(
            NGINX.format(folder=self.folder, port=port, target=target, timeout=timeout))
        return subprocess.Popen(
            ["nginx", "-e", f"{self.folder}/error", "-p", str(self.folder), "-c", f"{self.folder}/conf"])


def haproxy():
    return shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@unittest.skipUnless(haproxy(), "haproxy is not installed")
class HAProxyTests(ProxyCases, Case):
    """Behind haproxy."""

    def start_proxy(self, port, target, timeout):
        (self.folder / "conf").write_text(HAPROXY.format(port=port, target=target, timeout=timeout))
        return subprocess.Popen([haproxy(), "-q", "-db", "-f", str(self.folder / "conf")])


def can_make_namespaces():
    if os.geteuid() != 0 or not shutil.which("ip"):
        return False
    name = f"hued-probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode == 0
    if made:
        subprocess.run(["ip", "netns", "delete", name], check=False)
    return made


@unittest.skipUnless(can_make_namespaces(), "network namespaces need root and `ip netns`")
class TLSTests(Case):
    """Two machines: `serve --listen 0.0.0.0:PORT`, `share`, `join CODE`, and nothing else."""

    def machines(self):
        suffix = f"{os.getpid() % 10_000}"
        names = [f"hued-{letter}-{suffix}" for letter in "ab"]
        links = [f"hued{letter}{suffix}" for letter in "ab"]
        for name in names:
            self.ip("netns", "add", name)
            self.addCleanup(self.ip, "netns", "delete", name)
            self.ip("-n", name, "link", "set", "lo", "up")
        self.ip("link", "add", links[0], "netns", names[0], "type", "veth", "peer", links[1], "netns", names[1])
        for number, (name, link) in enumerate(zip(names, links), 1):
            self.ip("-n", name, "address", "add", f"10.231.77.{number}/24", "dev", link)
            self.ip("-n", name, "link", "set", link, "up")
        return [["ip", "netns", "exec", name] for name in names], names, links

    def ip(self, *arguments):
        subprocess.run(["ip", *arguments], check=True, capture_output=True)

    def test_three_commands_are_enough(self):
        prefixes, names, links = self.machines()
        hub = self.home(prefix=prefixes[0])
        hub.hued("new", "Brand")
        node = self.node(hub, listen="0.0.0.0:4833")
        self.assertTrue(node.url.startswith("https://"), node.url)
        other = self.home(prefix=prefixes[1])
        other.hued("join", hub.hued("share")["code"])
        hub.hued("add", "Brand", "#111111", "from the hub")
        self.node(other)
        other.hued("add", "Brand", "#222222", "from the other")
        self.assert_settled([hub, other])
        self.assertEqual(hub.names("Brand"), {"from the hub", "from the other"})
        # The cable is pulled, both go on, and it is plugged in again.
        self.ip("-n", names[1], "link", "set", links[1], "down")
        other.hued("add", "Brand", "#333333", "alone")
        hub.hued("add", "Brand", "#444444", "alone too")
        self.ip("-n", names[1], "link", "set", links[1], "up")
        self.assert_settled([hub, other], 20)

    def test_another_key_is_not_spoken_to(self):
        prefixes, _, _ = self.machines()
        hub = self.home(prefix=prefixes[0])
        hub.hued("new", "Brand")
        node = self.node(hub, listen="0.0.0.0:4833")
        code = hub.hued("share")["code"]
        node.stop()
        for name in ("key.pem", "certificate.pem"):
            (hub.folder / name).unlink()
        self.node(hub, listen="0.0.0.0:4833")
        laptop = self.home(prefix=prefixes[1])
        done = laptop.run("join", code, within=10)
        self.assertEqual(done.returncode, 5)
        self.assertIn("the server's key is not the pinned one", done.stderr)
        self.assertIn("another node answers there", done.stderr)
        self.assertIn("see that the node runs there", done.stderr)
        # It is not joined, and so nobody goes on trying.
        self.assertEqual(laptop.hued("peers")["peers"], [])


@unittest.skipUnless(can_make_namespaces(), "network namespaces need root and `ip netns`")
class RoutedTests(Case):
    """A hub and another machine with a router between them, which cuts, forgets and swallows."""

    HUB, OTHER = "10.231.78.2", "10.231.79.2"

    def setUp(self):
        super().setUp()
        suffix = f"{os.getpid() % 10_000}"
        self.names = {role: f"hued-{role}-{suffix}" for role in ("hub", "router", "other")}
        for name in self.names.values():
            self.ip("netns", "add", name)
            self.addCleanup(self.ip, "netns", "delete", name)
            self.ip("-n", name, "link", "set", "lo", "up")
        for role, number in (("hub", 78), ("other", 79)):
            self.ip("link", "add", "wire", "netns", self.names[role], "type", "veth",
                    "peer", f"to-{role}", "netns", self.names["router"])
            self.on("router", "address", "add", f"10.231.{number}.1/24", "dev", f"to-{role}")
            self.on("router", "link", "set", f"to-{role}", "up")
            self.on(role, "address", "add", f"10.231.{number}.2/24", "dev", "wire")
            self.on(role, "link", "set", "wire", "up")
            self.on(role, "route", "add", "default", "via", f"10.231.{number}.1")
        subprocess.run(self.within("router") + ["sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward"], check=True)
        # What is sent there vanishes.
        self.on("router", "route", "add", "blackhole", "10.231.80.0/24")
        self.hub_home = self.home(prefix=self.within("hub"))
        self.hub_home.hued("new", "Brand")
        self.node(self.hub_home, listen="0.0.0.0:4833")
        self.other = self.home(prefix=self.within("other"))

    def ip(self, *arguments):
        subprocess.run(["ip", *arguments], check=True, capture_output=True)

    def on(self, role, *arguments):
        self.ip("-n", self.names[role], *arguments)

    def within(self, role):
        return ["ip", "netns", "exec", self.names[role]]

    def code(self, *hosts):
        """A join code of the hub with these addresses."""
        _, secret, pin, role, palette, library, name = read_code(self.hub_home.hued("share")["code"])
        return join_code([f"https://{host}:4833" for host in hosts], secret, pin, role, palette, library, name)

    def begin(self):
        self.other.hued("join", self.code(self.HUB))
        self.other_node = self.node(self.other)
        wait_for(lambda: is_live(self.other), 10, "live")

    def cut(self, role, seconds):
        """The wire of one of them is pulled, both go on, and it is plugged in again."""
        # At the router: whoever is at the other end of the other wire is told nothing.
        self.on("router", "link", "set", f"to-{role}", "down")
        start = time.monotonic()
        name = os.urandom(3).hex()
        self.other.hued("add", "Brand", "#333333", f"other {name}")
        self.hub_home.hued("add", "Brand", "#444444", f"hub {name}")
        if seconds > 10:
            wait_for(lambda: not is_live(self.other), start + 10.5 - time.monotonic(), "the loss")
        wait_for(lambda: time.monotonic() > start + seconds, seconds + 5)
        self.on("router", "link", "set", f"to-{role}", "up")
        start = time.monotonic()
        wait_for(lambda: is_live(self.other) and len(
            {home.digest() for home in (self.hub_home, self.other)}) == 1, 10, "live again", every=0.1)
        print(f"  {role} cut off for {seconds:.0f} s: live after {time.monotonic() - start:.1f} s")
        self.assert_settled([self.hub_home, self.other], 1)

    def test_the_hub_is_cut_off(self):
        self.begin()
        for seconds in sized([self.random.uniform(5, 14)], [20, 40, 45, self.random.uniform(1, 60)]):
            self.cut("hub", seconds)

    def test_the_other_is_cut_off(self):
        self.begin()
        for seconds in sized([self.random.uniform(5, 14)], [20, 40, 45, self.random.uniform(1, 60)]):
            self.cut("other", seconds)

    def connections(self, role="other"):
        """The ports of the other from which connections with the hub come, as one side sees them."""
        place, filter = (3, ["dst", self.HUB]) if role == "other" else (4, ["dst", self.OTHER])
        listed = subprocess.run(
            self.within(role) + ["ss", "--numeric", "--no-header", "--tcp", *filter],
            check=True, capture_output=True, text=True).stdout
        return [line.split()[place].rsplit(":", 1)[1] for line in listed.splitlines()
                if line.startswith("ESTAB")]

    def test_a_router_that_forgets_a_connection(self):
        self.begin()
        (port,) = self.connections()
        for way in ("sport", "dport"):
            self.on("router", "rule", "add", "priority", "10", "ipproto", "tcp", way, port, "blackhole")
        start = time.monotonic()
        self.hub_home.hued("add", "Brand", "#555555", "nobody hears")
        # `status` is asked all the time: it may say `live` with the hub's edit missing for ten seconds.
        wait_for(lambda: not is_live(self.other) or self.other.digest() == self.hub_home.digest(),
                 10.5, "the loss")
        wait_for(lambda: is_live(self.other) and self.other.digest() == self.hub_home.digest(),
                 10, "live again", every=0.1)
        print(f"  replaced after {time.monotonic() - start:.1f} s")
        self.assertNotIn(port, self.connections())
        # The hub has noticed too: what it sent got no answer.
        wait_for(lambda: port not in self.connections("hub"), 10, "the loss at the hub")

    def test_addresses_that_swallow_everything(self):
        holes = [f"10.231.80.{number}" for number in (1, 2)]
        start = time.monotonic()
        self.other.hued("join", self.code(*holes, self.HUB))
        self.assertLess(time.monotonic() - start, 4)
        # The address that worked is tried first from now on: an edit without a node gets through.
        done = self.other.run("add", "Brand", "#666666", "alone")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("synced", done.stderr)
        self.assertEqual(self.hub_home.names("Brand"), {"alone"})
        # And where that address has become a hole meanwhile, another one is found in time.
        self.on("router", "address", "add", "10.231.81.1/24", "dev", "to-hub")
        self.on("hub", "address", "add", "10.231.81.2/24", "dev", "wire")
        third = self.home(prefix=self.within("other"))
        third.hued("join", self.code(self.HUB, "10.231.81.2"))
        self.on("router", "route", "add", "blackhole", f"{self.HUB}/32")
        done = third.run("add", "Brand", "#777777", "elsewhere")
        self.assertIn("synced", done.stderr)
        self.assertEqual(self.hub_home.names("Brand"), {"alone", "elsewhere"})

    def test_another_hub_is_shown_nothing(self):
        """Whoever answers first and has another key gets no hello, and does not win."""
        stranger = self.home(prefix=self.within("router"))
        stranger.hued("new", "Other")
        node = self.node(stranger, listen="0.0.0.0:4833")
        self.other.hued("join", self.code("10.231.79.1", self.HUB))
        self.node(self.other)
        wait_for(lambda: is_live(self.other), 10, "live")
        # A hello would have been refused, and the log would say so.
        self.assertEqual(node.logged("refused"), [])
