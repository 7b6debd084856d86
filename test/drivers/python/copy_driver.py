"""A snapshot driver with the three calls of KEP-0694: a snapshot is a copy of the directories."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
from concurrent import futures

import grpc
import snapshot_driver_pb2 as pb
import snapshot_driver_pb2_grpc as rpc


class CopyDriver(rpc.SnapshotDriverServicer):
    def __init__(self, store):
        self.store = pathlib.Path(store)

    def Checkpoint(self, request, context):
        operation = request.parameters["flotilla.dev/operation-id"]
        # The same operation makes the same snapshot, so that a repeated call is harmless.
        uid = hashlib.sha256(operation.encode()).hexdigest()[:32]
        snapshot = self.path(uid, context)
        if not snapshot.exists():
            partial = snapshot.with_suffix(".partial")
            shutil.rmtree(partial, ignore_errors=True)
            for name, path in directories(request.parameters):
                shutil.copytree(path, partial / name, symlinks=True)
            os.replace(partial, snapshot)
        size = sum(file.lstat().st_size for file in snapshot.rglob("*"))
        return pb.CheckpointResponse(snapshot_uid=uid, size_bytes=size)

    def Restore(self, request, context):
        snapshot = self.path(request.snapshot_uid, context)
        if not snapshot.exists():
            context.abort(grpc.StatusCode.NOT_FOUND, f"no snapshot {request.snapshot_uid}")
        for name, path in directories(request.parameters):
            shutil.rmtree(path, ignore_errors=True)
            shutil.copytree(snapshot / name, path, symlinks=True)
        return pb.RestoreResponse(restore_metadata={"env.RESTORED_BY": "copy-driver"})

    def Delete(self, request, context):
        shutil.rmtree(self.path(request.snapshot_uid, context), ignore_errors=True)
        return pb.DeleteResponse()

    def path(self, uid, context):
        if not re.fullmatch("[0-9a-f-]{32,36}", uid):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"invalid snapshot UID {uid}")
        return self.store / uid


def directories(parameters):
    """The directories of the sandbox: name in the snapshot, and path on this machine."""
    yield "workspace", parameters["flotilla.dev/workspace"]
    for name, path in json.loads(parameters["flotilla.dev/volumes"]).items():
        yield f"volumes/{name}", path


if __name__ == "__main__":
    socket, store = sys.argv[1:]
    os.makedirs(store, mode=0o700, exist_ok=True)
    server = grpc.server(futures.ThreadPoolExecutor())
    rpc.add_SnapshotDriverServicer_to_server(CopyDriver(store), server)
    server.add_insecure_port(f"unix:{socket}")
    server.start()
    print("ready", flush=True)
    server.wait_for_termination()
