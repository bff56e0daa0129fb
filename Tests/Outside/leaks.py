"""A node with TLS, clients that come, work, break off and go, then an end in good order, after which
nothing may be left behind. For Scripts/leaks, which builds hued with LeakSanitizer inside."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from processes import Home, Node

ERROR = re.compile("ERROR: (Leak|Address)Sanitizer")


class Program:
    """Commands on the homes of some people, and what they wrote to their standard errors."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.errors = []

    def home(self, name):
        return Home(self.folder / name)

    def run(self, name, *arguments):
        done = self.home(name).run(*arguments)
        self.errors += done.stderr.splitlines()
        return done.stdout.strip()

    def node(self, *flags):
        return Node(self.home("hub"), *flags)

    def finish(self, node):
        node.stop(60)
        node.reader.join()
        self.errors += node.lines
        node.close()

    def watch(self, name, seconds, end):
        """Looks at the palette for a moment, and ends by a signal."""
        process = self.home(name).start("watch", "Sea")
        time.sleep(seconds)
        process.send_signal(end)
        self.errors += process.communicate(timeout=60)[1].splitlines()

    def reports(self):
        """The first lines of what the sanitizer reports."""
        for number, line in enumerate(self.errors):
            if ERROR.search(line):
                return self.errors[number:number + 60]
        return []


def make_certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", Path(folder, "key.pem"), "-out", Path(folder, "cert.pem")],
        check=True, stderr=subprocess.DEVNULL)
    return Path(folder, "cert.pem"), Path(folder, "key.pem")


def ask(url):
    context = ssl._create_unverified_context()
    try:
        urllib.request.urlopen(url, context=context, timeout=20).read()
    except urllib.error.HTTPError:
        pass


def break_off(port):
    """Half a request, half a handshake."""
    context = ssl._create_unverified_context()
    with socket.create_connection(("127.0.0.1", port)) as plain, context.wrap_socket(plain) as encrypted:
        encrypted.sendall(b"GET / HT")
    with socket.create_connection(("127.0.0.1", port)) as plain:
        plain.sendall(b"x")


def work(program, folder):
    program.run("hub", "new", "Sea")
    node = program.node()
    program.run("hub", "add", "Sea", "tomato")
    program.finish(node)
    certificate, key = make_certificate(folder)
    # Whoever joins trusts it as any certificate that the system trusts.
    os.environ["SSL_CERT_FILE"] = str(certificate)
    node = program.node("--tls-cert", str(certificate), "--tls-key", str(key))
    for name in ["ann", "bob"]:
        program.run(name, "join", program.run("hub", "share"))
        for color in ["red", "lime", "blue"]:
            program.run(name, "add", "Sea", color)
    for path in ["/", "/healthz", "/readyz", "/metrics", "/api", "/nothing"]:
        ask(node.url + path)
    break_off(node.port)
    program.watch("hub", 2, signal.SIGINT)
    program.watch("hub", 1, signal.SIGKILL)
    for command in ["status", "peers", "tokens", "doctor", "export Sea", "list Sea", "history Sea"]:
        for name in ["hub", "ann"]:
            program.run(name, *command.split())
    program.finish(node)


def main():
    # A shell ignores the keyboard's interrupt for what it runs in the background, and hued keeps to that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        program = Program(folder)
        work(program, folder)
        if program.reports():
            sys.exit("\n".join(program.reports()))
    print("nothing leaked")


main()
