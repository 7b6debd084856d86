import type { Session } from '../session/session.ts'
import { type SandboxPlace, sandboxNamed, sandboxPath } from './sandbox-path.ts'

/** The options of `flotilla sandbox logs`. */
export interface LogsOptions extends SandboxPlace {
  readonly follow?: boolean | undefined
  readonly tail?: number | undefined
  /** Milliseconds. */
  readonly since?: number | undefined
  readonly previous?: boolean | undefined
}

/** Prints the output of a sandbox's workload as it is. */
export async function showLogs(
  { client, signal, out }: Session,
  name: string,
  options: LogsOptions,
): Promise<void> {
  const sandbox = sandboxNamed(name, options)
  const { follow, tail, since, previous } = options
  const query = {
    follow,
    previous,
    tailLines: tail,
    sinceSeconds: since === undefined ? undefined : Math.ceil(since / 1000),
  }
  const path = sandboxPath(sandbox, sandbox.name, 'logs')
  const decoder = new TextDecoder()
  for await (const chunk of client.bytes({ method: 'GET', path, query, signal, retry: 'always' })) {
    out.write(decoder.decode(chunk, { stream: true }))
  }
  out.write(decoder.decode())
}
