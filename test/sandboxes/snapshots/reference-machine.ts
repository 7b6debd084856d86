import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { SnapshotInfoSchema } from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import {
  type ReferenceServer,
  startReferenceServer,
} from '../../drivers/reference/start-reference-server.ts'
import { claimApi } from '../claims/claim-api.ts'

/** A reference runtime that is registered with a server. */
export interface ReferenceMachine extends AsyncDisposable {
  readonly reference: ReferenceServer
  /** Puts data into the store. */
  store(snapshotUid: string, options?: { installation?: string; ageSeconds?: number }): void
  /** The uids of the data in the store. */
  stored(): readonly string[]
}

const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'
const AN_HOUR = 3600

/** Starts a reference runtime with the driver `reference`, which does not renew its lease. */
export async function startReferenceMachine(origin: string): Promise<ReferenceMachine> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'reference-'))
  const listen = `unix:${path.join(directory, 'd.sock')}`
  const reference = await startReferenceServer({ listen, directory })
  const { call, merge } = claimApi(origin)
  await call('POST', RUNTIMES, {
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name: 'machine' },
    spec: {
      endpoint: reference.endpoint,
      machine: 'reference-machine',
      capacity: { sandboxes: 100 },
      drivers: [
        {
          name: 'reference',
          capabilities: {
            captures: ['filesystem'],
            freezes: true,
            lists: true,
            stores: ['local', 's3'],
          },
        },
      ],
    },
  })
  const renewTime = `${new Date().toISOString().slice(0, -1)}000Z`
  const status = { renewTime, leaseDurationSeconds: AN_HOUR }
  await merge(`${RUNTIMES}/machine/status`, { status })
  return {
    reference,
    store: (snapshotUid, { installation = '', ageSeconds = AN_HOUR } = {}) => {
      const info = create(SnapshotInfoSchema, {
        snapshotUid,
        sandbox: { plane: 'root', namespace: 'default', name: 's', uid: 'u', installation },
        createdUnixMs: BigInt(Date.now() - ageSeconds * 1000),
        complete: true,
      })
      reference.state.snapshots.set(snapshotUid, { info, files: new Map() })
    },
    stored: () => [...reference.state.snapshots.keys()].toSorted(),
    [Symbol.asyncDispose]: async () => {
      await reference[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
