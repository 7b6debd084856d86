"""Writes the reference page from the docstrings. With `--check`, fails if the page is stale."""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import flotilla
from flotilla import adapter, openapi

HEADER = """# Reference of the Python SDK

<!-- Generated from the docstrings by clients/python/scripts/reference.py. -->

`pip install flotilla-sdk`, then `import flotilla`. The [README of the package](../../clients/python/README.md) has examples.

Every class below also exists in an asynchronous form with the same methods: `AsyncClient` for `Client`, `AsyncPlane` for `Plane`, and so on. Use `await` with its methods, and `async with` and `async for`. `close()` is `aclose()` there.
"""

client = flotilla.Client("http://127.0.0.1")
SECTIONS: list[tuple[str, list[tuple[str, Any]]]] = [
    (
        "Clients",
        [
            ("Client", flotilla.Client),
            ("client.clusters, client.views", flotilla.RootCollection),
            ("client.nodepools", type(client.nodepools)),
            ("client.statuses", type(client.statuses)),
            ("client.webhooks", type(client.webhooks)),
            ("Items", type(client.clusters.list())),
            ("Watch", flotilla.Watch),
            ("Retry", flotilla.Retry),
        ],
    ),
    ("Planes", [("Plane", flotilla.Plane)]),
    ("Fleets", [("Fleet", flotilla.Fleet), ("Claim", flotilla.Claim)]),
    ("Adapters", [("Adapter", adapter.Adapter), ("Worker", adapter.Worker)]),
    (
        "Data",
        [
            ("Snapshot", flotilla.Snapshot),
            ("SnapshotResource", flotilla.SnapshotResource),
            ("FleetStatus", flotilla.FleetStatus),
            ("FleetMember", flotilla.FleetMember),
            ("FleetCondition", flotilla.FleetCondition),
            ("WatchEvent", flotilla.WatchEvent),
            ("StateEvent", flotilla.StateEvent),
            ("BulkResult", flotilla.BulkResult),
            ("Upserted", flotilla.Upserted),
            ("adapter.Result", adapter.Result),
            ("adapter.Reported", adapter.Reported),
        ],
    ),
]


def page() -> str:
    """The text of the page."""
    parts = [HEADER]
    for title, entries in SECTIONS:
        parts.append(f"\n## {title}\n")
        parts.extend(entry(name, member) for name, member in entries)
    parts.append("\n## Webhooks\n\n")
    verified = signature("verify_webhook", flotilla.verify_webhook)
    parts.append(f"```python\n{verified}\n```\n\n")
    parts.append(paragraphs(inspect.getdoc(flotilla.verify_webhook)) + "\n")
    parts.append("\n## Errors\n\n| Error | Meaning |\n| --- | --- |\n")
    parts.extend(error_rows())
    parts.append("\n## The OpenAPI document\n\n")
    for function in (openapi.spec_yaml, openapi.load_spec):
        text = summary(inspect.getdoc(function))
        parts.append(f"- `openapi.{signature(function.__name__, function)}`: {text}\n")
    return "".join(parts)


def entry(name: str, owner: type) -> str:
    """A class with its attributes and methods."""
    arguments = "" if name.startswith("client.") or name == "Items" else init(name, owner)
    text = f"\n### {name}\n\n{arguments}{paragraphs(inspect.getdoc(owner))}\n"
    rows = list(method_rows(owner))
    return text + ("\n" + "".join(rows) if rows else "")


def init(name: str, owner: type) -> str:
    """The constructor, if programs call it."""
    if name in ("Plane", "Fleet", "Claim", "Watch"):
        return ""
    return f"```python\n{signature(name, owner)}\n```\n\n"


def method_rows(owner: type) -> Iterator[str]:
    """An item for every public method and property, in the order of the source."""
    seen: set[str] = set()
    for base in owner.__mro__[:-1]:
        for name, member in vars(base).items():
            if name.startswith("_") or name in seen or isinstance(member, str | int | float):
                continue
            seen.add(name)
            text = summary(inspect.getdoc(getattr(owner, name)))
            if isinstance(member, property):
                yield f"- `{name}`: {text}\n"
            elif callable(member) or isinstance(member, classmethod):
                yield f"- `{signature(name, getattr(owner, name))}`: {text}\n"


def signature(name: str, member: Any) -> str:
    """A call with the parameters, without the qualified names of types."""
    parameters = [
        one.replace(annotation=plain(one.annotation))
        for one in inspect.signature(member).parameters.values()
        if one.name != "self"
    ]
    text = str(inspect.Signature(parameters))
    return name + re.sub(r": '([^']*)'", r": \1", text)


def plain(annotation: Any) -> Any:
    """The text of an annotation."""
    return annotation if annotation is inspect.Parameter.empty else str(annotation)


def error_rows() -> Iterator[str]:
    """A row for every error."""
    for name in flotilla.__all__:
        member = getattr(flotilla, name)
        if isinstance(member, type) and issubclass(member, Exception):
            base = member.__mro__[1].__name__
            text = " ".join((inspect.getdoc(member) or "").split())
            yield f"| `{name}({base})` | {text} |\n"


def paragraphs(text: str | None) -> str:
    """A docstring as Markdown, with each paragraph on one line."""
    blocks = (text or "").split("\n\n")
    return "\n\n".join(one if one.startswith("-") else " ".join(one.split()) for one in blocks)


def summary(text: str | None) -> str:
    """A docstring on one line."""
    return " ".join((text or "").split())


def main() -> None:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.check:
        options.file.parent.mkdir(parents=True, exist_ok=True)
        options.file.write_text(page())
    elif options.file.read_text() != page():
        sys.exit(f"{options.file} is stale: run python clients/python/scripts/reference.py")


main()
