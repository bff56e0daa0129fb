"""A TCP proxy that can be slow, cut, hold back, or forget."""

import selectors
import socket
import struct
import threading
import time


class Pair:
    """One connection through the proxy."""

    def __init__(self, client, server):
        self.ends = {client: server, server: client}
        self.waiting = {client: [], server: []}   # socket -> (due, bytes) on their way to it
        self.is_forgotten = False


class Proxy:
    """Forwards 127.0.0.1:`port` to a target; its properties may change at any time."""

    def __init__(self, target):
        self.target = target              # port
        self.delay = 0.0                  # seconds on the way, each way
        self.chunk = 0                    # bytes at a time; 0: as they come
        self.rate = 0                     # bytes a second, each way; 0: any
        self.is_refusing = False          # new connections are reset
        self.is_holding = False           # nothing is forwarded, nothing is closed
        self.pairs = []
        self.accepted = 0
        self.lock = threading.RLock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.port = self.listener.getsockname()[1]
        self.listener.setblocking(False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.is_ending = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    # What a test does to it.

    def cut(self, resets=False):
        """Ends all connections."""
        with self.lock:
            for pair in self.pairs[:]:
                self._end(pair, resets)

    def forget(self):
        """Both sides keep connections of which nobody will ever hear again."""
        with self.lock:
            for pair in self.pairs:
                pair.is_forgotten = True

    def close(self):
        self.is_ending = True
        self.thread.join()
        self.cut()
        self.listener.close()

    def alter(self, data):
        """What becomes of the bytes that pass."""
        return data

    # Inside.

    def _run(self):
        while not self.is_ending:
            for key, _ in self.selector.select(0.005 if self.delay or self.rate or self.chunk else 0.02):
                with self.lock:
                    if key.fileobj is self.listener:
                        self._accept()
                    else:
                        self._read(key.fileobj, key.data)
            with self.lock:
                for pair in self.pairs[:]:
                    self._forward(pair)

    def _accept(self):
        try:
            client, _ = self.listener.accept()
        except OSError:
            return
        self.accepted += 1
        if self.is_refusing:
            return self._reset(client)
        try:
            server = socket.create_connection(("127.0.0.1", self.target), timeout=5)
        except OSError:
            return self._reset(client)
        pair = Pair(client, server)
        for end in pair.ends:
            end.setblocking(False)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(end, selectors.EVENT_READ, pair)
        self.pairs.append(pair)

    def _read(self, end, pair):
        if pair not in self.pairs or self.is_holding and not pair.is_forgotten:
            return
        try:
            data = end.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if pair.is_forgotten:
            if not data:
                self.selector.unregister(end)
            return
        pair.waiting[pair.ends[end]].append((time.monotonic() + self.delay, self.alter(data)))
        if not data:
            self.selector.unregister(end)

    def _forward(self, pair):
        if self.is_holding or pair.is_forgotten:
            return
        for end, queue in pair.waiting.items():
            budget = max(1, int(self.rate * 0.005)) if self.rate else 1 << 30
            while queue and queue[0][0] <= time.monotonic() and budget > 0:
                due, data = queue.pop(0)
                if not data:
                    return self._end(pair)
                piece = data[:min(budget, self.chunk or len(data))]
                try:
                    sent = end.send(piece)
                except BlockingIOError:
                    sent = 0
                except OSError:
                    return self._end(pair)
                budget -= sent
                if sent < len(data):
                    queue.insert(0, (due, data[sent:]))
                if sent < len(piece):
                    break

    def _end(self, pair, resets=False):
        if pair in self.pairs:
            self.pairs.remove(pair)
        for end in pair.ends:
            try:
                self.selector.unregister(end)
            except (KeyError, ValueError):
                pass
            self._reset(end) if resets else end.close()

    @staticmethod
    def _reset(end):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.close()
