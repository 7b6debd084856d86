import { type JsonObject, type JsonValue, objectOf, optionalNumber, optionalText } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import { identityOf, type ObjectIdentity } from './object-identity.ts'
import { type SuspensionStrategy, suspensionStrategyOf } from './suspension-strategy.ts'
import { type Workload, workloadOf } from './workload.ts'

/** When an idle sandbox is suspended, and a suspended one deleted. Null: never. */
export interface AutoSuspend {
  readonly idleSeconds: number | null
  readonly suspendedTtlSeconds: number | null
}

/** How long snapshots are kept. */
export interface SnapshotPolicy {
  readonly keepLast: number
  /** Null for no limit. */
  readonly ttlSeconds: number | null
  readonly deleteWithSandbox: boolean
}

/** A Sandbox. */
export interface Sandbox extends ObjectIdentity {
  readonly namespace: string
  readonly generation: number
  readonly isDeleting: boolean
  readonly operatingMode: 'Running' | 'Suspended'
  readonly strategy: SuspensionStrategy
  readonly restorePolicy: 'Strict' | 'AllowColdBoot'
  /** Name of the Snapshot for the first start; null without one. */
  readonly restoreFrom: string | null
  readonly autoSuspend: AutoSuspend
  readonly snapshotPolicy: SnapshotPolicy
  /** Null: the sandbox does not expire. */
  readonly shutdownTime: Date | null
  readonly shutdownPolicy: 'Delete' | 'Retain'
  /** Whether the next start may ignore the snapshot. */
  readonly requestsColdBoot: boolean
  readonly workload: Workload
}

const COLD_BOOT = 'agents.x-k8s.io/cold-boot'
const DEFAULT_KEEP_LAST = 3

/** Reads a stored Sandbox, which was validated when it was written. */
export function sandboxOf(object: ApiObject): Sandbox {
  const { namespace = '', generation = 0, deletionTimestamp, annotations } = object.metadata
  const spec = objectOf(object['spec'])
  return {
    ...identityOf(object),
    namespace,
    generation,
    isDeleting: deletionTimestamp !== undefined,
    operatingMode: spec['operatingMode'] === 'Suspended' ? 'Suspended' : 'Running',
    strategy: suspensionStrategyOf(spec['suspensionStrategy']),
    restorePolicy: spec['restorePolicy'] === 'AllowColdBoot' ? 'AllowColdBoot' : 'Strict',
    restoreFrom: optionalText(objectOf(spec['restoreFrom'])['snapshotName']),
    autoSuspend: autoSuspendOf(objectOf(spec['autoSuspend'])),
    snapshotPolicy: snapshotPolicyOf(objectOf(spec['snapshotPolicy'])),
    shutdownTime: timeOf(spec['shutdownTime']),
    shutdownPolicy: spec['shutdownPolicy'] === 'Delete' ? 'Delete' : 'Retain',
    requestsColdBoot: annotations?.[COLD_BOOT] !== undefined,
    workload: workloadOf(spec),
  }
}

function autoSuspendOf({ idleSeconds, suspendedTtlSeconds }: JsonObject): AutoSuspend {
  return {
    idleSeconds: optionalNumber(idleSeconds),
    suspendedTtlSeconds: optionalNumber(suspendedTtlSeconds),
  }
}

function snapshotPolicyOf({ keepLast, ttlSeconds, deleteWithSandbox }: JsonObject): SnapshotPolicy {
  return {
    keepLast: optionalNumber(keepLast) ?? DEFAULT_KEEP_LAST,
    ttlSeconds: optionalNumber(ttlSeconds),
    deleteWithSandbox: deleteWithSandbox !== false,
  }
}

function timeOf(value: JsonValue | undefined): Date | null {
  return typeof value === 'string' ? new Date(value) : null
}
