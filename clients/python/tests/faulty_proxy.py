"""A proxy in front of a server, which fails on request."""

from __future__ import annotations

import contextlib
import socket
import threading

UNAVAILABLE = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n"
    b"Retry-After: 0\r\nConnection: close\r\nContent-Length: 77\r\n\r\n"
    b'{"status":503,"code":"HYPERFLEET-SVC-001","detail":"the database is away"}   '
)


class FaultyProxy:
    """Forwards connections to a port, unless one of its faults is active.

    `stall()` keeps connections open without forwarding. `cut()` closes all connections.
    `fail_next` is the number of connections to answer with `answer`, by default a 503. `lose_next`
    is the number of connections whose requests are forwarded and whose responses are dropped.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._flowing = threading.Event()
        self._flowing.set()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.fail_next = 0
        self.answer = UNAVAILABLE
        self.lose_next = 0
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def stall(self) -> None:
        self._flowing.clear()

    def flow(self) -> None:
        self._flowing.set()

    def cut(self) -> None:
        for one in list(self._open):
            _close(one)

    def close(self) -> None:
        _close(self._listener)
        self.flow()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self.connections += 1
        if self.fail_next > 0:
            self.fail_next -= 1
            client.recv(65536)
            client.sendall(self.answer)
            _close(client)
            return
        is_losing = self.lose_next > 0
        self.lose_next -= int(is_losing)
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            _close(client)
            return
        self._open |= {client, server}
        threading.Thread(target=self._pump, args=(client, server), daemon=True).start()
        if is_losing:
            server.recv(65536)
            _close(client)
            _close(server)
        else:
            self._pump(server, client)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                self._flowing.wait()
                sink.sendall(chunk)
        _close(source)
        _close(sink)
        self._open -= {source, sink}


def _close(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
