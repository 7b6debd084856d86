from __future__ import annotations

import importlib.metadata
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import flotilla
import flotilla.adapter
from flotilla.types.kplane import FleetSpec

PAIRS = [
    (flotilla.AsyncClient, flotilla.Client),
    (flotilla.AsyncPlane, flotilla.Plane),
    (flotilla.AsyncFleet, flotilla.Fleet),
    (flotilla.AsyncClaim, flotilla.Claim),
    (flotilla.AsyncWatch, flotilla.Watch),
    (flotilla.AsyncCollection, flotilla.Collection),
    (flotilla.AsyncRootCollection, flotilla.RootCollection),
    (flotilla.adapter.AsyncAdapter, flotilla.adapter.Adapter),
    (flotilla.adapter.AsyncWorker, flotilla.adapter.Worker),
    (type(flotilla.AsyncClient("http://a").nodepools), type(flotilla.Client("http://a").nodepools)),
    (type(flotilla.AsyncClient("http://a").statuses), type(flotilla.Client("http://a").statuses)),
    (type(flotilla.AsyncClient("http://a").webhooks), type(flotilla.Client("http://a").webhooks)),
]
SYNCHRONOUS_NAMES = {"aclose": "close"}


def members(owner: type) -> Iterator[tuple[str, Any]]:
    for name, member in inspect.getmembers(owner):
        if not name.startswith("_"):
            yield SYNCHRONOUS_NAMES.get(name, name), member


def parameters(member: Any) -> list[tuple[str, Any, Any, str]]:
    if not callable(member):
        return []
    found = inspect.signature(member).parameters.values()
    return [
        (one.name, one.kind, one.default, re.sub(r"\bAsync(?=[A-Z])", "", str(one.annotation)))
        for one in found
    ]


@pytest.mark.parametrize(("asynchronous", "synchronous"), PAIRS)
def test_both_clients_have_the_same_surface(asynchronous: type, synchronous: type) -> None:
    first, second = dict(members(asynchronous)), dict(members(synchronous))
    assert first.keys() == second.keys()
    for name, member in first.items():
        assert parameters(member) == parameters(second[name]), name


def test_every_public_name_exists_and_has_a_description() -> None:
    for name in flotilla.__all__:
        member = getattr(flotilla, name)
        assert isinstance(member, str) or inspect.getdoc(member), name


def test_asynchronous_names_have_synchronous_counterparts() -> None:
    names = set(flotilla.__all__)
    assert {name.removeprefix("Async") for name in names} <= names


def test_the_package_contains_its_license() -> None:
    files = importlib.metadata.files("flotilla-sdk") or []
    assert [file for file in files if file.name == "LICENSE"]


@pytest.mark.parametrize("method", ["create_fleet", "ephemeral_fleet"])
def test_every_field_of_a_fleet_is_an_argument(method: str) -> None:
    names = {re.sub("([A-Z])", r"_\1", field).lower() for field in FleetSpec.__annotations__}
    assert names - set(inspect.signature(getattr(flotilla.Client, method)).parameters) == set()
