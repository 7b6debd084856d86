import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type Instance, InstanceSchema } from '../../generated/proto/snapshot_driver_pb.ts'
import type { InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'

interface Observation {
  readonly isFrozen: boolean
  readonly lastActivity: number
}

/** The address of workloads that share the machine's network. */
const MACHINE_ADDRESS = '127.0.0.1'

/** An instance as callers see it. */
export function instanceMessage(
  sandbox: SandboxRecord,
  record: InstanceRecord,
  { isFrozen, lastActivity }: Observation,
): Instance {
  const isLive = record.phase !== 'Exited'
  const live: MessageInitShape<typeof InstanceSchema> = {
    state: isFrozen ? 'Frozen' : 'Running',
    pid: BigInt(record.init?.pid ?? 0),
    address: addressOf(record),
    ...readinessOf(record),
  }
  return create(InstanceSchema, {
    sandbox: sandbox.sandbox,
    instanceId: record.id,
    startedUnixMs: BigInt(record.startedAt),
    lastActivityUnixMs: BigInt(lastActivity),
    message: record.message,
    fence: BigInt(sandbox.fence),
    ...(isLive
      ? live
      : {
          state: 'Exited',
          exitCode: record.exitCode,
          exitSignal: record.exitSignal,
          finishedUnixMs: BigInt(record.finishedAt ?? 0),
        }),
  })
}

function readinessOf({ health }: InstanceRecord) {
  const isReady = health?.isReady ?? null
  if (health === undefined || isReady === null) return null
  return { readiness: isReady ? 'Ready' : 'Unready', readinessMessage: health.message }
}

/** Empty if a wall gives the workload no network. */
function addressOf({ isolationClass = 'process', network }: InstanceRecord): string {
  return network?.address ?? (isolationClass === 'process' ? MACHINE_ADDRESS : '')
}

/** The answer for an instance that this runtime does not have. */
export function removedInstance(sandbox: Instance['sandbox'], instanceId: string): Instance {
  return create(InstanceSchema, {
    ...(sandbox && { sandbox }),
    instanceId,
    state: 'Removed',
  })
}
