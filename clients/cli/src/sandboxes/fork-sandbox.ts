import { isJsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { openProgress } from '../output/progress.ts'
import type { Session } from '../session/session.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import { type SandboxPlace, observedSandbox, sandboxNamed, sandboxPath } from './sandbox-path.ts'
import { waitForCondition } from './wait-for-condition.ts'

/** The options of `flotilla sandbox fork`. */
export interface ForkOptions extends SandboxPlace, WaitOptions {
  readonly count: number
  readonly prefix?: string | undefined
}

interface Fork {
  readonly items: readonly { readonly name: string; readonly error?: unknown }[]
}

/** The server limits a wait to ten minutes. */
const MAX_WAIT_SECONDS = 600
/** The response may follow the end of the wait by this time. */
const MARGIN_MS = 10_000

/** Creates sandboxes that begin with the state of another one. */
export async function forkSandbox(
  session: Session,
  name: string,
  { count, prefix, wait, timeout, ...place }: ForkOptions,
): Promise<void> {
  const { client, signal, err } = session
  const sandbox = sandboxNamed(name, place)
  const path = sandboxPath(sandbox, sandbox.name, 'fork')
  const body = { count, namePrefix: prefix, wait: waitText(timeout) }
  const progress = openProgress(err)
  progress.update(`sandbox/${sandbox.name}: taking a snapshot for ${count} copies`)
  const request = { method: 'POST', path, body, signal, retry: 'rejected' } as const
  const { items } = (await client.request<Fork>({ ...request, timeout: timeout + MARGIN_MS })).body
  progress.clear()
  const failed = items.filter(({ error }) => error !== undefined)
  for (const copy of items) {
    if (copy.error !== undefined) continue
    const own = observedSandbox({ ...sandbox, name: copy.name })
    if (wait) await waitForCondition(session, own, { type: 'Ready', timeoutMs: timeout })
    session.out.write(`${own.label} created\n`)
  }
  if (failed.length === 0) return
  throw new CliError(`${failed.length} of ${items.length} copies failed`, {
    details: failed.map((copy) => `  ${copy.name}: ${messageOf(copy.error)}`),
  })
}

function messageOf(error: unknown): string {
  return isJsonObject(error) ? String(error['message']) : String(error)
}

/** A duration as the server reads it. */
function waitText(ms: number): string {
  return `${Math.min(MAX_WAIT_SECONDS, Math.ceil(ms / 1000))}s`
}
