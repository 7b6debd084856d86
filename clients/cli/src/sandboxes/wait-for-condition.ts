import { CliError } from '../errors/cli-error.ts'
import type { ObjectCondition, PlaneObject } from '../planes/plane-object.ts'
import type { Session } from '../session/session.ts'
import { pollWithProgress } from '../waiting/poll-with-progress.ts'
import { timedOut } from '../waiting/timed-out.ts'
import { activityOf } from './activity-of.ts'
import { claimedSandbox } from './claimed-sandbox.ts'
import type { ObservedObject } from './sandbox-path.ts'

interface Wait {
  /** The condition that must be True. */
  readonly type: 'Ready' | 'Suspended'
  readonly timeoutMs: number
}

/**
 * Waits for a condition of a sandbox, a pool or a claim, and shows the progress. Returns the object;
 * throws if the time is over.
 */
export async function waitForCondition(
  session: Session,
  { label, path }: ObservedObject,
  { type, timeoutMs }: Wait,
): Promise<PlaneObject> {
  let latest: PlaneObject | null = null
  const isReached = await pollWithProgress(session, timeoutMs, async ({ signal, showProgress }) => {
    const request = { method: 'GET', path, signal, retry: 'always' } as const
    latest = (await session.client.request<PlaneObject>(request)).body
    const condition = currentCondition(latest, type)
    if (condition?.status === 'True') return true
    failIfFinished(label, latest)
    showProgress(`${label}: ${progressOf(latest, type)}`)
    return false
  })
  if (isReached && latest !== null) return latest
  const details = latest === null ? [] : [progressOf(latest, type)]
  throw timedOut(`${label} was not ${type} after ${timeoutMs / 1000} s`, details)
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
function failIfFinished(label: string, object: PlaneObject): void {
  const finished = currentCondition(object, 'Finished')
  if (finished?.status !== 'True') return
  const detail = [finished.reason, finished.message].filter(Boolean).join(': ')
  const sandbox = claimedSandbox(object) ?? object.metadata.name
  throw new CliError(`${label} has finished: ${detail}`, {
    hint: `'flotilla sandbox logs ${sandbox}' shows its output.`,
  })
}
