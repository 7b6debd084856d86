"""Access to planes for tools of Kubernetes."""

from __future__ import annotations

import importlib
import ssl
from typing import Any


def kubeconfig(name: str, server: str, token: str | None, *, verify: Any) -> dict[str, Any]:
    """A kubeconfig with one context. As JSON, it is a valid file for kubectl."""
    cluster: dict[str, Any] = {"server": server}
    if verify is False:
        cluster["insecure-skip-tls-verify"] = True
    elif isinstance(verify, str):
        cluster["certificate-authority"] = verify
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": cluster}],
        "users": [{"name": name, "user": {"token": token} if token else {}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }


def kubernetes_client(config: dict[str, Any]) -> Any:
    """A client of the official package `kubernetes`. Raises ImportError without the package."""
    try:
        module: Any = importlib.import_module("kubernetes.config")
    except ImportError as error:
        raise ImportError(
            "the package 'kubernetes' is not installed: pip install 'flotilla-sdk[kubernetes]'"
        ) from error
    return module.new_client_from_config_dict(config)


def tls_verification(verify: bool | str | ssl.SSLContext) -> bool | ssl.SSLContext:
    """The setting of httpx for a flag or for the path of a file with authorities."""
    return ssl.create_default_context(cafile=verify) if isinstance(verify, str) else verify
