import type { Removal } from '../deletion/removal-text.ts'
import { requestDeletion } from '../deletion/request-deletion.ts'
import { waitForRemovals } from '../deletion/wait-for-removals.ts'
import type { JsonObject } from '../documents/json-object.ts'
import type { Session } from '../session/session.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import type { ObservedObject } from './sandbox-path.ts'

interface SandboxDeletion extends WaitOptions {
  /** Whether dependents are deleted before the object is gone. */
  readonly propagationPolicy: 'Background' | 'Foreground'
}

/** Deletes sandboxes, pools or claims. With `wait`, waits until they are gone. */
export async function deleteSandboxes(
  session: Session,
  objects: readonly ObservedObject[],
  { propagationPolicy, wait, timeout }: SandboxDeletion,
): Promise<void> {
  const { client, signal, out } = session
  const removals: Removal[] = []
  for (const { label, path } of objects) {
    const request = { method: 'GET', path, retry: 'always', signal } as const
    removals.push({ label, path, object: (await client.request<JsonObject>(request)).body })
  }
  for (const { label, path } of removals) {
    await requestDeletion(session, path, { propagationPolicy })
    if (!wait) out.write(`${label} deletion requested\n`)
  }
  if (wait) await waitForRemovals(session, removals, { timeoutMs: timeout })
}
