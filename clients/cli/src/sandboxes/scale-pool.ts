import type { Session } from '../session/session.ts'
import { observedExtension } from './extension-path.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import { type SandboxPlace, sandboxNamed } from './sandbox-path.ts'
import { waitForCondition } from './wait-for-condition.ts'

/** The options of `flotilla sandbox pool scale`. */
export type ScalePoolOptions = SandboxPlace & WaitOptions

/** Sets the number of sandboxes that wait for claims. */
export async function scalePool(
  session: Session,
  { name, replicas }: { readonly name: string; readonly replicas: number },
  { wait, timeout, ...place }: ScalePoolOptions,
): Promise<void> {
  const { client, signal, out } = session
  const pool = observedExtension('sandboxwarmpools', sandboxNamed(name, place))
  await client.request({
    method: 'PATCH',
    path: pool.path,
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: { spec: { replicas } },
    signal,
    retry: 'always',
  })
  if (wait) await waitForCondition(session, pool, { type: 'Ready', timeoutMs: timeout })
  out.write(`${pool.label} ${wait ? 'has' : 'scaled to'} ${replicas} sandboxes\n`)
}
