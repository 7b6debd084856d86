"""Verifies the requests of webhooks."""

from __future__ import annotations

import binascii
import hashlib
import hmac
import json
import time
from base64 import b64decode
from collections.abc import Mapping

from .errors import FlotillaError
from .types.hyperfleet import WebhookMessage

TOLERANCE = 300.0
PREFIX = "whsec_"


class InvalidWebhook(FlotillaError):
    """A request that is not from the server, or older than five minutes."""


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookMessage:
    """Verifies a request of a webhook and returns its event.

    The body must be as it was received, not parsed JSON. The headers can have any letter case.
    Raises InvalidWebhook if the signature or the time is wrong, and ValueError if the secret is
    unusable.
    """
    received = {name.lower(): value for name, value in headers.items()}
    id_ = received.get("webhook-id", "")
    timestamp = received.get("webhook-timestamp", "")
    if not _is_recent(timestamp):
        raise InvalidWebhook("the timestamp is missing or too old")
    content = body.encode() if isinstance(body, str) else body
    # Some frameworks decode invalid headers to surrogates, which cannot be encoded.
    signed = f"{id_}.{timestamp}.".encode(errors="replace") + content
    expected = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    # Two signatures after a rotation of the secret.
    for signature in received.get("webhook-signature", "").split(" "):
        version, _, text = signature.partition(",")
        if version == "v1" and hmac.compare_digest(_decoded(text) or b"", expected):
            message: WebhookMessage = json.loads(content)
            return message
    raise InvalidWebhook("no signature matches the secret")


def _is_recent(timestamp: str) -> bool:
    is_number = timestamp.isascii() and timestamp.isdigit()
    return is_number and abs(time.time() - float(timestamp)) <= TOLERANCE


def _key(secret: str) -> bytes:
    key = _decoded(secret.removeprefix(PREFIX))
    if not key:
        raise ValueError(f"the secret of a webhook must be base64, usually after '{PREFIX}'")
    return key


def _decoded(text: str) -> bytes | None:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
