"""Tries the Debian package in a fresh Debian 12, as root: installs it, edits through a node as its user,
upgrades it to a higher version while palettes are there, removes and purges it. For Scripts/package --try.

debian.py FIRST SECOND FLEET, two packages of hued, and one of a hub of a fleet. DEBIAN_ROOT names a folder that debootstrap filled, to be copied instead
of filling one.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

QUIET = ["--yes", "--quiet", "--quiet", "--no-install-recommends"]
BACKUPS = "/var/lib/hued-backups"


def step(text):
    print(f"\n== {text}", flush=True)


def output(*command):
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True).stdout


class Debian:
    """A fresh system in a folder."""

    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    as_hued = ["setpriv", "--reuid", "hued", "--regid", "hued", "--clear-groups"]

    def __init__(self, *packages):
        self.root = Path(tempfile.mkdtemp())
        self.node = None
        if os.environ.get("DEBIAN_ROOT"):
            subprocess.run(["cp", "--archive", os.environ["DEBIAN_ROOT"] + "/.", self.root], check=True)
        else:
            output("debootstrap", "--variant=minbase", "bookworm", self.root)
        # mkdtemp lets nobody else in, and this is the / of users who are not root.
        self.root.chmod(0o755)
        subprocess.run(["mount", "--types", "proc", "proc", self.root / "proc"], check=True)
        for package in packages:
            shutil.copy(package, self.root / "root")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.node:
            self.node.kill()
        subprocess.run(["umount", self.root / "proc"], stderr=subprocess.DEVNULL)
        subprocess.run(["rm", "--recursive", "--force", "--one-file-system", self.root])

    def command(self, *command):
        return ["chroot", self.root, "/usr/bin/env", "--ignore-environment",
                *(f"{key}={value}" for key, value in self.environment.items()), *command]

    def run(self, *command):
        return output(*self.command(*command))

    def hued(self, *arguments):
        return self.run(*self.as_hued, "hued", "--home", "/var/lib/hued", *arguments)

    def serve(self):
        command = self.command(*self.as_hued, "hued", "--home", "/var/lib/hued", "serve", "--listen", "127.0.0.1:0")
        self.node = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.node.stdout.readline()
        assert line.startswith("hued ready "), line

    def end_node(self):
        self.node.terminate()
        self.node.wait(20)
        self.node = None

    def exists(self, path):
        return os.path.lexists(self.root / path.lstrip("/"))


def try_installation(debian, package):
    step("Install")
    debian.run("apt-get", "install", *QUIET, f"/root/{package.name}")
    print(debian.run("hued", "--version"), end="")
    assert debian.run("stat", "--format", "%U %a", "/var/lib/hued") == "hued 700\n"
    manual = debian.root / "usr/share/man/man1/hued.1.gz"
    assert manual.exists() and manual.stat().st_size or debian.exists("/etc/dpkg/dpkg.cfg.d/docker")
    assert not debian.exists("/etc/systemd/system/multi-user.target.wants/hued.service")
    debian.hued("new", "Brand")
    debian.serve()
    debian.hued("add", "Brand", "tomato", "Ripe")
    assert json.loads(debian.hued("status", "--json"))["running"]
    # As hued-backup.service does it, beside the node; an old backup goes, a damaged one gets no name.
    debian.run("touch", "--date", "40 days ago", f"{BACKUPS}/hued-2020-01-01T000000Z.sqlite")
    debian.run(*debian.as_hued, "env", "HUED_HOME=/var/lib/hued", "/usr/lib/hued/backup")
    assert len(list((debian.root / BACKUPS.lstrip("/")).iterdir())) == 1
    debian.end_node()


def try_units(debian):
    step("Units run what the package holds")
    units = [*debian.root.glob("lib/systemd/system/hued*.service"), debian.root / "usr/lib/systemd/user/hued.service"]
    for unit in units:
        programs = re.findall(r"^Exec\w+=.*", unit.read_text(), re.MULTILINE)
        paths = re.findall(r"[^\s'\"=]*/hued\S*", " ".join(programs))
        assert paths and all(debian.exists(path) for path in paths), f"{unit}: {paths}"


def try_upgrade(debian, package):
    step("Upgrade: the library stays")
    debian.run("apt-get", "install", *QUIET, f"/root/{package.name}")
    installed = debian.run("dpkg-query", "--show", "--showformat", "${Version}", "hued")
    assert installed == output("dpkg-deb", "--field", package, "Version").strip()
    debian.serve()
    assert "Ripe" in debian.hued("list", "Brand")
    debian.hued("add", "Brand", "teal", "Later")
    debian.end_node()


def try_removal(debian, package):
    step("Remove and purge: the library stays")
    debian.run("apt-get", "remove", *QUIET[:3], "hued")
    assert not debian.exists("/usr/bin/hued") and debian.exists("/etc/default/hued")
    said = subprocess.run(debian.command("apt-get", "purge", *QUIET[:3], "hued"), check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    assert re.search("was kept", said), said
    assert not debian.exists("/etc/default/hued")
    assert (debian.root / "var/lib/hued/library.sqlite").stat().st_size
    debian.run("apt-get", "install", *QUIET, f"/root/{package.name}")
    assert "Later" in debian.hued("list", "Brand")


def try_fleet(debian, package):
    step("A hub of a fleet: install, run beside hued, remove and purge")
    debian.run("apt-get", "install", *QUIET, f"/root/{package.name}")
    print(debian.run("hued-fleet", "--version"), end="")
    assert debian.run("stat", "--format", "%U %a", "/etc/hued-fleet") == "root 700\n"
    assert debian.run("getent", "passwd", "hued-fleet").split(":")[5] == "/var/cache/hued-fleet"
    assert not debian.exists("/etc/systemd/system/multi-user.target.wants/hued-fleet.service")
    [unit] = debian.root.glob("lib/systemd/system/hued-fleet.service")
    assert "ExecStart=/usr/bin/hued-fleet serve" in unit.read_text()
    asked = subprocess.run(debian.command("hued", "fleet", "list", "--database", "host=/nowhere"), stderr=subprocess.PIPE)
    assert asked.returncode == 5, asked
    debian.run("apt-get", "purge", *QUIET[:3], "hued-fleet")
    assert not debian.exists("/etc/default/hued-fleet") and not debian.exists("/etc/hued-fleet")


def main():
    first, second, fleet = map(Path, sys.argv[1:])
    for package in [first, fleet]:
        output("lintian", "--allow-root", "--fail-on", "error,warning", package)
    step("A fresh Debian")
    with Debian(first, second, fleet) as debian:
        try_installation(debian, first)
        try_units(debian)
        try_upgrade(debian, second)
        try_fleet(debian, fleet)
        try_removal(debian, second)
    step("All is well")


main()
