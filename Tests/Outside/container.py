"""Builds the image and runs docker-compose.yml for real without any registry of images: base images
from debootstrap, the toolchain of this machine. Needs root, apt and pip; for Scripts/container-check.

What works: podman with runc; chroot isolation; names by netavark; podman-compose 1.6 (Debian's 1.0 knows
no profiles). What does not: crun (it wants cgroup v2), and health checks by themselves where systemd
does not run.
"""

import json
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from processes import binary, ROOT, wait_for

CONTAINERS = """[containers]
default_ulimits=["nofile=4096:4096","nproc=4096:4096"]
[engine]
cgroup_manager="cgroupfs"
events_logger="file"
runtime="runc"
[network]
network_config_dir="{folder}/networks"
"""
STORAGE = """[storage]
driver="overlay"
graphroot="{folder}/images"
runroot="{folder}/run"
"""
BUILD_IMAGE = """FROM {base}
ENV PATH=/toolchain/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin
RUN apt-get update -qq && apt-get install -qq --no-install-recommends binutils g++ git libxml2 \\
libcurl4 libedit2 libncurses6 libpython3.11 tzdata zlib1g-dev >/dev/null 2>&1
"""


# What stands in for the images of others: the same users, folders and variables, from Debian's packages.
DATABASE_IMAGE = """FROM {base}
RUN apt-get update -qq && groupadd --gid 999 postgres && useradd --uid 999 --gid postgres postgres \\
  && apt-get install -qq --no-install-recommends postgresql >/dev/null 2>&1 \\
  && install --directory --owner postgres --group postgres --mode 0700 /var/lib/postgresql/data \\
  && ln --symbolic /usr/lib/postgresql/*/bin/* /usr/local/bin/
ENV PGDATA=/var/lib/postgresql/data PGHOST=/tmp
CMD ["sh", "-e", "-c", "\\
  if [ ! -e $PGDATA/PG_VERSION ]; then \\
    echo $POSTGRES_PASSWORD >/tmp/password; \\
    initdb --username $POSTGRES_USER --pwfile /tmp/password --auth-local trust --auth-host scram-sha-256; \\
    echo host all all all scram-sha-256 >>$PGDATA/pg_hba.conf; \\
    pg_ctl start --wait --options '-c listen_addresses= -k /tmp'; \\
    createdb --username $POSTGRES_USER $POSTGRES_DB; \\
    pg_ctl stop --wait; \\
  fi; exec postgres -k /tmp -c 'listen_addresses=*'"]
"""
BALANCER_IMAGE = """FROM {base}
RUN apt-get update -qq && apt-get install -qq --no-install-recommends haproxy >/dev/null 2>&1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
"""


def step(text):
    print(f"\n== {text}", flush=True)


def run(*command, **how):
    return subprocess.run([str(part) for part in command], check=True, **how)


def output(*command):
    return run(*command, stdout=subprocess.PIPE, text=True).stdout.strip()


