"""Reads palette files with packages that others wrote, in an environment of their own.

Prints a JSON object: for each reader its colors as `[name, value]`, or why it did not read the file.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# What `readers.py` installs; two of them have a module of the same name.
PACKAGES = ["swatch==0.4.0", "colourswatch==2024.2", "gimpformats==2025", "coloraide", "tinycss2", "pillow"]
APART = ["adobe-color-swatch==1.0.0"]


def value(parts):
    return "#%02x%02x%02x" % tuple(round(float(part)) for part in parts)


def swatch_ase(path):
    import swatch
    found = []

    def walk(entries, group):
        for entry in entries:
            if "swatches" in entry:
                walk(entry["swatches"], entry["name"] + "/")
            else:
                found.append([group + entry["name"], value(part * 255 for part in entry["data"]["values"])])
    parsed = swatch.parse(str(path))
    # A single group is the palette.
    walk(parsed[0]["swatches"] if len(parsed) == 1 else parsed, "")
    return found


def colourswatch(path):
    from colourswatch import io
    return [[each.name, "#%02x%02x%02x" % tuple(round(part * 255) for part in each.colour.get_value_tuple())]
            for each in io.openColourSwatch(str(path)).colours]


def gimpformats(path):
    from gimpformats.GimpGplPalette import GimpGplPalette
    return [[None, value(each)] for each in GimpGplPalette(str(path)).colors]


def pillow_png(path):
    from PIL import Image
    picture = Image.open(path).convert("RGBA")
    count = picture.width // 32 * (picture.height // 32)
    fields = [(n % (picture.width // 32) * 32 + 16, n // (picture.width // 32) * 32 + 16) for n in range(count)]
    return [[None, value(picture.getpixel(field)[:3])] for field in fields]


def tinycss2_coloraide(path):
    import coloraide
    import tinycss2
    found = []
    for rule in tinycss2.parse_stylesheet(path.read_text(), skip_whitespace=True, skip_comments=True):
        for each in tinycss2.parse_blocks_contents(rule.content, skip_whitespace=True, skip_comments=True):
            read = coloraide.Color(tinycss2.serialize(each.value).strip())
            rgb = read.convert("srgb").clip()
            found.append([each.name, value(part * 255 for part in rgb.coords())])
    return found


def adobe_color_swatch(path):
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "table.csv")
        subprocess.run([Path(sys.executable).with_name("swatch"), "extract", "-i", path, "-o", table],
                       check=True, stdout=subprocess.DEVNULL)
        # It does not quote names, and the value, of 16 bits a channel, stands last.
        values = [line.rpartition(",")[2] for line in table.read_text().splitlines()[1:]]
        return [[None, "#" + "".join(text[place:place + 2] for place in (1, 5, 9)).lower()] for text in values]


READERS = {
    "ase": [swatch_ase], "gpl": [colourswatch, gimpformats], "soc": [colourswatch],
    "xml": [colourswatch], "colors": [colourswatch], "css": [tinycss2_coloraide], "png": [pillow_png],
    "aco": [adobe_color_swatch],
}


def main():
    answers = {}
    for path in map(Path, sys.argv[1:]):
        for reader in READERS[path.suffix[1:]]:
            with contextlib.redirect_stdout(sys.stderr):
                try:
                    answers[f"{path.name} {reader.__name__}"] = reader(path)
                except Exception as error:
                    answers[f"{path.name} {reader.__name__}"] = f"{type(error).__name__}: {error}"
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
