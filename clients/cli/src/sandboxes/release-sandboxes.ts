import { isJsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import type { PlaneObject } from '../planes/plane-object.ts'
import type { Session } from '../session/session.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import { deleteSandboxes } from './delete-sandboxes.ts'
import { observedExtension } from './extension-path.ts'
import {
  type ObservedObject,
  type SandboxName,
  type SandboxPlace,
  observedSandbox,
  sandboxNamed,
} from './sandbox-path.ts'

/** The options of `flotilla sandbox release`. */
export type ReleaseSandboxOptions = SandboxPlace & WaitOptions

/** Deletes the claims of sandboxes, and waits until the sandboxes are gone. */
export async function releaseSandboxes(
  session: Session,
  names: readonly string[],
  options: ReleaseSandboxOptions,
): Promise<void> {
  const claims: ObservedObject[] = []
  for (const name of names) claims.push(await claimOf(session, sandboxNamed(name, options)))
  await deleteSandboxes(session, claims, { ...options, propagationPolicy: 'Foreground' })
}

/** The claim that controls a sandbox. */
async function claimOf({ client, signal }: Session, sandbox: SandboxName): Promise<ObservedObject> {
  const { label, path } = observedSandbox(sandbox)
  const request = { method: 'GET', path, signal, retry: 'always' } as const
  const { ownerReferences } = (await client.request<PlaneObject>(request)).body.metadata
  const owners = Array.isArray(ownerReferences) ? ownerReferences.filter(isJsonObject) : []
  const claim = owners.find(({ kind }) => kind === 'SandboxClaim')
  if (claim !== undefined) {
    return observedExtension('sandboxclaims', { ...sandbox, name: String(claim['name']) })
  }
  throw new CliError(`${label} is not claimed`, {
    hint: `'flotilla sandbox delete ${sandbox.name}' deletes it.`,
  })
}
