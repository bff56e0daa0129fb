"""Builds a package that depends on this one, and runs the examples of the README and the guides as its tests, and
the sample apps; for Scripts/consumer. Prints how many tests passed."""

import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import samples

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/consumer"
PACKAGE = WORK / "package"
# Fetched, nothing is built twice, so what an edit or a debugger needs is left out: it takes a third less.
WHOLE = [flag for word in ["-wmo", "-num-threads", "1", "-gnone"] for flag in ["-Xswiftc", word]]
# This package's own build, which has all that is needed from it: 5 s of processor time instead of 100.
SHARED = ["--scratch-path", str(ROOT / ".build")]
# For the package manager to fetch the package, read its manifest and plan all of it.
SMALLEST = "CWebPage"

ARTICLE = """import Foundation
import Testing
{imports}
@MainActor @Test func exampleOf{name}() async throws {{
  let folder = FileManager.default.temporaryDirectory.path + "/consumer-\\(UUID())"
  defer {{
    for end in ["", "-elsewhere"] {{ try? FileManager.default.removeItem(atPath: folder + end) }}
  }}
{code}
}}
"""


def mirror(source, names, target):
    """Makes a folder have these files of another one; leaves alone what it has already, and what tools keep there.

    A compiler reads again whatever was written again.
    """
    for name in names:
        if not (target / name).is_file() or not filecmp.cmp(source / name, target / name, shallow=False):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target / name)
    for name in set(files(target)) - set(names):
        (target / name).unlink()


def files(folder):
    names = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return [str(name) for name in names if name.parts[0] not in [".git", ".build", "Package.resolved"]]


def make_repository():
    """Has what is in the tree, committed or not, in a repository; a state that differs gets the next version."""
    copy = WORK / "hued"

    def git(*arguments, folder=copy):
        return subprocess.run(["git", "-c", "user.name=hued", "-c", "user.email=hued@localhost", *arguments],
                              cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "-z", folder=ROOT).split("\0")
    mirror(ROOT, [name for name in listed if (ROOT / name).is_file()], copy)
    git("init", "--quiet")
    # Of a run that was ended.
    (copy / ".git/index.lock").unlink(missing_ok=True)
    git("add", "--all")
    if git("status", "--porcelain"):
        git("commit", "--quiet", "--message", "as it is")
    if not git("tag", "--points-at", "HEAD"):
        git("tag", f"1.0.{len(git('tag').split())}")
    return copy


def split(example):
    """The imports of an example, and the rest of it."""
    lines = example.splitlines()
    imports = [line for line in lines if line.startswith("import ")]
    return "\n".join(imports), "\n".join(line for line in lines if not line.startswith("import "))


def examples(text):
    return re.findall(r"^```swift\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def make_tests(tests):
    """Puts the examples, as they stand in the texts, into the tests of the package."""
    readme = examples((ROOT / "README.md").read_text())
    guide = examples((ROOT / "Sources/PaletteNode/PaletteNode.docc/InYourOwnApp.md").read_text())
    assert len(readme) == 1 and guide[0].startswith(readme[0]), "the README does not begin as the guide does"
    app, node = (split(example)[1].replace('"/home/ann/palettes"', "folder") for example in guide[:2])
    # Several nodes may run on one machine.
    node = node.replace("in: folder)", "in: folder, settings: settings)")
    app, mark, logs = app.partition("// Two logs")
    template = tests / "ReadmeTests.swift.in"
    filled = template.read_text()
    for name, code in {"@APP@": app, "@LOGS@": mark + logs, "@NODE@": node}.items():
        assert filled.count(name) == 1 and code.strip(), name
        filled = filled.replace(name, code)
    template.unlink()
    (tests / "ReadmeTests.swift").write_text(filled)
    for article in sorted(ROOT.glob("Sources/*/*.docc/*.md")):
        if article.parent.stem == article.stem:
            imports, code = split(examples(article.read_text())[0])
            (tests / f"{article.stem}.swift").write_text(
                ARTICLE.format(name=article.stem, imports=imports, code=code))


def make_package():
    """Has the package with its tests, and the newest version of what it depends on."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(Path(__file__).parent, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py"))
        make_tests(Path(folder, "Tests/ReadmeTests"))
        mirror(Path(folder), files(Path(folder)), PACKAGE)
    swift("package", "update")


def swift(*step):
    """Runs a step of the package manager, and returns what it printed."""
    done = subprocess.run(
        ["swift", *step, "--disable-sandbox", "--package-path", PACKAGE, "--cache-path", WORK / "cache"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        lines = done.stdout.splitlines()
        failures = [line for line in lines if re.search("error:|✘", line)]
        sys.exit(f"swift {' '.join(step)} failed in a package that depends on this one:\n"
                 + "\n".join(failures[:20] or lines[-20:]))
    return done.stdout


def try_programs(configuration, flags, build=PACKAGE / ".build"):
    swift("build", "--configuration", configuration, *flags)
    programs = build / configuration
    with tempfile.TemporaryDirectory() as folder:
        shown = subprocess.run([programs / "consumer", Path(folder, "library")],
                               stdout=subprocess.PIPE, text=True, check=True).stdout
        assert shown == "#ff6347 Ripe\n", shown
        samples.check_links(programs, ROOT / "Sources/CWebPage/files/page.html")
        samples.try_samples(programs, Path(folder))


def main():
    if sys.argv[1:] not in ([], ["--fetched"]):
        sys.exit("usage: Scripts/consumer [--fetched]")
    WORK.mkdir(parents=True, exist_ok=True)
    os.environ["HUED_URL"] = f"file://{make_repository()}"
    make_package()
    if sys.argv[1:] == ["--fetched"]:
        flags = WHOLE
        try_programs("debug", flags)
        try_programs("release", [])
    else:
        flags = SHARED
        swift("build", "--target", SMALLEST)
        os.environ["HUED_FOLDER"] = str(ROOT)
        try_programs("debug", flags, ROOT / ".build")
    passed = re.search(r"Test run with ([0-9]+) tests? in .* passed", swift("test", *flags))
    assert passed, "no test was run"
    print(f"{passed[1]} tests of a package that depends on this one passed")


main()
