import type { Database } from '../../store/database/database.ts'

const RUNNING = {
  name: 'running_transactions',
  text: 'select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next',
}

const OLDEST = {
  name: 'oldest_transaction',
  text: 'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest',
}

const POLL_MS = 20

/**
 * Waits until every transaction has ended that had a number when the call began. Returns false if one
 * of them runs for longer than the timeout.
 */
export async function awaitRunningTransactions(
  database: Database,
  { timeoutMs, pause }: { timeoutMs: number; pause: (ms: number) => Promise<unknown> },
): Promise<boolean> {
  const [running] = await database.execute<{ next: bigint }>(RUNNING, [])
  const next = running?.next ?? 0n
  const until = performance.now() + timeoutMs
  for (;;) {
    const [row] = await database.execute<{ oldest: bigint }>(OLDEST, [])
    if ((row?.oldest ?? 0n) >= next) return true
    if (performance.now() > until) return false
    await pause(POLL_MS)
  }
}
