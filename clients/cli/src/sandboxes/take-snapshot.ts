import { openProgress } from '../output/progress.ts'
import type { PlaneObject } from '../planes/plane-object.ts'
import type { Session } from '../session/session.ts'
import { type SandboxPlace, sandboxNamed, sandboxPath } from './sandbox-path.ts'

/** The options of `flotilla sandbox snapshot`. */
export interface SnapshotOptions extends SandboxPlace {
  readonly name?: string | undefined
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/** The server limits a wait to ten minutes. */
const MAX_WAIT_SECONDS = 600
/** The response may follow the end of the wait by this time. */
const MARGIN_MS = 10_000

/** Takes a snapshot of a sandbox, which runs on. */
export async function takeSnapshot(
  { client, signal, out, err }: Session,
  name: string,
  options: SnapshotOptions,
): Promise<void> {
  const sandbox = sandboxNamed(name, options)
  const path = sandboxPath(sandbox, sandbox.name, 'snapshots')
  const wait = options.wait ? waitText(options.timeout) : undefined
  const body = { name: options.name, wait }
  using progress = openProgress(err)
  if (options.wait) progress.update(`sandbox/${sandbox.name}: taking a snapshot`)
  const request = { method: 'POST', path, body, signal, retry: 'rejected' } as const
  const limit = options.timeout + MARGIN_MS
  const snapshot = (await client.request<PlaneObject>({ ...request, timeout: limit })).body
  progress.clear()
  out.write(`snapshot/${snapshot.metadata.name} ${options.wait ? 'is complete' : 'requested'}\n`)
}

/** A duration as the server reads it. */
export function waitText(ms: number): string {
  return `${Math.min(MAX_WAIT_SECONDS, Math.ceil(ms / 1000))}s`
}
