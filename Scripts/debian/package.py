"""Makes a Debian package of what the tree holds; `Scripts/package` tells how."""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from email.utils import formatdate
from pathlib import Path

OUT = Path(".build/package")
ROOT = OUT / "root"
DEBIAN = Path("Scripts/debian")
CONTROL = """Package: hued
Version: {version}
Architecture: {architecture}
Maintainer: {who}
Installed-Size: {size}
Depends: {libraries}, adduser, init-system-helpers (>= 1.54~)
Recommends: ca-certificates
Section: graphics
Priority: optional
Description: keeps color palettes in sync between machines and people
 Every machine has the whole palette in its own change log, works offline, and
 sees every edit of everyone else live. Two people who edit the same color at
 once lose nothing: both values stay until somebody decides.
 .
 One binary is command line, background node and sync server with a web page.
"""


def output(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, **options).stdout


def text(*command, **options):
    return output(*command, **options).decode().strip()


def binary():
    """The binary that is packed."""
    if os.environ.get("HUED"):
        return os.environ["HUED"]
    build = ["swift", "build", "--configuration", "release", "--product", "hued", "--static-swift-stdlib"]
    subprocess.run(build, stdout=sys.stderr, check=True)
    return text(*build, "--show-bin-path") + "/hued"


def put(path, content, mode=0o644):
    file = ROOT / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    file.chmod(mode)


def unit(name):
    """Without the lines that say how to install a unit by hand, and with the places of a package."""
    lines = [line for line in Path("Scripts", name).read_text().splitlines(True) if not line.startswith("#   ")]
    moved = "".join(lines).replace("/usr/local/lib/", "/usr/lib/")
    return re.sub(r"/usr/local/bin/hued|%h/\.local/bin/hued", "/usr/bin/hued", moved).encode()


def last_commit(form, otherwise):
    done = subprocess.run(["git", "log", "-1", f"--format={form}"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() or otherwise


def fill(hued, version, who):
    """Puts everything but DEBIAN into the tree of the package."""
    put("usr/bin/hued", Path(hued).read_bytes(), 0o755)
    subprocess.run(["strip", "--strip-all", "--remove-section=.comment", "--remove-section=.note",
                    ROOT / "usr/bin/hued"], check=True)
    put("usr/lib/hued/backup", Path("Scripts/hued-backup").read_bytes(), 0o755)
    put("usr/share/man/man1/hued.1.gz", gzip.compress(output(hued, "man"), mtime=0))
    for shell, place in [("bash", "bash-completion/completions/hued"), ("zsh", "zsh/vendor-completions/_hued"),
                         ("fish", "fish/vendor_completions.d/hued.fish")]:
        put(f"usr/share/{place}", output(hued, "completion", shell))
    for name in ["hued.service", "hued-backup.service", "hued-backup.timer"]:
        put(f"lib/systemd/system/{name}", unit(name))
    put("usr/lib/systemd/user/hued.service", unit("hued-user.service"))
    put("etc/default/hued", (DEBIAN / "default").read_bytes())
    put("usr/share/doc/hued/README.md", Path("README.md").read_bytes())
    put("usr/share/doc/hued/hued-dashboard.json", Path("Scripts/hued-dashboard.json").read_bytes())
    put("usr/share/doc/hued/copyright", (DEBIAN / "copyright").read_bytes())
    date = last_commit("%cD", formatdate(time.time()))
    change = f"hued ({version}) bookworm; urgency=medium\n\n  * hued {version}.\n\n -- {who}  {date}\n"
    put("usr/share/doc/hued/changelog.gz", gzip.compress(change.encode(), mtime=0))


def libraries():
    """What the binary links against says which packages it needs, and since which version."""
    (OUT / "debian").mkdir()
    (OUT / "debian/control").write_text("Source: hued\n\nPackage: hued\nArchitecture: any\n")
    return text("dpkg-shlibdeps", "-O", "-eroot/usr/bin/hued", cwd=OUT).removeprefix("shlibs:Depends=")


def describe(version, architecture, who):
    """Puts what tells of the package beside its files."""
    files = sorted(file for file in ROOT.rglob("*") if file.is_file())
    sums = [f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(ROOT)}\n" for file in files]
    for name in ["postinst", "prerm", "postrm"]:
        put(f"DEBIAN/{name}", (DEBIAN / name).read_bytes(), 0o755)
    put("DEBIAN/conffiles", b"/etc/default/hued\n")
    put("DEBIAN/md5sums", "".join(sums).encode())
    size = text("du", "--summarize", "--apparent-size", "--block-size", "1024", ROOT).split()[0]
    control = CONTROL.format(version=version, architecture=architecture, who=who, size=size, libraries=libraries())
    put("DEBIAN/control", control.encode())
    for folder in [ROOT, *ROOT.rglob("*/")]:
        if folder.is_dir():
            folder.chmod(0o755)


def main():
    hued = binary()
    version = text(hued, "--version").split()[1] + (sys.argv[1] if len(sys.argv) > 1 else "")
    architecture = text("dpkg", "--print-architecture")
    who = last_commit("%an <%ae>", "hued <root@localhost>")
    for folder in [ROOT, OUT / "debian"]:
        shutil.rmtree(folder, ignore_errors=True)
    ROOT.mkdir(parents=True)
    fill(hued, version, who)
    describe(version, architecture, who)
    package = f"{OUT}/hued_{version}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", ROOT, package], stdout=sys.stderr, check=True)
    print(package)


main()
