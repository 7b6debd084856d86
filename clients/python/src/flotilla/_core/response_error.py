"""Turns error responses into exceptions."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Mapping
from typing import Any

from ..errors import BY_STATUS, ApiError


def response_error(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """The exception for a response: its body is a problem, a Kubernetes `Status`, or unknown."""
    return document_error(
        _parsed(body),
        status=status,
        request_id=headers.get("x-request-id"),
        retry_after=retry_after_seconds(headers),
    )


def document_error(
    document: Mapping[str, Any],
    *,
    status: int = 0,
    request_id: str | None = None,
    retry_after: float | None = None,
) -> ApiError:
    """The exception for a problem or a `Status`, which watches send as events."""
    if document.get("kind") == "Status":
        details = document.get("details") or {}
        status = status or int(document.get("code") or 0)
        code = str(document.get("reason") or "Unknown")
        message = str(document.get("message") or "the response has no message")
        errors = list(details.get("causes") or [])
        retry_after = retry_after or details.get("retryAfterSeconds")
    else:
        status = status or int(document.get("status") or 0)
        code = str(document.get("code") or "unknown")
        message = str(
            document.get("detail") or document.get("title") or "the response has no problem"
        )
        errors = list(document.get("errors") or [])
        request_id = request_id or document.get("trace_id")
    return BY_STATUS.get(status, ApiError)(
        status, code, message, request_id=request_id, errors=errors, retry_after=retry_after
    )


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """The value of `Retry-After`, which is a number of seconds or a date."""
    text = headers.get("retry-after")
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _parsed(body: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(body)
    except ValueError:
        document = None
    if isinstance(document, dict):
        return document
    return {"detail": body[:200].decode("utf-8", "replace") or "the response has no body"}
