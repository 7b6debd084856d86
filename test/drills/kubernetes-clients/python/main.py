"""Runs the official Python client against the plane at a URL."""

import sys
import threading

from kubernetes import client, dynamic, watch
from kubernetes.client.exceptions import ApiException

NAMESPACE = "python-clients"


def expect_status(status, call, *arguments, **options):
    """Calls a method that must fail with an HTTP status."""
    try:
        call(*arguments, **options)
    except ApiException as error:
        assert error.status == status, error
        return
    raise AssertionError(f"expected status {status}")


def life_cycle(core):
    """Creates, patches, lists and deletes a config map."""
    core.create_namespace({"metadata": {"name": NAMESPACE}})
    body = {"metadata": {"name": "settings", "labels": {"app": "x"}}, "data": {"a": "1"}}
    created = core.create_namespaced_config_map(NAMESPACE, body)
    expect_status(409, core.create_namespaced_config_map, NAMESPACE, body)
    patched = core.patch_namespaced_config_map("settings", NAMESPACE, {"data": {"b": "2"}})
    assert patched.data == {"a": "1", "b": "2"}, patched.data
    created.data = {"a": "3"}
    expect_status(409, core.replace_namespaced_config_map, "settings", NAMESPACE, created)
    listed = core.list_namespaced_config_map(NAMESPACE, label_selector="app in (x),!tier")
    assert [item.metadata.name for item in listed.items] == ["settings"]
    expect_status(400, core.list_namespaced_config_map, NAMESPACE, label_selector="a like b")
    core.delete_namespaced_config_map("settings", NAMESPACE)
    expect_status(404, core.read_namespaced_config_map, "settings", NAMESPACE)


def watches(core):
    """Watches from the revision of a list."""
    version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version

    def write():
        core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": "watched"}})
        core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"a": "1"}})
        core.delete_namespaced_config_map("watched", NAMESPACE)

    writer = threading.Thread(target=write)
    writer.start()
    events = []
    stream = watch.Watch()
    for event in stream.stream(
        core.list_namespaced_config_map,
        NAMESPACE,
        resource_version=version,
        field_selector="metadata.name=watched",
        timeout_seconds=20,
    ):
        events.append(event["type"])
        if event["type"] == "DELETED":
            stream.stop()
    writer.join()
    assert events == ["ADDED", "MODIFIED", "DELETED"], events


def dynamic_client(api):
    """Finds resources by discovery and applies with the server."""
    resources = dynamic.DynamicClient(api).resources
    secrets = resources.get(api_version="v1", kind="Secret")
    body = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "applied", "namespace": NAMESPACE},
        "stringData": {"a": "b"},
    }
    applied = secrets.server_side_apply(
        body=body, name="applied", namespace=NAMESPACE, field_manager="python"
    )
    assert applied.data["a"] == "Yg==", applied.data


def main():
    configuration = client.Configuration()
    configuration.host = sys.argv[1]
    with client.ApiClient(configuration) as api:
        core = client.CoreV1Api(api)
        assert client.VersionApi(api).get_code().git_version == "v1.35.0+flotilla"
        life_cycle(core)
        watches(core)
        dynamic_client(api)
    print("ok")


main()
