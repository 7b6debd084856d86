from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from conftest import FAST, Server, eventually
from flotilla import Client, InvalidWebhook, verify_webhook

Name = Callable[[str], str]
KEY = b"0123456789abcdef"
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = '{"type": "cluster.created", "timestamp": "t", "data": {"name": "hamar-ø"}}'


class Receiver:
    """Collects the requests of webhooks."""

    def __init__(self) -> None:
        self.received: list[tuple[bytes, dict[str, str]]] = []
        received = self.received

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append((body, dict(self.headers.items())))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver()
    yield one
    one.server.shutdown()
    one.server.server_close()


@pytest.fixture
def sending(tmp_path: Path) -> Iterator[Client]:
    """A client of a server that may call receivers on this machine."""
    hosts = {"OUTGOING_WEBHOOK_ALLOWED_HOSTS": "http://127.0.0.1", "ROLE": "all"}
    started = Server(str(tmp_path / "data"), **hosts).start()
    with Client(started.url, retry=FAST) as client:
        yield client
    started.stop()


def signed(body: str, *, age: float = 0.0, key: bytes = KEY) -> dict[str, str]:
    """The headers of a request, as Standard Webhooks defines them."""
    timestamp = str(int(time.time() - age))
    digest = hmac.new(key, f"msg_1.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    return dict(zip(names, ("msg_1", timestamp, signature), strict=True))


def test_a_signed_request_is_verified() -> None:
    assert verify_webhook(BODY, signed(BODY), SECRET) == json.loads(BODY)
    titles = {name.title(): value for name, value in signed(BODY).items()}
    assert verify_webhook(BODY.encode(), titles, SECRET)["type"] == "cluster.created"


def test_one_of_several_signatures_is_enough() -> None:
    headers = signed(BODY)
    other = signed(BODY, key=b"another key of 16")["webhook-signature"]
    headers["webhook-signature"] = f"v1a,xyz {other} {headers['webhook-signature']}"
    assert verify_webhook(BODY, headers, SECRET)["type"] == "cluster.created"


INVALID: dict[str, Callable[[], dict[str, str]]] = {
    "no headers": dict,
    "another key": lambda: signed(BODY, key=b"another key of 16"),
    "an old request": lambda: signed(BODY, age=400),
    "a request of the future": lambda: signed(BODY, age=-400),
    "another body": lambda: signed(BODY + " "),
    "another ID": lambda: {**signed(BODY), "webhook-id": "msg_2"},
    "an undecodable ID": lambda: {**signed(BODY), "webhook-id": "\udcff"},
    "another time": lambda: {**signed(BODY), "webhook-timestamp": str(int(time.time()) - 9)},
    "no number": lambda: {**signed(BODY), "webhook-timestamp": "nan"},
    "no base64": lambda: {**signed(BODY), "webhook-signature": "v1,ø"},
    "an empty signature": lambda: {**signed(BODY), "webhook-signature": "v1,"},
}


@pytest.mark.parametrize("case", INVALID)
def test_other_requests_are_rejected(case: str) -> None:
    with pytest.raises(InvalidWebhook):
        verify_webhook(BODY, INVALID[case](), SECRET)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_?"])
def test_an_unusable_secret_is_an_error_of_the_program(secret: str) -> None:
    with pytest.raises(ValueError, match="base64"):
        verify_webhook(BODY, signed(BODY), secret)


def test_webhooks_are_managed_and_send_signed_events(
    sending: Client, receiver: Receiver, name: Name
) -> None:
    webhook = sending.webhooks.create(receiver.url, kinds=["Cluster"], description="zones")
    assert [one["id"] for one in sending.webhooks.list()] == [webhook["id"]]
    assert sending.webhooks.get(webhook["id"])["description"] == "zones"
    sending.clusters.create(name("sent"))
    eventually(lambda: receiver.received)
    body, headers = receiver.received[0]
    message = verify_webhook(body, headers, webhook["secret"])
    assert (message["type"], message["data"]["name"]) == ("cluster.created", name("sent"))
    rotated = sending.webhooks.rotate_secret(webhook["id"], overlap_seconds=0)
    assert rotated["secret"] != webhook["secret"]
    sending.webhooks.test(webhook["id"])
    eventually(lambda: len(receiver.received) > 1)
    body, headers = receiver.received[1]
    assert verify_webhook(body, headers, rotated["secret"])["type"] == "webhook.test"
    with pytest.raises(InvalidWebhook):
        verify_webhook(body, headers, webhook["secret"])
    delivered = eventually(
        lambda: [
            one["id"] for one in sending.webhooks.deliveries(webhook["id"], state="delivered")
        ][1:]
    )
    payload = sending.webhooks.delivery(webhook["id"], delivered[0])["payload"]
    assert payload["type"] == "cluster.created"
    assert sending.webhooks.redeliver_all(webhook["id"]) == 0
    assert sending.webhooks.patch(webhook["id"], {"state": "paused"})["state"] == "paused"
    append = {"op": "add", "path": "/kinds/-", "value": "NodePool"}
    patched = sending.webhooks.json_patch(webhook["id"], [append])
    assert patched["kinds"] == ["Cluster", "NodePool"]
    sending.webhooks.delete(webhook["id"])
    assert [*sending.webhooks.list()] == []
