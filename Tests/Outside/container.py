"""Builds the image and runs docker-compose.yml for real without any registry of images: base images
from debootstrap, the toolchain of this machine. Needs root, apt and pip; for Scripts/container-check.

What works: podman with runc; chroot isolation; names by netavark; podman-compose 1.6 (Debian's 1.0 knows
no profiles). What does not: crun (it wants cgroup v2), and health checks by themselves where systemd
does not run.
"""

import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from processes import ROOT, wait_for

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
        command = [sys.executable, "-m", "podman_compose", "--in-pod", "false", "--profile", "demo"]
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
    compose(f"--podman-build-args={' '.join(flags)}", "build", "hub")


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


def main():
    folder = Path(tempfile.mkdtemp())
    os.environ.update(CONTAINERS_CONF=str(folder / "containers.conf"),
                      CONTAINERS_STORAGE_CONF=str(folder / "storage.conf"),
                      BUILD_IMAGE="localhost/swift", RUN_IMAGE="localhost/debian")
    os.environ.setdefault("HUED_PORT", "24833")
    compose = Compose(folder)
    try:
        install(folder)
        build(folder, compose)
        try_hub(compose)
        try_demonstration(compose)
        step("All is well")
    finally:
        compose("down", "--volumes", "--timeout", "1", check=False, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
        succeeds("umount", str(folder / "images/overlay"))
        shutil.rmtree(folder, ignore_errors=True)


main()
