"""Every method of the API with whatever its schema lets through, and with what it does not, as every role:
the hub answers within a second and stays up."""

import base64
import json
import os
import time
import unittest
import uuid

from cases import Case
from processes import binary
from rpc import ConnectionLost, RPC, RPCError, description
from running import sized

# What is tried wherever a text may stand; the ids and times that are known are added.
TEXTS = ["", " ", "a", "#ff0000", "#ff000080", "oklch(0.7 0.1 40)", "color(display-p3 1 0 0)", "rgb(NaN 1e999 -0)",
         "Ripe", "Brand", "missing", "é\u0301", "\u202e", "\x1b[31m", "\0", "x" * 1_025, "🙂" * 300, "/", "..", "-1",
         "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
         "0:0", "0.0:0000000000000000", ":", "18446744073709551615:ffffffffffffffff", "2 hours ago", "now",
         "9223372036854775807 years ago", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "10000-01-01", "7d", "0s",
         "9223372036854775807d", "viewer", "editor", "owner", "relay", "json", "css", "xcassets", "ase", "png", "name",
         "color", "place", "hue", "srgb", "oklch", "hued1-", "hued1-" + "a" * 200, "http://127.0.0.1:1"]
NUMBERS = [0, 1, 2, 3, 7, 100, 10_000, (1 << 31) - 1, 1 << 31, (1 << 53), (1 << 63) - 1, 1 << 63, (1 << 64) - 1,
           1 << 64, -1, -(1 << 63), 0.5, -0.0, 1e308, 1e-320]
ODD = [None, True, False, [], {}, [[]], [None], {"a": {}}, [[[[[[1]]]]]]]
FILES = [b"#ff0000 Ripe\n", b"", b"GIMP Palette\nName: x\n#\n255 0 0 Ripe\n", b"{\"a\": {\"$value\": \"#fff\"}}", b"\xff\xfe",
         b"ASEF\0\1\0\0\0\0\0\1", b":root { --a: #fff; }", b"[" * 5_000]
EDITS = ["set", "rename", "note", "add", "move", "remove", "undo", ""]


