import type {
  Instance,
  SandboxKey,
  SnapshotInfo,
  StartRequest,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import type { DriverCall } from './faults.ts'

/** The files of a simulated sandbox: path to content. */
export type ReferenceFiles = ReadonlyMap<string, string>

/** A simulated run of a workload. */
export interface ReferenceInstance {
  readonly request: StartRequest
  readonly instance: Instance
  readonly log: string
}

/** A snapshot with the files that it captured. */
export interface ReferenceSnapshot {
  readonly info: SnapshotInfo
  readonly files: ReferenceFiles
}

/** One effect, for tests that count them. */
export interface ReferenceEffect {
  readonly call: DriverCall
  readonly operationId: string
  readonly sandboxUid: string
}

/** The simulated machine. It outlives the server, as workloads outlive a runtime. */
export interface ReferenceState {
  readonly instances: Map<string, ReferenceInstance>
  /** Files by the uid of the sandbox. */
  readonly files: Map<string, Map<string, string>>
  readonly snapshots: Map<string, ReferenceSnapshot>
  readonly effects: ReferenceEffect[]
  /** Receive every changed instance. Must not throw. */
  readonly watchers: Set<(instance: Instance) => void>
}

/** A machine without sandboxes. */
export function createReferenceState(): ReferenceState {
  return {
    instances: new Map(),
    files: new Map(),
    snapshots: new Map(),
    effects: [],
    watchers: new Set(),
  }
}

/** The files of a sandbox, which tests may change as its workload would. */
export function filesOf(state: ReferenceState, sandbox: SandboxKey): Map<string, string> {
  const existing = state.files.get(sandbox.uid)
  if (existing !== undefined) return existing
  const created = new Map<string, string>()
  state.files.set(sandbox.uid, created)
  return created
}

/** Replaces an instance and notifies the watchers. */
export function putInstance(state: ReferenceState, changed: ReferenceInstance): Instance {
  state.instances.set(changed.instance.instanceId, changed)
  for (const watcher of state.watchers) watcher(changed.instance)
  return changed.instance
}

/** The instance of a sandbox that has not ended. */
export function activeInstance(state: ReferenceState, uid: string): ReferenceInstance | null {
  for (const one of state.instances.values()) {
    const { sandbox, state: phase } = one.instance
    if (sandbox?.uid === uid && (phase === 'Running' || phase === 'Frozen')) return one
  }
  return null
}
