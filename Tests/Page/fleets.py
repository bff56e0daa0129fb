"""The page of a library of a fleet, which stands beneath an address of its own."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from browser import PageCase
from database import Database, FLEET, Hub, SERVERS

STATUS = "const [path, done] = arguments; fetch(path).then((answer) => done(answer.status));"


@unittest.skipUnless(FLEET.exists() and SERVERS, "needs hued-fleet and Debian's postgresql")
class Fleets(PageCase):
    def setUp(self):
        super().setUp()
        self.database = Database()
        self.addCleanup(self.database.remove)
        self.folder = Path(tempfile.mkdtemp(prefix="hued-caches-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def environment(self, database=None):
        return os.environ | {"HUED_DATABASE": database or self.database.url()}

    def fleet(self, *arguments):
        done = subprocess.run([FLEET, "--json", *map(str, arguments)], env=self.environment(), stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)

    def guest(self, library, name):
        """The page of somebody who has a code of a library."""
        code = self.fleet("share", library, "--role", "editor", "--name", name)["code"]
        return self.browser(f"{self.hub.url}/l/{library}/#{code}", opens_offline=True)

    def test_two_libraries_of_one_hub(self):
        for color, library in [("tomato", "studio"), ("teal", "school")]:
            if library == "studio":
                self.home.hued("new", "Sea")
            self.home.hued("add", "Sea", color, library.capitalize())
            self.fleet("import", self.home.folder, library)
        self.hub = Hub(self, "one")
        self.addCleanup(self.hub.close)
        ann = self.guest("studio", "Ann")
        ann.shows("Studio")
        ann.lacks("School")
        self.assertTrue(ann.driver.current_url.startswith(f"{self.hub.url}/l/studio/palettes/"), ann.driver.current_url)
        # Both libraries in one browser: neither takes the other's session.
        code = self.fleet("share", "school", "--role", "viewer", "--name", "Ann")["code"]
        address = ann.driver.current_url
        ann.open(f"{self.hub.url}/l/school/#{code}")
        ann.choose("Sea")
        ann.shows("School")
        self.assertIn("/l/school/", {cookie["path"] for cookie in ann.driver.get_cookies()})
        ann.open(address)
        ann.shows("Studio")
        ann.lacks("School")
        bob = self.guest("studio", "Bob")
        bob.shows("Studio")
        ann.select("Studio")
        ann.enter("textbox", "Hex", "#224466")
        bob.wait(lambda: any("#224466" in name.lower() for name in bob.names()), "the edit")
        for path, status in [("p/Sea.css", 200), ("../school/p/Sea.css", 401)]:
            self.assertEqual(bob.driver.execute_async_script(STATUS, f"/l/studio/{path}"), status, path)
        bob.reload()
        bob.shows("Studio")
