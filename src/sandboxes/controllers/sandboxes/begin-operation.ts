import { newId } from 'flotilla'
import type { SandboxOperation } from '../../storage/sandbox-operation.ts'
import type { SandboxState } from '../../storage/sandbox-state.ts'
import type { ObservedSandbox } from './model/observed-sandbox.ts'
import { LEASE_SECONDS } from './operations/operation-runner.ts'
import type { ReconcileParts } from './reconcile-parts.ts'
import type { SandboxRows } from './sandbox-records.ts'

interface Request {
  readonly kind: SandboxOperation['kind']
  readonly data: SandboxOperation['data']
  /** Names a sandbox without an object. */
  readonly state?: SandboxState
}

/** Records an operation and starts it. Null if the sandbox has an unfinished one. */
export async function beginOperation(
  { records, runner, timers, holder }: ReconcileParts,
  sandbox: ObservedSandbox | null,
  { kind, data, state: known }: Request,
): Promise<SandboxRows | null> {
  const ref = sandbox?.ref ?? known
  if (ref === undefined) return null
  const now = timers.clock()
  const begun = await records.beginOperation({
    id: newId(now),
    sandbox: ref,
    kind,
    step: 'Begun',
    holder,
    leaseSeconds: LEASE_SECONDS,
    generation: sandbox?.spec.generation ?? 0,
    data,
    now,
  })
  if (begun === null) return null
  const { state, ...operation } = begun
  runner.start({ operation, state, sandbox })
  return { state, operation }
}
