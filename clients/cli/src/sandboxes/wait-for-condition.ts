import { CliError } from '../errors/cli-error.ts'
import { openProgress } from '../output/progress.ts'
import type { ObjectCondition, PlaneObject } from '../planes/plane-object.ts'
import type { Session } from '../session/session.ts'
import { poll } from '../waiting/poll.ts'
import { timedOut } from '../waiting/timed-out.ts'
import { withTimeLimit } from '../waiting/with-time-limit.ts'
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
): Promise<PlaneObject> {
  using progress = openProgress(session.err)
  const path = sandboxPath(sandbox, sandbox.name)
  let latest: PlaneObject | null = null
  const outcome = await withTimeLimit(timeoutMs, session.signal, (signal) =>
    poll(async () => {
      const request = { method: 'GET', path, signal, retry: 'always' } as const
      latest = (await session.client.request<PlaneObject>(request)).body
      const condition = currentCondition(latest, type)
      if (condition?.status === 'True') return true
      failIfFinished(latest)
      progress.update(`sandbox/${sandbox.name}: ${progressOf(latest, type)}`)
      return false
    }, signal),
  )
  if (!outcome.isExpired && latest !== null) return latest
  progress.clear()
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
  const progressing = object.status?.conditions?.find((one) => one.type === 'Progressing')
  const own = currentCondition(object, type)
  const shown = progressing?.status === 'True' ? progressing : own
  return [shown?.reason, shown?.message].filter(Boolean).join(': ') || 'waiting for the controller'
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
