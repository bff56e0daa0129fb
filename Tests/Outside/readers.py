"""What other programs find in the files that hued writes: readers from the specifications of the formats,
made of nothing but Python's library, and in the long run those of packages that others wrote."""

import colorsys
import csv
import html.parser
import io
import json
import re
import struct
import subprocess
import unittest
import venv
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib

import packages
from cases import Case
from processes import ROOT
from running import IS_LONG

# Names with groups, quotes, other scripts, the same name twice; opacity, notes, and a color beyond sRGB.
COLORS = [
    ("Coral", "#ff7f50", ""), ("Sea/Deep blue", "#001a33", "the \"deep\" one"), ("Sea/Foam", "#e0ffee", ""),
    ("Half black", "#00000080", "for shadows"), ("Café & crème <2>", "#c8a27d", ""), ("海", "#0077be", ""),
    ("It's; a, \"name\"", "#123456", "two\nlines"), ("Coral", "#ff7f51", ""), ("Green", "oklch(0.7 0.2 145)", ""),
    ("White", "#ffffff", ""), ("Black", "#000000", ""), ("Dark", "#010203", ""),
]


def pairs(text):
    return "#%02x%02x%02x" % tuple(int(round(float(value))) for value in text)


def color(name, value, alpha=None, note=None, key=None):
    return {"name": name, "value": value.lower(), "alpha": alpha, "note": note, "id": key}


def of_hex(digits):
    """A color of six digits, or of eight whose last are the opacity."""
    return "#" + digits[:6], int(digits[6:], 16) / 255 if len(digits) == 8 else 1


# MARK: Text

def read_hex(data):
    return None, [color(None, *of_hex(line)) for line in data.decode().split()]


def read_gpl(data):
    lines = data.decode().split("\n")
    assert lines[0] == "GIMP Palette" and lines[1].startswith("Name: ")
    found = [re.fullmatch(r" *(\d+) +(\d+) +(\d+)\t(.*)", line) for line in lines[2:]]
    return lines[1][6:], [color(each[4], pairs(each.group(1, 2, 3))) for each in found if each]


def read_kde(data):
    lines = data.decode().splitlines()
    assert lines[0] == "KDE RGB Palette"
    found = [re.fullmatch(r"(\d+) (\d+) (\d+)\t(.*)", line) for line in lines[1:]]
    return None, [color(each[4], pairs(each.group(1, 2, 3))) for each in found]


def read_jasc(data):
    lines = data.decode().split("\r\n")
    assert lines[:2] == ["JASC-PAL", "0100"] and lines[-1] == ""
    assert int(lines[2]) == len(lines) - 4
    return None, [color(None, pairs(line.split())) for line in lines[3:-1]]


def read_paintnet(data):
    lines = data.decode().splitlines()
    title = [line.partition("Name: ")[2] for line in lines if line.startswith(";Palette Name")]
    colors = [line for line in lines if not line.startswith(";")]
    return title[0], [color(None, "#" + line[2:], int(line[:2], 16) / 255) for line in colors]


def read_csv(data):
    rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    return None, [color(row["name"], *css_value(row["color"]), row["note"]) for row in rows]


def read_txt(data):
    rows = [line.split("\t") for line in data.decode().splitlines()]
    return None, [color(name, *css_value(text)) for text, name in rows]


# MARK: Bytes

def read_ase(data):
    assert data[:4] == b"ASEF" and struct.unpack(">HH", data[4:8]) == (1, 0)
    count, place, groups, colors = struct.unpack(">I", data[8:12])[0], 12, [], []
    title = None
    for _ in range(count):
        kind, length = struct.unpack(">HI", data[place:place + 6])
        body, place = data[place + 6:place + 6 + length], place + 6 + length
        if kind == 0xC002:
            groups.pop()
            continue
        size = struct.unpack(">H", body[:2])[0] * 2
        name = body[2:2 + size].decode("utf-16-be")
        assert name.endswith("\0")
        if kind == 0xC001:
            groups.append(name[:-1])
            title = title or name[:-1]
            continue
        assert body[2 + size:6 + size] == b"RGB " and kind == 1
        values = struct.unpack(">fff", body[6 + size:18 + size])
        colors.append(color("/".join([*groups, name[:-1]]), pairs(value * 255 for value in values)))
    assert place == len(data) and not groups
    return title, colors


