import { FlotillaError } from 'flotilla'
import { ROOT_PLANE, storedObject } from 'flotilla/planes'
import type { WorkloadAccess, WorkloadInstance } from '../endpoints/workload-access.ts'
import {
  createDriverConnections,
  type DriverConnections,
} from '../controllers/sandboxes/runtimes/driver-connections.ts'
import { runtimeEntry } from '../controllers/sandboxes/runtimes/runtime-entry.ts'
import type { SandboxRecords } from '../controllers/sandboxes/sandbox-records.ts'
import type { ObjectStore } from '../../store/objects/object-store.ts'
import type { ExecOutput } from '../drivers/generated/proto/snapshot_driver_pb.ts'
import type { RuntimeConnection } from '../drivers/protocol/connect-runtime.ts'
import type { InstallationSource } from '../drivers/protocol/installation-source.ts'
import type { TlsMaterial } from '../drivers/protocol/tls-material.ts'
import { requestFailure } from '../sandboxd/runtime-failure.ts'

interface Options {
  readonly records: Pick<SandboxRecords, 'readState' | 'recordActivity'>
  readonly store: () => Pick<ObjectStore, 'read'>
  readonly tls: TlsMaterial | null
  readonly installation: InstallationSource
  readonly onError: (error: unknown) => void
}

/** Access of the API to the workloads of sandboxes. Disposing it closes the connections. */
export interface SandboxWorkloads extends WorkloadAccess, Disposable {}

/** Reads the rows of sandboxes, and calls the runtimes that have their instances. */
export function createSandboxWorkloads(options: Options): SandboxWorkloads {
  const { records, store, tls, installation, onError } = options
  const connections = createDriverConnections({ tls, installation, onError })
  const runtimeOf = (name: string) => connectionOf(store(), connections, name)
  return {
    readState: (uid) => records.readState(uid),
    recordActivity: (uid, time) => records.recordActivity(uid, time),
    exec: async function* exec(instance, command, signal) {
      const { runtime } = await runtimeOf(instance.runtime)
      const env = command.env.map((each) => ({ ...each }))
      const request = {
        ...instanceFields(instance),
        command: [...command.command],
        stdin: Buffer.from(command.stdin),
        env,
        workingDir: command.workingDir,
        timeoutSeconds: BigInt(command.timeoutSeconds),
      }
      try {
        for await (const each of runtime.exec(request, { signal })) yield* outputOf(each)
      } catch (error) {
        throw requestFailure(error)
      }
    },
    logs: async function* logs(instance, { follow, previous, tailLines, since }, signal) {
      const { runtime } = await runtimeOf(instance.runtime)
      const request = {
        ...instanceFields(instance),
        follow,
        previous,
        tailLines: BigInt(tailLines ?? 0),
        sinceUnixMs: BigInt(since?.getTime() ?? 0),
      }
      try {
        for await (const { data } of runtime.logs(request, { signal })) yield data
      } catch (error) {
        throw requestFailure(error)
      }
    },
    [Symbol.dispose]: () => connections[Symbol.dispose](),
  }
}

function instanceFields({ plane, namespace, name, uid, instanceId }: WorkloadInstance) {
  return { sandbox: { plane, namespace, name, uid }, instanceId }
}

async function connectionOf(
  store: Pick<ObjectStore, 'read'>,
  connections: DriverConnections,
  name: string,
): Promise<RuntimeConnection> {
  const resource = 'sandboxruntimes.sandbox.flotilla.dev'
  const stored = await store.read({ plane: ROOT_PLANE, resource, namespace: '', name })
  const connection = stored && connections.to(runtimeEntry(storedObject(stored)).endpoint)
  if (connection) return connection
  throw new FlotillaError('unavailable', `the runtime ${name} of the sandbox is not registered`)
}

function* outputOf({ output }: ExecOutput) {
  if (output.case === 'exitCode') yield { exitCode: output.value }
  else if (output.case !== undefined) yield { stream: output.case, data: output.value }
}
