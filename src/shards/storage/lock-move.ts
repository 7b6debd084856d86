import { openMoveClient } from './open-move-client.ts'

const LOCK = `select pg_try_advisory_lock(hashtextextended($1::text, 7305188025)) as locked`

/**
 * Locks the move of a tenant until the connection is disposed, so that one process at a time works on
 * it. Null if another process has the lock.
 */
export async function lockMove(
  directoryUrl: string,
  tenant: string,
): Promise<AsyncDisposable | null> {
  const client = await openMoveClient(directoryUrl, tenant, 'lock')
  const { rows } = await client.query<{ locked: boolean }>(LOCK, [tenant])
  if (rows[0]?.locked === true) return client
  await client.end()
  return null
}
