"""A client of `hued.rpc.v1`, made from the description that a node serves at `/api`."""

import json
import time
import urllib.request

from websocket import Closed, WebSocket

SUBPROTOCOL = "hued.rpc.v1"


class RPCError(Exception):
    """An error that the node answered."""

    def __init__(self, error):
        super().__init__(str(error))
        self.code = (error.get("data") or {}).get("code")
        self.number = error["code"]


class ConnectionLost(Exception):
    """The connection ended before an answer came."""


def description(url, token=None):
    request = urllib.request.Request(url + "/api")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


class RPC:
    """A connection whose methods are those of the description."""

    def __init__(self, url=None, token=None, unix=None, methods=None):
        headers = [f"Authorization: Bearer {token}"] if token else []
        self.socket = WebSocket(url, "/rpc", SUBPROTOCOL, headers, unix=unix)
        self.methods = methods
        self.notifications = []
        self.number = 0

    def call(self, method, within=20, **parameters):
        return self.answer(self.ask(method, **parameters), within)

    def ask(self, method, **parameters):
        """Sends a call without waiting for the answer; returns its number."""
        if self.methods is not None:
            self.check(method, parameters)
        self.number += 1
        self.socket.send_text(json.dumps(
            {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}))
        return self.number

    def check(self, method, parameters):
        known = next(m for m in self.methods if m["name"] == method)["params"]
        assert set(parameters) <= {p["name"] for p in known}, f"{method} takes no {parameters}"
        assert all(p["name"] in parameters for p in known if p["required"]), method

    def answer(self, number, within=20):
        deadline = time.monotonic() + within
        while True:
            try:
                message = self.socket.receive(max(0, deadline - time.monotonic()))
            except OSError as error:
                raise ConnectionLost(str(error)) from error
            if isinstance(message, Closed):
                raise ConnectionLost(str(message))
            document = json.loads(message)
            if document.get("id") == number:
                if "error" in document:
                    raise RPCError(document["error"])
                return document["result"]
            self.notifications.append(document)

    def close(self):
        self.socket.hang_up()
