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
CONTROL = """Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {who}
Installed-Size: {size}
Depends: {libraries}, adduser, init-system-helpers (>= 1.54~)
{relations}
Section: graphics
Priority: optional
Description: {description}
"""
DESCRIPTION = """keeps color palettes in sync between machines and people
 Every machine has the whole palette in its own change log, works offline, and
 sees every edit of everyone else live. Two people who edit the same color at
 once lose nothing: both values stay until somebody decides.
 ."""


class Package:
    """What tells one package from another."""

    def __init__(self, name, relations, description, scripts, units, files):
        self.name = name
        self.relations = relations
        self.description = description
        self.scripts = DEBIAN / scripts
        self.units = units
        self.files = files


HUED = Package("hued", "Recommends: ca-certificates", DESCRIPTION + """
 One binary is command line, background node and sync server with a web page.""", "", {
     "hued.service": "lib/systemd/system/hued.service", "hued.socket": "lib/systemd/system/hued.socket", "hued-backup.service": "lib/systemd/system/hued-backup.service",
     "hued-backup.timer": "lib/systemd/system/hued-backup.timer", "hued-user.service": "usr/lib/systemd/user/hued.service",
 }, {
     "README.md": ("usr/share/doc/hued/README.md", 0o644), "Scripts/hued-backup": ("usr/lib/hued/backup", 0o755),
     "Scripts/hued-dashboard.json": ("usr/share/doc/hued/hued-dashboard.json", 0o644),
 })
FLEET = Package("hued-fleet", "Recommends: ca-certificates\nSuggests: hued, postgresql, haproxy", DESCRIPTION + """
 This is a hub among several that share their libraries in a PostgreSQL
 database, for those whom one hub no longer serves.""", "fleet", {
     "hued-fleet.service": "lib/systemd/system/hued-fleet.service",
 }, {
     "Sources/PaletteNode/PaletteNode.docc/RunningAFleet.md": ("usr/share/doc/hued-fleet/RunningAFleet.md", 0o644),
 })


def output(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, **options).stdout


def text(*command, **options):
    return output(*command, **options).decode().strip()


def binary(name):
    """The binary that is packed."""
    if os.environ.get("HUED"):
        return str(Path(os.environ["HUED"]).with_name(name))
    build = ["swift", "build", "--configuration", "release", "--product", name, "--static-swift-stdlib"]
    subprocess.run(build, stdout=sys.stderr, check=True)
    return text(*build, "--show-bin-path") + "/" + name


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


def fill(package, program, version, who):
    """Puts everything but DEBIAN into the tree of the package."""
    name = package.name
    put(f"usr/bin/{name}", Path(program).read_bytes(), 0o755)
    subprocess.run(["strip", "--strip-all", "--remove-section=.comment", "--remove-section=.note",
                    ROOT / "usr/bin" / name], check=True)
    put(f"usr/share/man/man1/{name}.1.gz", gzip.compress(output(program, "man"), mtime=0))
    for shell, place in [("bash", f"bash-completion/completions/{name}"), ("zsh", f"zsh/vendor-completions/_{name}"),
                         ("fish", f"fish/vendor_completions.d/{name}.fish")]:
        put(f"usr/share/{place}", output(program, "completion", shell))
    for source, place in package.units.items():
        put(place, unit(source))
    for source, (place, mode) in package.files.items():
        put(place, Path(source).read_bytes(), mode)
    put(f"etc/default/{name}", (package.scripts / "default").read_bytes())
    rights = (DEBIAN / "copyright").read_text().replace("usr/bin/hued", f"usr/bin/{name}")
    put(f"usr/share/doc/{name}/copyright", rights.encode())
    date = last_commit("%cD", formatdate(time.time()))
    change = f"{name} ({version}) bookworm; urgency=medium\n\n  * hued {version}.\n\n -- {who}  {date}\n"
    put(f"usr/share/doc/{name}/changelog.gz", gzip.compress(change.encode(), mtime=0))


def libraries(name):
    """What the binary links against says which packages it needs, and since which version."""
    (OUT / "debian").mkdir()
    (OUT / "debian/control").write_text(f"Source: hued\n\nPackage: {name}\nArchitecture: any\n")
    return text("dpkg-shlibdeps", "-O", f"-eroot/usr/bin/{name}", cwd=OUT).removeprefix("shlibs:Depends=")


def describe(package, version, architecture, who):
    """Puts what tells of the package beside its files."""
    files = sorted(file for file in ROOT.rglob("*") if file.is_file())
    sums = [f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(ROOT)}\n" for file in files]
    for name in ["postinst", "prerm", "postrm"]:
        put(f"DEBIAN/{name}", (package.scripts / name).read_bytes(), 0o755)
    put("DEBIAN/conffiles", f"/etc/default/{package.name}\n".encode())
    put("DEBIAN/md5sums", "".join(sums).encode())
    size = text("du", "--summarize", "--apparent-size", "--block-size", "1024", ROOT).split()[0]
    control = CONTROL.format(name=package.name, version=version, architecture=architecture, who=who, size=size,
                             libraries=libraries(package.name), relations=package.relations, description=package.description)
    put("DEBIAN/control", control.encode())
    for folder in [ROOT, *ROOT.rglob("*/")]:
        if folder.is_dir():
            folder.chmod(0o755)


def main():
    words = sys.argv[1:]
    package = FLEET if words[:1] == ["--fleet"] else HUED
    suffix = "".join(words[package is FLEET:])
    program = binary(package.name)
    version = text(program, "--version").split()[1] + suffix
    architecture = text("dpkg", "--print-architecture")
    who = last_commit("%an <%ae>", "hued <root@localhost>")
    for folder in [ROOT, OUT / "debian"]:
        shutil.rmtree(folder, ignore_errors=True)
    ROOT.mkdir(parents=True)
    fill(package, program, version, who)
    describe(package, version, architecture, who)
    file = f"{OUT}/{package.name}_{version}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", ROOT, file], stdout=sys.stderr, check=True)
    print(file)


main()
