import { createHash } from 'node:crypto'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import type { SandboxKey } from '../../generated/proto/snapshot_driver_pb.ts'
import { checkName } from '../instances/check-start-request.ts'
import type { SandboxRecord } from '../records/sandbox-record.ts'
import { type HostState, saveRecord, storedKey } from './host-state.ts'

interface Call {
  readonly request: { readonly sandbox?: SandboxKey | undefined; readonly fence: bigint }
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal
}

interface Owned {
  /** The stored record, with the fence of this call. */
  readonly record: SandboxRecord
  /** Aborted when the caller cancels or loses the sandbox. */
  readonly signal: AbortSignal
}

/** User ids without accounts, above those of containers, and below 2^31 for old programs. */
const FIRST_USER = 1_900_000_000
const USERS_PER_RUNTIME = 100_000
const RUNTIME_RANGES = 2000

/**
 * Performs a changing call when earlier calls of the sandbox have ended. Rejects a stale fence, and
 * stores a higher one before the effect.
 */
export function ownSandbox<T>(
  state: HostState,
  { request, signal }: Call,
  effect: (owned: Owned) => Promise<T>,
): Promise<T> {
  const { sandbox, fence } = request
  if (sandbox === undefined) {
    throw new SandboxDriverError('INVALID_ARGUMENT', 'sandbox is missing')
  }
  const uid = checkName('sandbox.uid', sandbox.uid)
  checkFence(state.records.get(uid), fence)
  return state.owners.run({ uid, fence, signal }, async (owned) => {
    const existing = state.records.get(uid)
    checkFence(existing, fence)
    const record = { ...(existing ?? newRecord(state, sandbox)), fence: fence.toString() }
    if (existing?.fence !== record.fence) await saveRecord(state, record)
    return effect({ record, signal: owned })
  })
}

function checkFence(record: SandboxRecord | undefined, fence: bigint): void {
  if (record === undefined || fence >= BigInt(record.fence)) return
  throw new SandboxDriverError(
    'FAILED_PRECONDITION',
    `fence ${fence} is stale: sandbox ${record.sandbox.uid} has seen ${record.fence}`,
    { reason: 'StaleFence' },
  )
}

/** Reserves the user id immediately, so that a concurrent call does not choose it too. */
function newRecord(state: HostState, sandbox: SandboxKey): SandboxRecord {
  const record = {
    sandbox: storedKey(sandbox),
    userId: state.machine.isolatesUsers ? nextUser(state) : null,
    fence: '0',
    removedAt: null,
    current: null,
    previous: null,
  }
  state.records.set(sandbox.uid, record)
  return record
}

/** Every sandbox has an id that no other sandbox of this machine has or had recently. */
function nextUser(state: HostState): number {
  const digest = createHash('sha256').update(state.layout.stateDirectory).digest()
  const first = FIRST_USER + (digest.readUInt32BE() % RUNTIME_RANGES) * USERS_PER_RUNTIME
  const taken = new Set([...state.records.values()].map(({ userId }) => userId))
  const highest = Math.max(first - 1, ...[...taken].map((id) => id ?? 0))
  if (highest + 1 < first + USERS_PER_RUNTIME) return highest + 1
  for (let id = first; id < first + USERS_PER_RUNTIME; id += 1) if (!taken.has(id)) return id
  throw new SandboxDriverError('RESOURCE_EXHAUSTED', 'all user ids of this runtime are in use', {
    reason: 'CapacityExhausted',
  })
}