def succeeds(*command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


def eventually(*command):
    wait_for(lambda: succeeds(*command), within=60, what=" ".join(command), every=1)


def hued(service, *arguments):
    return ["podman", "exec", f"hued_{service}_1", "hued", *arguments]


def shows(service, name):
    return ["sh", "-c", f"podman exec hued_{service}_1 hued list Check | grep --fixed-strings {name}"]


class Compose:
    """docker-compose.yml, with the demonstration."""

    def __init__(self, folder):
        self.environment = os.environ | {"PYTHONPATH": str(folder / "python")}

    def __call__(self, *arguments, **how):
        command = [sys.executable, "-m", "podman_compose", "--in-pod", "false", "--profile", "demo", "--profile",
                   "fleet"]
        return subprocess.run(command + list(arguments), env=self.environment, cwd=ROOT, **{"check": True, **how})


def install(folder):
    step("Tools")
    run("apt-get", "install", "--yes", "--quiet", "--quiet", "--no-install-recommends", "podman", "runc",
        "debootstrap", "netavark", "aardvark-dns", "iptables", "python3-pip", stdout=subprocess.DEVNULL)
    (folder / "containers.conf").write_text(CONTAINERS.format(folder=folder))
    (folder / "storage.conf").write_text(STORAGE.format(folder=folder))
    run(sys.executable, "-m", "pip", "install", "--quiet", "--target", folder / "python", "podman-compose==1.6.0",
        stderr=subprocess.DEVNULL)


def build(folder, compose):
    step("Base images, and the image")
    base = os.environ["RUN_IMAGE"]
    run("debootstrap", "--variant=minbase", "bookworm", folder / "root", stdout=subprocess.DEVNULL)
    packed = subprocess.Popen(["tar", "--directory", folder / "root", "--exclude", "./var/cache/apt/*",
                               "--create", "."], stdout=subprocess.PIPE)
    run("podman", "import", "--quiet", "-", base, stdin=packed.stdout)
    assert packed.wait() == 0
    toolchain = Path(shutil.which("swift")).resolve().parents[2]
    flags = ["--isolation", "chroot", "--network", "host", "--volume", f"{toolchain}:/toolchain:ro"]
    run("podman", "build", "--quiet", *flags, "--tag", os.environ["BUILD_IMAGE"], "-",
        input=BUILD_IMAGE.format(base=base), text=True)
    for name, text in [("DATABASE_IMAGE", DATABASE_IMAGE), ("BALANCER_IMAGE", BALANCER_IMAGE)]:
        run("podman", "build", "--quiet", *flags, "--tag", os.environ[name], "-", input=text.format(base=base), text=True)
    compose(f"--podman-build-args={' '.join(flags)}", "build", "hub", "one")


def try_hub(compose):
    step("Hub: not root, nothing writable but its library, healthy, stopped in order, all there again")
    compose("up", "--detach", "--no-build", "hub")
    eventually("podman", "healthcheck", "run", "hued_hub_1")
    run("podman", "exec", "hued_hub_1", "sh", "-c", '[ "$(id --user)" = 10001 ] && ! touch /usr/x')
    url = f"https://127.0.0.1:{os.environ['HUED_PORT']}/healthz"
    urllib.request.urlopen(url, context=ssl._create_unverified_context()).read()
    run(*hued("hub", "new", "Check"))
    run(*hued("hub", "add", "Check", "rebeccapurple", "Before"))
    run("podman", "stop", "--time", "10", "hued_hub_1")
    assert output("podman", "inspect", "--format", "{{.State.ExitCode}}", "hued_hub_1") == "0"
    run("podman", "rm", "hued_hub_1")
    compose("up", "--detach", "--no-build", "hub")
    eventually(*shows("hub", "Before"))


def try_demonstration(compose):
    step("Demonstration: two nodes join; an edit made while the hub is away arrives")
    compose("up", "--detach", "--no-build", "studio", "laptop")
    eventually(*shows("laptop", "Before"))
    run("podman", "stop", "--time", "10", "hued_hub_1")
    run(*hued("laptop", "add", "Check", "teal", "Offline"))
    run("podman", "start", "hued_hub_1")
    eventually(*shows("studio", "Offline"))


def try_fleet(compose):
    step("Fleet: one command; a machine joins through the balancer, and stays in step when a hub is gone")
    compose("up", "--detach", "--no-build", "balancer")
    for service in ["database", "one", "two", "three", "balancer"]:
        eventually("podman", "healthcheck", "run", f"hued_{service}_1")
    code = json.loads(output("podman", "exec", "hued_one_1", "hued-fleet", "new", "studio", "--json"))["code"]
    folder = Path(tempfile.mkdtemp())
    try:
        def there(*arguments):
            return [binary(), "--home", str(folder), *arguments]
        run(*there("join", code))
        run(*there("new", "Check"))
        run(*there("add", "Check", "teal", "Fleet"))
        run(*there("sync"))
        run("podman", "exec", "hued_one_1", "hued-fleet", "list")
        for service in ["one", "two"]:
            run("podman", "stop", "--time", "10", f"hued_{service}_1")
        run(*there("add", "Check", "gold", "Two hubs less"))
        eventually(*there("sync"))
    finally:
        shutil.rmtree(folder)


def main():
    folder = Path(tempfile.mkdtemp())
    os.environ.update(CONTAINERS_CONF=str(folder / "containers.conf"),
                      CONTAINERS_STORAGE_CONF=str(folder / "storage.conf"),
                      BUILD_IMAGE="localhost/swift", RUN_IMAGE="localhost/debian",
                      DATABASE_IMAGE="localhost/database", BALANCER_IMAGE="localhost/balancer")
    os.environ.setdefault("HUED_PORT", "24833")
    os.environ.setdefault("HUED_FLEET_PORT", "28443")
    compose = Compose(folder)
    try:
        install(folder)
        build(folder, compose)
        try_hub(compose)
        try_demonstration(compose)
        try_fleet(compose)
        step("All is well")
    finally:
        compose("down", "--volumes", "--timeout", "1", check=False, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
        succeeds("umount", str(folder / "images/overlay"))
        shutil.rmtree(folder, ignore_errors=True)


main()
