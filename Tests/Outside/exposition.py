"""A strict reader of Prometheus' text format, version 0.0.4, that also knows the advice on names.

Written from the format's description; as strict as `promtool check metrics`, and stricter in order:
help and type come once and first, all samples of a family together.
"""

import math
import re

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*\Z")
LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*\Z")
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?([eE][+-]?\d+)?|Inf)\Z|NaN\Z")
TYPES = {"counter", "gauge", "histogram"}
# Units that are not the base ones, and what a name should not say again.
BAD_WORDS = {"milliseconds", "microseconds", "nanoseconds", "minutes", "hours", "days", "kilobytes", "megabytes",
             "kib", "mib", "kb", "mb", "bits", "percent", "ms", "us", "ns", "counter", "gauge", "histogram", "metric"}


class Malformed(AssertionError):
    """A line that is not as it has to be."""


class Family:
    """What has one name: its help, its type, and its samples by their labels."""

    def __init__(self, name, help_text):
        self.name, self.help, self.type, self.samples = name, help_text, None, {}

    def value(self, suffix="", **labels):
        return self.samples[(self.name + suffix, tuple(sorted(labels.items())))]


def parse(text):
    """The families of a page; raises Malformed at the first thing that is wrong."""
    if not text.endswith("\n"):
        raise Malformed("the last line has no end")
    families, family = {}, None
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            family = read_line(line, families, family)
        except Malformed as error:
            raise Malformed(f"line {number}: {error}: {line!r}") from None
    for each in families.values():
        try:
            check_family(each)
        except Malformed as error:
            raise Malformed(f"{each.name}: {error}") from None
    return families


def read_line(line, families, family):
    if line.startswith("# HELP "):
        name, _, help_text = line[7:].partition(" ")
        if not NAME.match(name):
            raise Malformed("a bad name")
        if name in families:
            raise Malformed("help twice, or the samples of a family not together")
        if not help_text.strip():
            raise Malformed("no help")
        unescape(help_text, quotes=False)
        families[name] = Family(name, help_text)
        return families[name]
    if line.startswith("# TYPE "):
        name, _, kind = line[7:].partition(" ")
        if family is None or name != family.name or family.type or family.samples:
            raise Malformed("the type stands behind its own help, once")
        if kind not in TYPES:
            raise Malformed("an unknown type")
        family.type = kind
        return family
    if line.startswith("#") or not line.strip():
        raise Malformed("a comment or an empty line, where none is needed")
    name, labels, value = read_sample(line)
    if family is None or family.type is None:
        raise Malformed("a sample without help and type")
    allowed = ([family.name + end for end in ("_bucket", "_sum", "_count")]
               if family.type == "histogram" else [family.name])
    if name not in allowed:
        raise Malformed(f"a sample of another family than {family.name}")
    key = (name, tuple(sorted(labels)))
    if key in family.samples:
        raise Malformed("the same series twice")
    family.samples[key] = value
    return family


def read_sample(line):
    match = re.match(r"[a-zA-Z_:][a-zA-Z0-9_:]*", line)
    if not match:
        raise Malformed("no name")
    name, rest, labels = match.group(), line[match.end():], []
    if rest.startswith("{"):
        rest = rest[1:]
        while True:
            label = re.match(r"([^=]*)=\"((?:[^\"\\\n]|\\.)*)\"", rest)
            if not label or not LABEL.match(label.group(1)) or label.group(1).startswith("__"):
                raise Malformed("a bad label")
            labels.append((label.group(1), unescape(label.group(2), quotes=True)))
            rest = rest[label.end():]
            if rest.startswith(","):
                rest = rest[1:]
                continue
            break
        if not rest.startswith("}"):
            raise Malformed("labels that do not end")
        rest = rest[1:]
    if len({key for key, _ in labels}) != len(labels):
        raise Malformed("a label twice")
    # A timestamp would be allowed; this program never writes one.
    if not rest.startswith(" ") or not NUMBER.match(rest[1:]):
        raise Malformed("a bad number")
    return name, labels, float(rest[1:].replace("Inf", "inf"))


def unescape(text, quotes):
    def one(match):
        known = {"\\": "\\", "n": "\n"} | ({'"': '"'} if quotes else {})
        if match.group(1) not in known:
            raise Malformed("an unknown escape")
        return known[match.group(1)]
    found = re.sub(r"\\(.?)", one, text)
    return found


def check_family(family):
    if family.type is None:
        raise Malformed("no type")
    name, words = family.name, family.name.split("_")
    if family.type == "counter" and not name.endswith("_total"):
        raise Malformed("a counter ends with _total")
    if family.type != "counter" and name.endswith("_total"):
        raise Malformed("only a counter ends with _total")
    if any(name.endswith(end) for end in ("_bucket", "_sum", "_count")):
        raise Malformed("an end that belongs to histograms")
    if name.lower() != name or ":" in name:
        raise Malformed("lower case and underscores; colons are for rules")
    if bad := BAD_WORDS & set(words):
        raise Malformed(f"no base unit, or a type in a name: {bad}")
    if family.type == "histogram":
        check_histogram(family)
    else:
        for _, labels in family.samples:
            if any(key in ("le", "quantile") for key, _ in labels):
                raise Malformed("a label that belongs to histograms and summaries")
    if family.type == "counter":
        for value in family.samples.values():
            if not 0 <= value < math.inf:
                raise Malformed("a counter that is no number from 0 on")


def check_histogram(family):
    rows = {}
    for (name, labels), value in family.samples.items():
        rest = tuple(pair for pair in labels if pair[0] != "le")
        row = rows.setdefault(rest, {"buckets": []})
        if name.endswith("_bucket"):
            bounds = [bound for key, bound in labels if key == "le"]
            if len(bounds) != 1 or not NUMBER.match(bounds[0]):
                raise Malformed("a bucket has one bound")
            row["buckets"].append((float(bounds[0].replace("Inf", "inf")), value))
        else:
            if any(key == "le" for key, _ in labels):
                raise Malformed("a bound at a sum or a count")
            row[name.rsplit("_", 1)[1]] = value
    for row in rows.values():
        bounds = [bound for bound, _ in row["buckets"]]
        counts = [count for _, count in row["buckets"]]
        if bounds != sorted(set(bounds)) or not bounds or bounds[-1] != math.inf:
            raise Malformed("bounds rise to +Inf")
        if counts != sorted(counts) or any(count != int(count) or count < 0 for count in counts):
            raise Malformed("buckets are cumulative counts")
        if row.get("count") != counts[-1] or "sum" not in row:
            raise Malformed("a count that is not that of +Inf, or no sum")
