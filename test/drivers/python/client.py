"""Calls a server of both services and prints one line per answer."""

import sys

import grpc
import snapshot_driver_pb2 as pb
import snapshot_driver_pb2_grpc as rpc

channel = grpc.insecure_channel(sys.argv[1])
driver = rpc.SnapshotDriverStub(channel)
runtime = rpc.SandboxRuntimeStub(channel)
sandbox = pb.SandboxKey(plane="root", namespace="ns", name="a", uid="u1")


def failure(call, request, timeout=10):
    try:
        return call(request, timeout=timeout)
    except grpc.RpcError as error:
        return error


print("info", driver.GetInfo(pb.GetInfoRequest()).drivers[0].name)
start = pb.StartRequest(sandbox=sandbox, instance_id="i1", operation_id="op-1", fence=5)
print("started", runtime.Start(start).instance.state)
checkpoint = pb.CheckpointRequest(
    sandbox=sandbox, pod_name="i1", operation_id="op-2", snapshot_uid="s1", fence=5
)
print("checkpoint", driver.Checkpoint(checkpoint).snapshot_uid)
for snapshot in driver.ListSnapshots(pb.ListSnapshotsRequest()):
    print("list", snapshot.snapshot_uid, f"complete={snapshot.complete}")
print("missing", failure(driver.GetSnapshot, pb.GetSnapshotRequest(snapshot_uid="x")).code().name)
stale = pb.CheckpointRequest(
    sandbox=sandbox, pod_name="i1", operation_id="op-3", snapshot_uid="s2", fence=4
)
error = failure(driver.Checkpoint, stale)
print("stale", error.code().name, dict(error.trailing_metadata())["flotilla-reason"])
watch = runtime.Watch(pb.WatchRequest(), timeout=0.3)
try:
    for _ in watch:
        pass
except grpc.RpcError as error:
    print("deadline", error.code().name)
