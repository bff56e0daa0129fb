"""Linked files: two machines with a file each, a third that edits, and kill -9 in between."""

import json
import os
import re
import shutil
import subprocess
import time
import unittest

from cases import Case
from processes import CommandFailed, join, wait_for
from running import sized

GPL = "GIMP Palette\nName: Brand\n# made by hand\n255   0   0\tRed\n  0 255   0\tGreen\n  0   0 255\tBlue\n"


def read_gpl(path):
    """Name and value of each color, by a reader of our own."""
    colors = []
    for line in path.read_text().splitlines():
        found = re.fullmatch(r"\s*(\d+)\s+(\d+)\s+(\d+)\t(.*)", line)
        if found:
            colors.append((found[4], "#%02x%02x%02x" % tuple(int(found[part]) for part in (1, 2, 3))))
    return colors


def read_css(path):
    return re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", path.read_text())


def save(path, text):
    """As most editors save: a new file takes the old one's place."""
    beside = path.with_name(path.name + ".tmp")
    beside.write_text(text)
    os.replace(beside, path)


class Linked(Case):
    """Files and palettes follow each other on every machine."""

    def colors(self, home):
        return [(color["name"], color["hex"]) for color in home.hued("list", "Brand")["colors"]]

    def edit(self, home, *arguments):
        try:
            home.hued(*arguments)
        except CommandFailed:
            pass  # the color went meanwhile

    def test_two_files_and_a_third_machine(self):
        hub, node, _ = self.hub("Shared")
        gpl = hub.folder.parent / f"{hub.folder.name}-brand.gpl"
        css = gpl.with_suffix(".css")
        for path in (gpl, css):
            self.addCleanup(path.unlink, missing_ok=True)
        gpl.write_text(GPL)
        hub.hued("link", gpl, "Brand")
        homes = [hub]
        for _ in range(2):
            home = self.joined(hub)
            self.node(home)
            homes.append(home)
        wait_for(lambda: len(self.colors(homes[1])) == 3, what="the palette at the second machine")
        homes[1].hued("link", css, "Brand")
        names = iter(range(1_000_000))
        for _ in range(sized(8, 120)):
            choice = self.random.randrange(4)
            value = tuple(self.random.randrange(256) for _ in range(3))
            if choice == 0:
                save(gpl, gpl.read_text() + "%d %d %d\tfile-%d\n" % (*value, next(names)))
            elif choice == 1:
                text = css.read_text()
                known = read_css(css)
                name = self.random.choice(known)[0]
                css.write_text(re.sub(rf"(--{re.escape(name)}:\s*)#[0-9a-f]{{6}}",
                                      r"\g<1>#%02x%02x%02x" % value, text))
            elif choice == 2:
                homes[2].hued("add", "Brand", "#%02x%02x%02x" % value, f"third-{next(names)}")
            else:
                color = self.random.choice(self.colors(homes[2]))[0]
                self.edit(homes[2], "set", "Brand", color, "#%02x%02x%02x" % value)
            time.sleep(self.random.random() * 0.3)

        def what():
            return f"{self.colors(homes[0])} {read_gpl(gpl)} {read_css(css)} {node.lines[-5:]}"

        def agree():
            lists = [self.colors(home) for home in homes]
            return (lists[0] == lists[1] == lists[2] == read_gpl(gpl)
                    and [value for _, value in lists[0]] == [value for _, value in read_css(css)])
        wait_for(agree, within=30, what=lambda: f"all to show the same: {what()}")
        self.assertIn("# made by hand", gpl.read_text())
        # Nobody writes any more once all say the same.
        before = [path.stat().st_mtime_ns for path in (gpl, css)]
        time.sleep(1)
        self.assertEqual(before, [path.stat().st_mtime_ns for path in (gpl, css)])

    def test_kill_in_between(self):
        home = self.home()
        gpl = home.folder.parent / f"{home.folder.name}-brand.gpl"
        self.addCleanup(gpl.unlink, missing_ok=True)
        gpl.write_text(GPL)
        node = self.node(home)
        home.hued("link", gpl)
        wanted = dict(read_gpl(gpl))
        for round in range(sized(4, 60)):
            name = self.random.choice(["Red", "Green", "Blue"])
            value = tuple(self.random.randrange(256) for _ in range(3))
            wanted[name] = "#%02x%02x%02x" % value
            if self.random.random() < 0.5:
                save(gpl, re.sub(rf"(?m)^.*\t{name}$", "%3d %3d %3d\t%s" % (*value, name), gpl.read_text()))
            else:
                home.hued("set", "Brand", name, wanted[name])
            time.sleep(self.random.random() * 0.15)
            node.kill()
            if self.random.random() < 0.5:
                other = f"added-{round}"
                wanted[other] = "#%02x%02x%02x" % value
                home.hued("add", "Brand", wanted[other], other)
            node = self.node(home)
            wait_for(lambda: dict(self.colors(home)) == wanted == dict(read_gpl(gpl)), within=15,
                     what=lambda: f"{wanted} after a kill: {self.colors(home)} {read_gpl(gpl)}")
            self.assertEqual(len(self.colors(home)), len(wanted))
        self.assertEqual([path.name for path in gpl.parent.glob(f".{gpl.name}*")], [])

    def linked(self):
        """A home with a node, and a file beside it that is linked to its palette."""
        home = self.home()
        folder = home.folder.parent / f"{home.folder.name}-files"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        gpl = folder / "brand.gpl"
        gpl.write_text(GPL)
        self.node(home)
        return home, folder, gpl

    def says(self, path, name, value):
        return lambda: dict(read_gpl(path)).get(name) == value

    def test_mode_owner_and_symbolic_link_stay(self):
        home, folder, gpl = self.linked()
        gpl.chmod(0o640)
        owner = (12345, 54321) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
        os.chown(gpl, *owner)
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir()
        link = elsewhere / "link.gpl"
        link.symlink_to("../brand.gpl")
        home.hued("link", link, "Brand")
        home.hued("set", "Brand", "Red", "#010203")
        wait_for(self.says(gpl, "Red", "#010203"), what="the target of the link to follow")
        status = gpl.stat()
        self.assertEqual((status.st_mode & 0o7777, status.st_uid, status.st_gid), (0o640, *owner))
        self.assertTrue(link.is_symlink())
        self.assertEqual(os.readlink(link), "../brand.gpl")
        # The file behind the link, saved by somebody.
        save(gpl, gpl.read_text().replace("Green", "Leaf"))
        wait_for(lambda: any(name == "Leaf" for name, _ in self.colors(home)), what="the edit of the target")

    @unittest.skipUnless(shutil.which("node"), "needs node, which judges scripts")
    def test_names_are_no_code_in_a_linked_script(self):
        """Whatever a color is called, the configuration of Tailwind says that and does nothing."""
        names = ["${globalThis.ran = 1}", "`+(globalThis.ran = 1)+`", "'+(globalThis.ran = 1)+'",
                 '"+(globalThis.ran = 1)+"', "\\", "*/", "</script>", "a\u2028b", "\u202etxet", "5a", "05", "a-b",
                 "__proto__", "constructor", "500", "\\${globalThis.ran = 1}", "// x", "{", "it's"]
        judge = """
            const vm = require('vm'), fs = require('fs');
            const flat = (node, path) => Object.entries(node).flatMap(([key, value]) =>
                typeof value === 'string' ? [[[...path, key].join('/'), value]] : flat(value, [...path, key]));
            console.log(JSON.stringify(JSON.parse(fs.readFileSync(0)).map((script) => {
                const scope = { module: {} };
                vm.runInNewContext(script, scope);
                return [scope.ran ?? null, flat(scope.module.exports.colors, [])];
            })));
            """
        home = self.home()
        folder = home.folder.parent / f"{home.folder.name}-scripts"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.node(home)
        for quote, key in [("`", "[`red`]"), ("'", "'red'"), ('"', '"red"'), ("'", "red")]:
            path = folder / f"t{len(list(folder.iterdir()))}.js"
            path.write_text(f"// mine\nmodule.exports = {{ colors: {{ {key}: {quote}#ff0000{quote} }} }}\n")
            palette = path.stem
            home.hued("link", path, palette)
            color = home.hued("list", palette)["colors"][0]["id"]
            written = []
            for number, name in enumerate(names):
                value = "#%06x" % (number + 1)
                home.hued("rename", palette, color, name)
                home.hued("set", palette, color, value)
                wait_for(lambda: value in path.read_text(), what=lambda: f"{name}: {path.read_text()}")
                written.append((name, value, path.read_text()))
            scripts = [script for _, _, script in written]
            done = subprocess.run(["node", "-e", judge], input=json.dumps(scripts), capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, f"{done.stderr} {scripts}")
            for (name, value, script), said in zip(written, json.loads(done.stdout), strict=True):
                shown = "-__proto__" if name == "__proto__" else name
                self.assertEqual(said, [None, [[shown, value]]], script)
            self.assertIn("// mine", path.read_text())

    @unittest.skipUnless(os.geteuid() == 0, "needs root for a file system of its own")
    def test_a_file_system_that_becomes_read_only(self):
        """The link pauses and says why, edits go on, and it follows again by itself."""
        home, folder, gpl = self.linked()
        mounted = folder / "mounted"
        mounted.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", mounted], capture_output=True).returncode:
            self.skipTest("cannot mount here")
        self.addCleanup(subprocess.run, ["umount", "-l", mounted], capture_output=True)
        path = mounted / "brand.gpl"
        path.write_text(GPL)
        home.hued("link", path, "Brand")
        subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
        home.hued("set", "Brand", "Red", "#010203")

        def state():
            return home.hued("links")["links"][0]
        paused = wait_for(lambda: state()["state"] != "live" and state(), what="the link to pause")
        self.assertEqual(paused["state"], "paused")
        self.assertIn("ead-only", paused["error"])
        self.assertEqual(path.read_text(), GPL)
        self.assertEqual(dict(self.colors(home))["Red"], "#010203")
        subprocess.run(["mount", "-o", "remount,rw", mounted], check=True)
        wait_for(self.says(path, "Red", "#010203"), within=30, what="the file to follow again")
        wait_for(lambda: state()["state"] == "live", what="the link to be live")

    def test_folders_are_not_linked(self):
        home, folder, gpl = self.linked()
        home.hued("import", gpl)
        home.run("export", "Brand", "--output", folder / "Brand.xcassets")
        for path, arguments in [(folder / "Brand.xcassets", ["Brand"]), (folder, ["Brand"]),
                                (folder / "New.xcassets", ["Brand"])]:
            done = home.run("--json", "link", path, *arguments)
            self.assertEqual(done.returncode, 2, f"{path}: {done.stdout}{done.stderr}")
            error = json.loads(done.stdout + done.stderr)["error"]
            self.assertIn(error["code"], ("bad-file", "bad-format"))
            self.assertIn("folder", error["message"])
        self.assertEqual(home.hued("links")["links"], [])
        self.assertFalse((folder / "New.xcassets").exists())
