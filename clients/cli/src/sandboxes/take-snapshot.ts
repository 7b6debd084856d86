import { CliError } from '../errors/cli-error.ts'
import { objectPath } from '../planes/object-path.ts'
import { ROOT_PLANE } from '../planes/plane-path.ts'
import type { PlaneObject } from '../planes/plane-object.ts'
import type { Session } from '../session/session.ts'
import { pollWithProgress } from '../waiting/poll-with-progress.ts'
import { timedOut } from '../waiting/timed-out.ts'
import { activityOf } from './activity-of.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import { type SandboxName, type SandboxPlace, sandboxNamed, sandboxPath } from './sandbox-path.ts'

/** The options of `flotilla sandbox snapshot`. */
export interface SnapshotOptions extends SandboxPlace, WaitOptions {
  readonly name?: string | undefined
}

/** Takes a snapshot of a sandbox, which runs on. */
export async function takeSnapshot(
  session: Session,
  argument: string,
  { name, wait, timeout, ...place }: SnapshotOptions,
): Promise<void> {
  const { client, signal, out } = session
  const sandbox = sandboxNamed(argument, place)
  const path = sandboxPath(sandbox, sandbox.name, 'snapshots')
  const request = { method: 'POST', path, body: { name }, signal, retry: 'rejected' } as const
  const snapshot = (await client.request<PlaneObject>(request)).body.metadata.name
  if (wait) await waitForSnapshot(session, { sandbox, snapshot }, timeout)
  out.write(`snapshot/${snapshot} ${wait ? 'is complete' : 'requested'}\n`)
}

interface RequestedSnapshot {
  readonly sandbox: SandboxName
  /** The name of the snapshot. */
  readonly snapshot: string
}

async function waitForSnapshot(
  session: Session,
  { sandbox, snapshot }: RequestedSnapshot,
  timeoutMs: number,
): Promise<void> {
  let activity = ''
  const isComplete = await pollWithProgress(
    session,
    timeoutMs,
    async ({ signal, showProgress }) => {
      const read = async (path: string): Promise<PlaneObject> => {
        const request = { method: 'GET', path, signal, retry: 'always' } as const
        return (await session.client.request<PlaneObject>(request)).body
      }
      const { status = {} } = await read(snapshotPath(sandbox, snapshot))
      if (status['phase'] === 'Ready') return true
      if (status['phase'] === 'Failed') throw failed(snapshot, status['message'])
      activity = activityOf(await read(sandboxPath(sandbox, sandbox.name)))
      showProgress(`snapshot/${snapshot}: ${activity}`)
      return false
    },
  )
  if (isComplete) return
  const details = activity === '' ? [] : [activity]
  throw timedOut(`snapshot/${snapshot} was not complete after ${timeoutMs / 1000} s`, details)
}

function snapshotPath({ cluster = ROOT_PLANE, namespace }: SandboxName, name: string): string {
  const type = { group: 'agents.x-k8s.io', version: 'v1beta1', plural: 'snapshots' }
  return objectPath({ cluster, namespace, ...type }, name)
}

function failed(snapshot: string, message: unknown): CliError {
  const detail = typeof message === 'string' && message !== '' ? `: ${message}` : ''
  return new CliError(`snapshot/${snapshot} has failed${detail}`, {
    hint: `'flotilla sandbox snapshots -o yaml' shows more.`,
  })
}
