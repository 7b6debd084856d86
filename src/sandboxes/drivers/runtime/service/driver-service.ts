import os from 'node:os'
import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { must } from 'flotilla'
import type { OperationLedger } from '../../protocol/operation-ledger.ts'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import {
  DeleteResponseSchema,
  GetInfoResponseSchema,
  GetSnapshotResponseSchema,
  type RestoreRequest,
  type RestoreResponse,
  SnapshotDriver,
  ValidateResponseSchema,
} from '../../generated/proto/snapshot_driver_pb.ts'
import { checkpointInstance } from '../host/checkpoint-instance.ts'
import { type HostState, isLive, userOf } from '../host/host-state.ts'
import { hostedSandbox } from '../host/hosted-views.ts'
import { ownSandbox } from '../host/own-sandbox.ts'
import type { HostedDriver } from '../hosted-drivers.ts'
import { prepareSandbox } from '../instances/prepare-files.ts'
import { sandboxPaths } from '../sandbox-layout.ts'

/** The calls of SnapshotDriver for the drivers of this process. */
export function driverService(
  state: HostState,
  ledger: OperationLedger,
): ServiceImpl<typeof SnapshotDriver> {
  return {
    checkpoint: (request, { signal }) =>
      ledger.run(
        { method: SnapshotDriver.method.checkpoint, operationId: request.operationId, request },
        () => checkpointInstance(state, findDriver(state, request.driver), { request, signal }),
      ),
    restore: (request, { signal }) =>
      ledger.run(
        { method: SnapshotDriver.method.restore, operationId: request.operationId, request },
        () => restore(state, request, signal),
      ),
    delete: async (request, { signal }) => {
      await findDriver(state, request.driver).delete(request, signal)
      return create(DeleteResponseSchema)
    },
    getInfo: async () => {
      const infos = await Promise.all([...state.drivers.values()].map((driver) => driver.info()))
      return create(GetInfoResponseSchema, {
        drivers: infos,
        machine: state.machine.name,
        architecture: os.arch(),
        kernel: os.release(),
      })
    },
    validate: async (request) => {
      const problems = await findDriver(state, request.driver).validate(request)
      return create(ValidateResponseSchema, { problems: [...problems] })
    },
    getSnapshot: async (request, { signal }) => {
      const snapshot = await findDriver(state, request.driver).getSnapshot(request, signal)
      if (snapshot !== null) return create(GetSnapshotResponseSchema, { snapshot })
      const message = `driver ${request.driver} has no snapshot ${request.snapshotUid}`
      throw new SandboxDriverError('NOT_FOUND', message)
    },
    listSnapshots: (request, { signal }) =>
      findDriver(state, request.driver).listSnapshots(request, signal),
  }
}

function findDriver({ drivers }: HostState, name: string): HostedDriver {
  const driver = drivers.get(name)
  if (driver !== undefined) return driver
  const known = [...drivers.keys()].join(', ')
  throw new SandboxDriverError(
    'INVALID_ARGUMENT',
    `driver '${name}' is not part of this runtime, which has: ${known || 'none'}`,
  )
}

function restore(
  state: HostState,
  request: RestoreRequest,
  signal: AbortSignal,
): Promise<RestoreResponse> {
  const driver = findDriver(state, request.driver)
  return ownSandbox(state, { request, signal }, async ({ record, signal: owned }) => {
    if (isLive(record.current)) {
      throw new SandboxDriverError(
        'FAILED_PRECONDITION',
        `instance ${record.current.id} of the sandbox is still running: terminate it first`,
      )
    }
    await prepareSandbox(sandboxPaths(state.layout, record.sandbox.uid), userOf(record))
    const key = must(request.sandbox, 'the sandbox')
    return driver.restore(request, hostedSandbox(state, record, key), owned)
  })
}