def read_aco(data):
    place, lists = 0, []
    for version in (1, 2):
        found, count = struct.unpack(">HH", data[place:place + 4])
        assert found == version
        place += 4
        colors = []
        for _ in range(count):
            space, red, green, blue, _ = struct.unpack(">HHHHH", data[place:place + 10])
            assert space == 0
            place, name = place + 10, None
            if version == 2:
                length = struct.unpack(">I", data[place:place + 4])[0]
                name = data[place + 4:place + 4 + length * 2].decode("utf-16-be").rstrip("\0")
                place += 4 + length * 2
            colors.append(color(name, pairs(value / 257 for value in (red, green, blue))))
        lists.append(colors)
    assert place == len(data)
    assert [each["value"] for each in lists[0]] == [each["value"] for each in lists[1]]
    return None, lists[1]


def read_act(data):
    assert len(data) == 772
    count, transparent = struct.unpack(">HH", data[768:])
    assert transparent == 0xFFFF
    return None, [color(None, pairs(data[n * 3:n * 3 + 3])) for n in range(count)]


def read_riff(data):
    assert data[:4] == b"RIFF" and struct.unpack("<I", data[4:8])[0] == len(data) - 8
    assert data[8:16] == b"PAL data" and struct.unpack("<I", data[16:20])[0] == len(data) - 20
    version, count = struct.unpack("<HH", data[20:24])
    assert version == 0x300
    return None, [color(None, pairs(data[24 + n * 4:27 + n * 4])) for n in range(count)]


