import type { Database } from '../../store/database/database.ts'

/** Each change in the outbox gets the next revision when a server moves it to the log. */
const COMMITTED = {
  name: 'committed_revision',
  text: 'select revision + (select count(*) from outbox) as revision from head',
}

const COLLECTED = { name: 'collected_revision', text: 'select revision from history_cursor' }

const POLL_MS = 200

interface Row {
  readonly revision: bigint
}

/**
 * Waits until the history contains the changes that are committed when the call begins. Returns false
 * after the timeout: the servers may be down, or collect no history.
 */
export async function awaitHistory(
  database: Database,
  { timeoutMs, pause }: { timeoutMs: number; pause: (ms: number) => Promise<unknown> },
): Promise<boolean> {
  const [committed] = await database.execute<Row>(COMMITTED, [])
  const until = performance.now() + timeoutMs
  for (;;) {
    const [collected] = await database.execute<Row>(COLLECTED, [])
    if ((collected?.revision ?? 0n) >= (committed?.revision ?? 0n)) return true
    if (performance.now() > until) return false
    await pause(POLL_MS)
  }
}
