import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import type { PlaneObject } from '../planes/plane-object.ts'
import type { Session } from '../session/session.ts'
import { variable } from './blueprint.ts'
import { claimedSandbox } from './claimed-sandbox.ts'
import { EXTENSIONS_API_VERSION, extensionPath, observedExtension } from './extension-path.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import { type SandboxName, type SandboxPlace, sandboxNamed } from './sandbox-path.ts'
import { waitForCondition } from './wait-for-condition.ts'

/** The options of `flotilla sandbox claim`. */
export interface ClaimSandboxOptions extends SandboxPlace, WaitOptions {
  readonly name?: string | undefined
  /** Milliseconds. */
  readonly ttl?: number | undefined
  readonly env: readonly string[]
  readonly output?: string | undefined
}

/** Claims a sandbox of a pool. It stays claimed after the command. */
export async function claimSandbox(
  session: Session,
  poolName: string,
  options: ClaimSandboxOptions,
): Promise<void> {
  const { wait, timeout, output } = options
  const format = readFormat(output, ['json', 'yaml', 'jsonpath'])
  const pool = sandboxNamed(poolName, options)
  const created = await createClaim(session, pool, options)
  const observed = observedExtension('sandboxclaims', { ...pool, name: created.metadata.name })
  const claim = wait
    ? await waitForCondition(session, observed, { type: 'Ready', timeoutMs: timeout })
    : created
  if (format.name === 'json' || format.name === 'yaml' || format.name === 'jsonpath') {
    session.out.write(await objectText(format, claim))
    return
  }
  const sandbox = claimedSandbox(claim)
  if (sandbox === null) session.out.write(`${observed.label} created\n`)
  else session.out.write(`sandbox/${sandbox} claimed by ${observed.label}\n`)
}

async function createClaim(
  { client, signal }: Session,
  pool: SandboxName,
  { name, ttl, env }: ClaimSandboxOptions,
): Promise<PlaneObject> {
  const body = {
    apiVersion: EXTENSIONS_API_VERSION,
    kind: 'SandboxClaim',
    metadata: name === undefined ? { generateName: `${pool.name}-` } : { name },
    spec: {
      warmPoolRef: { name: pool.name },
      ...(ttl !== undefined && { lifecycle: lifecycle(ttl) }),
      ...(env.length > 0 && { env: env.map(variable) }),
    },
  }
  const path = extensionPath('sandboxclaims', pool)
  // A repeated request could claim a second sandbox.
  const request = { method: 'POST', path, body, signal, retry: 'rejected' } as const
  return (await client.request<PlaneObject>(request)).body
}

function lifecycle(ttlMs: number) {
  const shutdownTime = new Date(Date.now() + ttlMs).toISOString()
  return { shutdownTime, shutdownPolicy: 'Delete' }
}