class CallTests(Case):
    """A hub that is asked anything at all."""

    def setUp(self):
        super().setUp()
        self.hub_home, self.hub_node, identity = self.hub()
        # It may be renamed.
        self.palette = str(uuid.UUID(bytes=identity))
        for number in range(12):
            self.hub_home.hued("add", "Brand", f"#{number:02x}00ff", f"Color {number}")
        self.hub_home.hued("remove", "Brand", "Color 3")
        self.hub_home.hued("new", "Private")
        self.hub_home.hued("add", "Private", "#123456", "Secret")
        self.slowest = (0, "")
        # A debug build works some ten times as long, and several of its tests may run at once.
        self.patience = float(os.environ.get("CALL_SECONDS", "20" if "debug" in binary() else "1"))

    def client(self, role, palette=None):
        scope = [palette] if palette else []
        token = self.hub_home.hued("token", *scope, "--role", role)["token"]
        return token, RPC(self.hub_node.url, token)

    def known(self):
        """Texts that mean something here."""
        # Somebody may have dropped it.
        self.hub_home.run("restore", self.palette)
        colors = self.hub_home.hued("list", self.palette)["colors"]
        actions = self.hub_home.hued("history", self.palette, "--actions")["actions"]
        changes = self.hub_home.hued("history", self.palette, "--changes")
        self.colors = [c["id"] for c in colors[:9]] or TEXTS
        texts = self.colors + [c["name"] for c in colors[:3]] + [c["seen"] for c in colors[:4]]
        texts += [a["action"] for a in actions[:4]] + [a["time"] for a in actions[:2]]
        texts += [self.palette]
        texts += [text for text in json.dumps(changes).split('"') if ":" in text and len(text) > 12][:6]
        return texts

    def text(self):
        return self.random.choice(self.texts if self.random.random() < 0.5 else TEXTS)

    def value(self, schema, is_odd):
        """A value for a schema, or one that it does not let through."""
        if is_odd:
            return self.random.choice([self.text(), self.random.choice(NUMBERS), self.random.choice(ODD)])
        if schema is True:
            return self.edit()
        if "oneOf" in schema:
            return self.value(self.random.choice(schema["oneOf"]), False)
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        if "$ref" in schema:
            return self.file()
        kind = schema.get("type")
        if kind == "string":
            return str(uuid.UUID(int=self.random.randrange(50))) if "UUID" in schema.get("description", "") else self.text()
        if kind in ("integer", "number"):
            return self.random.choice(NUMBERS)
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "array":
            some = [self.value(schema["items"], self.random.random() < 0.1) for _ in range(self.random.randrange(5))]
            return some + some[:1] if self.random.random() < 0.3 else some
        return self.random.choice(ODD)

    def file(self):
        file = {"file": self.random.choice(["a.txt", "a.gpl", "a.json", "a.ase", "a.css", self.text()]),
                "bytes": base64.b64encode(self.random.choice(FILES)).decode()}
        if self.random.random() < 0.1:
            file["bytes"] = self.random.choice(["!", "=", "QQ", "QQ==="])
        if self.random.random() < 0.1:
            file["files"] = self.random.choice([[], [self.file()], [1], None])
        return file

    def edit(self):
        """An edit of `act`, or a color of `add`."""
        edit = {"method": self.random.choice(EDITS), "color": self.one(), "value": "#0000ff", "name": "Other"}
        for key, value in (("at", self.random.choice(NUMBERS[:9])), ("before", self.one()), ("after", self.one())):
            if self.random.random() < 0.2:
                edit[key] = value
        for key in ("value", "name", "text", "id", "note", "seen", "at", "before"):
            if self.random.random() < 0.05:
                edit[key] = self.value({"type": "string"}, self.random.random() < 0.3)
        if edit["method"] in ("move", "remove"):
            edit["colors"] = [self.one() for _ in range(self.random.randrange(4))]
        return edit

    def one(self):
        """A color, mostly."""
        return self.random.choice(self.colors) if self.random.random() < 0.95 else self.text()

    def parameters(self, method):
        given = {}
        for parameter in method["params"]:
            if parameter["required"] or self.random.random() < (0.05 if parameter["name"] == "edit" else 0.3):
                given[parameter["name"]] = self.value(parameter["schema"], self.random.random() < 0.08)
        if "palette" in given and self.random.random() < 0.9:
            given["palette"] = self.palette
        if "color" in given and self.random.random() < 0.7:
            given["color"] = self.one()
        if self.random.random() < 0.02:
            given["nonsense"] = 1
        return given

    def ask(self, client, method, given, what):
        start = time.monotonic()
        try:
            client.call(method, within=self.patience, **given)
        except RPCError as error:
            self.assertNotEqual(error.number, -32603, f"{what}: {error}")
        except ConnectionLost as error:
            self.assertTrue(self.hub_node.is_running, f"{what} ended the hub: {self.hub_node.lines[-3:]}")
            self.fail(f"{what} was not answered: {error}")
        self.slowest = max(self.slowest, (time.monotonic() - start, what))

    def try_all(self, role, palette, count):
        token, client = self.client(role, palette)
        methods = [m for m in description(self.hub_node.url, token)["methods"]
                   if not (role == "owner" and m["name"] in ("revoke", "join"))]
        self.texts = self.known()
        for number in range(count):
            if number % 200 == 199:
                self.texts = self.known()
            method = self.random.choice(methods if self.random.random() < 0.6
                                        else [m for m in methods if m["name"] in ("act", "add", "move", "revert",
                                                                                  "history", "resolve", "import")])
            if method["name"] == "drop" and number % 200 < 195:
                continue
            given = self.parameters(method)
            what = f"{role}: {method['name']} {json.dumps(given)[:2_000]}"
            self.ask(client, method["name"], given, what)
        client.close()
        print(f"  {role}: {count} calls; the slowest took {self.slowest[0]:.2f} s: {self.slowest[1][:160]}")
        self.slowest = (0, "")

    def test_viewer(self):
        before = self.hub_home.digest()
        self.try_all("viewer", "Brand", sized(400, 20_000))
        self.assertEqual(self.hub_home.digest(), before, "a viewer changed something")
        self.assert_healthy(self.hub_home)

    def test_editor(self):
        self.try_all("editor", "Brand", sized(1_500, 50_000))
        self.assertEqual(self.hub_home.names("Private"), {"Secret"}, "an editor of another palette changed this one")
        self.assert_healthy(self.hub_home)

    def test_owner(self):
        self.try_all("owner", None, sized(800, 20_000))
        self.assert_healthy(self.hub_home)


if __name__ == "__main__":
    unittest.main()
