"""Builds a package that depends on this one by URL and version, and runs the examples of the README and the
guides as its tests, and the sample apps; with --release, the same of a release build after that. Prints how many
tests passed."""

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


def make_repository():
    """Copies what is in the tree, committed or not, into a repository with a version."""
    copy = WORK / "hued"
    shutil.rmtree(copy, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
                            cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)

    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=hued", "-c", "user.email=hued@localhost", *arguments],
                       cwd=copy, check=True)
    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "as it is")
    git("tag", "1.0.0")
    return copy


def split(example):
    """The imports of an example, and the rest of it."""
    lines = example.splitlines()
    imports = [line for line in lines if line.startswith("import ")]
    return "\n".join(imports), "\n".join(line for line in lines if not line.startswith("import "))


def examples(text):
    return re.findall(r"^```swift\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def make_tests():
    """Puts the examples, as they stand in the texts, into the tests of the package."""
    tests = PACKAGE / "Tests/ReadmeTests"
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
    for name in ["Sources", "Tests"]:
        shutil.rmtree(PACKAGE / name, ignore_errors=True)
    shutil.copytree(Path(__file__).parent, PACKAGE, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py"))
    # A version stands for one state only; here it is another each time.
    for name in ["Package.resolved", ".build/workspace-state.json"]:
        (PACKAGE / name).unlink(missing_ok=True)
    for name in ["repositories", "checkouts"]:
        shutil.rmtree(PACKAGE / ".build" / name, ignore_errors=True)
    make_tests()


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


def try_programs(configuration):
    swift("build", "--configuration", configuration)
    programs = PACKAGE / ".build" / configuration
    with tempfile.TemporaryDirectory() as folder:
        shown = subprocess.run([programs / "consumer", Path(folder, "library")],
                               stdout=subprocess.PIPE, text=True, check=True).stdout
        assert shown == "#ff6347 Ripe\n", shown
        samples.check_links(programs, ROOT / "Sources/CWebPage/files/page.html")
        samples.try_samples(programs, Path(folder))


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    os.environ["HUED_URL"] = f"file://{make_repository()}"
    make_package()
    try_programs("debug")
    passed = re.search(r"Test run with ([0-9]+) tests? in .* passed", swift("test"))
    assert passed, "no test was run"
    if "--release" in sys.argv[1:]:
        try_programs("release")
    print(f"{passed[1]} tests of a package that depends on this one passed")


main()
