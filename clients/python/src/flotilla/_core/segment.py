"""Segments of URL paths."""

from __future__ import annotations

from urllib.parse import quote

API = "/api/hyperfleet/v1"
FLEETS = "/apis/kplane.dev/v1/fleets"


def segment(text: str) -> str:
    """An ID or name as one segment of a path. Raises ValueError if it cannot be one."""
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is not an ID or a name")
    return quote(text, safe="")


def plane_path(cluster: str) -> str:
    """The path of the plane of a cluster."""
    return f"/clusters/{segment(cluster)}/control-plane"
