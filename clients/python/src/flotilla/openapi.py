"""The OpenAPI 3.1 document of snapshots and fleets, served at `/openapi/kplane.yaml`."""

from __future__ import annotations

from importlib import import_module, resources
from typing import Any


def spec_yaml() -> str:
    """The document in OpenAPI 3.1, as YAML."""
    return resources.files("flotilla").joinpath("kplane.yaml").read_text("utf-8")


def load_spec() -> dict[str, Any]:
    """The document in OpenAPI 3.1, as a dictionary.

    Needs the extra: `pip install 'flotilla-sdk[yaml]'`.
    """
    try:
        # A plain import would fail type checks of programs that lack the stubs of PyYAML.
        yaml: Any = import_module("yaml")
    except ImportError as error:
        raise ImportError(
            "the package 'PyYAML' is not installed: pip install 'flotilla-sdk[yaml]'"
        ) from error
    document: dict[str, Any] = yaml.safe_load(spec_yaml())
    return document
