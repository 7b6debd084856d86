import { CliError } from '../errors/cli-error.ts'
import type { ObjectCondition, PlaneObject } from '../planes/plane-object.ts'
import type { Session } from '../session/session.ts'
import { pollWithProgress } from '../waiting/poll-with-progress.ts'
import { timedOut } from '../waiting/timed-out.ts'
import { activityOf } from './activity-of.ts'
import { type SandboxName, sandboxPath } from './sandbox-path.ts'

interface Wait {
  /** The condition that must be True. */
  readonly type: 'Ready' | 'Suspended'
  readonly timeoutMs: number
}

/** Waits for a condition of a sandbox, and shows what its machine does meanwhile. */
export async function waitForCondition(
  session: Session,
  sandbox: SandboxName,
  { type, timeoutMs }: Wait,
): Promise<void> {
  const path = sandboxPath(sandbox, sandbox.name)
  let latest: PlaneObject | null = null
  const isReached = await pollWithProgress(session, timeoutMs, async ({ signal, showProgress }) => {
    const request = { method: 'GET', path, signal, retry: 'always' } as const
    latest = (await session.client.request<PlaneObject>(request)).body
    const condition = currentCondition(latest, type)
    if (condition?.status === 'True') return true
    failIfFinished(latest)
    showProgress(`sandbox/${sandbox.name}: ${progressOf(latest, type)}`)
    return false
  })
  if (isReached) return
  const details = latest === null ? [] : [progressOf(latest, type)]
  throw timedOut(`sandbox/${sandbox.name} was not ${type} after ${timeoutMs / 1000} s`, details)
}

/** A condition of an older generation says nothing about the change that the user waits for. */
function currentCondition({ metadata, status }: PlaneObject, type: string): ObjectCondition | null {
  const found = status?.conditions?.find((condition) => condition.type === type)
  const generation = metadata.generation ?? 0
  return found === undefined || (found.observedGeneration ?? generation) < generation ? null : found
}

function progressOf(object: PlaneObject, type: string): string {
  return activityOf(object, currentCondition(object, type))
}

/** A workload that has ended does not become ready. */
function failIfFinished(object: PlaneObject): void {
  const finished = currentCondition(object, 'Finished')
  if (finished?.status !== 'True') return
  const detail = [finished.reason, finished.message].filter(Boolean).join(': ')
  throw new CliError(`sandbox/${object.metadata.name} has finished: ${detail}`, {
    hint: `'flotilla sandbox logs ${object.metadata.name}' shows its output.`,
  })
}
