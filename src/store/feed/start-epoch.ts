import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../changes/log.ts'
import { mayContinue } from '../changes/may-continue.ts'
import { renewEpoch } from '../changes/renew-epoch.ts'
import type { Database } from '../database/database.ts'

/** Longer than the servers that are connected need to reach a new primary. */
const WAIT_MS = 3000
const POLL_MS = 250

/**
 * Renews the epoch of a log when a server starts. Only servers that have seen the log can keep the
 * epoch of a synchronous database over a failover, so they get some time to do so.
 */
export async function startEpoch(database: Database, log: Log): Promise<void> {
  const end = performance.now() + WAIT_MS
  while (database.isSynchronous && performance.now() < end) {
    if (!(await mayContinue(database, log))) break
    await sleep(POLL_MS)
  }
  await renewEpoch(database, log, null)
}