def read_png(data):
    """The color in the middle of each field."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed, size = 8, b"", None
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[place + 8 + length:place + 12 + length])[0]
        if kind == b"IHDR":
            size = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        place += 12 + length
    assert len(zlib.decompress(packed)) > 0 and size[0] > 0
    return None, None


# MARK: Archives

def read_swatches(data):
    [palette] = json.loads(zipfile.ZipFile(io.BytesIO(data)).read("Swatches.json"))
    colors = []
    for swatch in palette["swatches"]:
        rgb = colorsys.hsv_to_rgb(swatch["hue"], swatch["saturation"], swatch["brightness"])
        colors.append(color(None, pairs(value * 255 for value in rgb), swatch["alpha"]))
    return palette["name"], colors


def read_kpl(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    assert archive.namelist()[0] == "mimetype"
    assert archive.read("mimetype") == b"application/x-krita-palette"
    ElementTree.fromstring(archive.read("profiles.xml"))
    root = ElementTree.fromstring(archive.read("colorset.xml"))
    cells = []
    for entry in root.iter("ColorSetEntry"):
        place = entry.find("Position")
        rgb = [float(entry.find("RGB").get(part)) * 255 for part in "rgb"]
        cells.append((int(place.get("row")), int(place.get("column")), color(entry.get("name"), pairs(rgb))))
    return root.get("name"), [each for _, _, each in sorted(cells, key=lambda cell: cell[:2])]


def read_xcassets(folder):
    colors = []
    for path in folder.rglob("*.json"):
        document = json.loads(path.read_text())
        if not path.parent.name.endswith(".colorset"):
            continue
        [entry] = document["colors"]
        parts = entry["color"]["components"]
        value = pairs(float(parts[part]) * 255 for part in ("red", "green", "blue"))
        if entry["color"]["color-space"] != "srgb":
            value = entry["color"]["color-space"]
        name = str(path.parent.relative_to(folder)).removesuffix(".colorset")
        colors.append(color(name, value, float(parts["alpha"])))
    return None, colors


# MARK: XML

def local(element):
    return element.tag.rpartition("}")[2], {key.rpartition("}")[2]: text for key, text in element.items()}


def read_soc(data):
    root = ElementTree.fromstring(data)
    assert local(root)[0] == "color-table"
    colors = [local(each)[1] for each in root]
    return None, [color(each["name"], each["color"]) for each in colors]


def read_scribus(data):
    root = ElementTree.fromstring(data)
    assert root.tag == "SCRIBUSCOLORS"
    return root.get("Name"), [color(each.get("NAME"), each.get("RGB")) for each in root]


def read_android(data):
    root = ElementTree.fromstring(data)
    assert root.tag == "resources" and len({each.get("name") for each in root}) == len(root)
    colors = []
    for each in root:
        assert re.fullmatch("[a-z][a-z0-9_]*", each.get("name")), each.get("name")
        digits = each.text.removeprefix("#")
        alpha = int(digits[:2], 16) / 255 if len(digits) == 8 else 1
        colors.append(color(each.get("name"), "#" + digits[-6:], alpha))
    return None, colors


def read_svg(data):
    root = ElementTree.fromstring(data)
    fields = [each.get("fill") for each in root.iter() if local(each)[0] == "rect"]
    return None, [color(None, *css_value(each)) for each in fields]


def read_html(data):
    class Reader(html.parser.HTMLParser):
        values = []

        def handle_starttag(self, tag, attributes):
            found = re.search(r"background: ([^;]+)", dict(attributes).get("style") or "")
            if found:
                self.values.append(found[1])
    reader = Reader()
    reader.values = []
    reader.feed(data.decode())
    return None, [color(None, *css_value(each)) for each in reader.values]


# MARK: JSON, stylesheets and scripts

def css_value(text):
    """Value and opacity of what browsers read; None for the value where it is no hexadecimal color."""
    found = re.fullmatch("#([0-9a-f]{6}(?:[0-9a-f]{2})?)", text)
    if found:
        return of_hex(found[1])
    assert re.match(r"(rgba?|oklch|color)\(", text), text
    rgb = re.match(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)", text)
    return (pairs(rgb.group(1, 2, 3)), float(rgb[4] or 1)) if rgb else (text, 1)


def read_json(data):
    document = json.loads(data)
    return document["palette"]["name"], [
        color(each["name"], *of_hex(each["hex"][1:]), each["note"], each["id"]) for each in document["colors"]]


def read_dtcg(data):
    document = json.loads(data)
    colors = []

    def walk(node, path):
        if "$value" in node:
            value = node["$value"]
            assert node["$type"] == "color"
            is_rgb = value["colorSpace"] == "srgb"
            rgb = pairs(part * 255 for part in value["components"]) if is_rgb else value["colorSpace"]
            if "hex" in value and is_rgb:
                assert value["hex"] == rgb, value
            ours = node["$extensions"]["dev.hued"]
            name = ours.get("name", "/".join(path))
            colors.append(color(name, rgb, value.get("alpha", 1), node.get("$description", ""), ours["id"]))
            return
        for key, inner in node.items():
            if not key.startswith("$"):
                assert not set(key) & set("{}."), key
                walk(inner, path + [key])
    walk(document, [])
    return document["$extensions"]["dev.hued"]["name"], colors


def declarations(sigil):
    def read(data):
        text = data.decode()
        title = re.search(r"Palette: (.*?)(?: \*/)?\n", text)[1]
        colors = []
        for line in text.splitlines():
            found = re.match(rf"\s*{re.escape(sigil)}(?:color-)?([\w-]+): ([^;]+);(?: (?:/\*|//) (.*?)(?: \*/)?$)?", line)
            if found:
                colors.append(color(found[3] or found[1], *css_value(found[2])))
        assert len(colors) == text.count(";") - sum(";" in (each["name"] or "") for each in colors)
        return title, colors
    return read


def read_tailwind3(data):
    """The object as JSON: single quotes become double ones."""
    body = data.decode().removeprefix("module.exports = ")
    strings = re.sub(r"'((?:[^'\\]|\\.)*)'", lambda found: json.dumps(re.sub(r"\\(.)", r"\1", found[1])), body)
    document = json.loads(re.sub(r",(\s*})", r"\1", strings))
    colors = []

    def walk(node, path):
        for key, inner in node.items():
            if isinstance(inner, str):
                colors.append(color("/".join(path + [key]), *css_value(inner)))
            else:
                walk(inner, path + [key])
    walk(document, [])
    return None, colors


def read_swift(data):
    found = re.findall(r"static let `?(\w+)`? = Color\(\.(\w+), red: ([\d.]+), green: ([\d.]+), blue: ([\d.]+)"
                       r"(?:, opacity: ([\d.]+))?\)", data.decode())
    assert len({each[0] for each in found}) == len(found)
    return None, [color(each[0], pairs(float(value) * 255 for value in each[2:5]) if each[1] == "sRGB" else each[1],
                        float(each[5] or 1)) for each in found]


# A format's reader, and what has to be found: (t)itle, (n)ames, (u)nique ones, (a)lpha, notes (o), (i)ds.
FORMATS = {
    "hex": (read_hex, "a"), "json": (read_json, "tnaoi"), "txt": (read_txt, "na"), "gpl": (read_gpl, "tn"),
    "ase": (read_ase, "n"), "aco": (read_aco, "n"), "jasc": (read_jasc, ""), "riff": (read_riff, ""),
    "act": (read_act, ""), "paintnet": (read_paintnet, "ta"), "css": (declarations("--"), "tna"),
    "tailwind": (declarations("--"), "tna"), "scss": (declarations("$"), "tna"), "less": (declarations("@"), "tna"),
    "android": (read_android, "a"), "soc": (read_soc, "n"), "scribus": (read_scribus, "tn"), "kde": (read_kde, "n"),
    "csv": (read_csv, "nao"), "dtcg": (read_dtcg, "tnaoi"), "tailwind3": (read_tailwind3, "uan"),
    "swatches": (read_swatches, "ta"), "kpl": (read_kpl, "tn"), "xcassets": (read_xcassets, "una"),
    "html": (read_html, ""), "svg": (read_svg, ""), "png": (read_png, ""), "swift": (read_swift, "a"),
}


class ReaderTests(Case):
    def library(self):
        home = self.home()
        home.hued("new", "Reef")
        for name, value, note in COLORS:
            identity = home.hued("add", "Reef", value, name)["id"]
            if note:
                home.hued("note", "Reef", identity, note)
        return home, home.hued("list", "Reef")["colors"]

    def export(self, home, name):
        path = home.folder / f"reef.{name}"
        home.run("export", "Reef", "--format", name, "--output", path, "--yes")
        return path

    def test_every_written_format_is_what_its_specification_says(self):
        home, colors = self.library()
        written = [each["name"] for each in home.hued("formats")["formats"] if each["writes"]]
        self.assertEqual(sorted(written), sorted(FORMATS))
        words = {"t": "title", "n": "names", "a": "opacity", "o": "notes", "i": "ids"}
        for name in written:
            read, kept = FORMATS[name]
            print(f"  {name}: {', '.join(words[each] for each in kept if each in words) or 'nothing'} beside the colors")
            with self.subTest(name):
                path = self.export(home, name)
                title, found = read(path if path.is_dir() else path.read_bytes())
                if found is not None:
                    self.compare(found, colors, kept)
                if "t" in kept:
                    self.assertEqual(title, "Reef")

    def compare(self, found, colors, kept):
        self.assertEqual(len(found), len(colors))
        wanted = [color(each["name"], *of_hex(each["hex"][1:]), each["note"], each["id"]) for each in colors]
        if "u" in kept:
            # Where names are those of files, a number tells two apart, and the order is theirs.
            wanted = [each | {"name": "Coral 2" if each["value"] == "#ff7f51" else each["name"]} for each in wanted]
            found, wanted = (sorted(each, key=lambda one: one["name"]) for each in (found, wanted))
        for each, one in zip(found, wanted):
            # What is beyond sRGB may be in a space of its own.
            if one["name"] != "Green" or each["value"].startswith("#"):
                self.assertEqual(each["value"], one["value"], one)
            if "a" in kept:
                self.assertAlmostEqual(each["alpha"], one["alpha"], delta=0.005)
            if "n" in kept:
                self.assertEqual(each["name"], one["name"])
            if "o" in kept:
                self.assertEqual(each["note"], one["note"])
            if "i" in kept:
                self.assertEqual(each["id"], one["id"])

    def test_what_is_written_is_read_back(self):
        """By hued itself into another palette: the same colors, in order where there is one."""
        home, colors = self.library()
        for each in home.hued("formats")["formats"]:
            if not (each["writes"] and each["reads"]):
                continue
            with self.subTest(each["name"]):
                path = self.export(home, each["name"])
                answer = home.hued("import", path, "--palette", f"From {each['name']}")["files"][0]
                self.assertEqual((answer["format"], answer["skipped"]), (each["name"], []))
                lists = [home.hued("list", answer["palette"])["colors"], colors]
                values = [[one["hex"][:7] for one in each] for each in lists]
                if path.is_dir():
                    values = [sorted(each) for each in values]
                self.assertEqual(*values)

    def test_an_empty_palette_is_read_back(self):
        home = self.home()
        home.hued("new", "Nothing")
        for each in home.hued("formats")["formats"]:
            if not (each["writes"] and each["reads"]):
                continue
            with self.subTest(each["name"]):
                path = home.folder / f"nothing.{each['extensions'][0]}"
                home.run("export", "Nothing", "--format", each["name"], "--output", path, "--yes")
                again = home.hued("import", path, "--palette", f"From {each['name']}")["files"][0]
                self.assertEqual((again["error"], again["colors"], again["format"]), (None, 0, each["name"]))

    @unittest.skipUnless(IS_LONG, "packages are fetched in the long run only")
    def test_packages_of_others_read_the_same(self):
        home, colors = self.library()
        formats = {"gpl": "gpl", "ase": "ase", "soc": "soc", "xml": "scribus", "colors": "kde", "css": "css",
                   "png": "png", "aco": "aco"}
        paths = {ending: home.folder / f"reef.{ending}" for ending in formats}
        for ending, name in formats.items():
            home.run("export", "Reef", "--format", name, "--output", paths[ending], "--yes")
        apart = [paths.pop("aco")]
        answers = {}
        for folder, wanted, files in [("readers", packages.PACKAGES, paths.values()),
                                      ("readers-apart", packages.APART, apart)]:
            python = environment(folder, wanted)
            if not python:
                self.skipTest("the packages cannot be fetched here")
            done = subprocess.run([python, packages.__file__, *files], stdout=subprocess.PIPE, check=True)
            answers |= json.loads(done.stdout)
        for reader, found in answers.items():
            with self.subTest(reader):
                self.assertIsInstance(found, list, found)
                # Color beyond sRGB is mapped in more than one way; what a reader fills up with is none of ours.
                pairs = [(each[1], one["hex"][:7]) for each, one in zip(found, colors) if one["name"] != "Green"]
                self.assertEqual(len(pairs), len(colors) - 1)
                self.assertEqual([each for each, _ in pairs], [one for _, one in pairs])


def environment(name, wanted):
    """The Python of a virtual environment with packages; None where they cannot be had."""
    folder = ROOT / ".build" / name
    python = folder / "bin" / "python"
    done = folder / "done"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        if subprocess.run([python, "-m", "pip", "--quiet", "install", *wanted]).returncode:
            return None
        done.touch()
    return python


if __name__ == "__main__":
    unittest.main()
