import assert from 'node:assert/strict'
import { NO_ADAPTERS, withDatabase } from '../typescript-sdk/with-database.ts'
import { assertNoLoss } from '../load/assert-no-loss.ts'
import { printLoad } from '../load/print-load.ts'
import { type LoadResult, startLoad } from '../load/start-load.ts'
import { LONG_TIMEOUTS } from '../../support/long-timeouts.ts'
import { startBalancedServers } from './balanced-servers.ts'

/** The settings of the servers of these drills. */
export const SERVER_SETTINGS = {
  ...NO_ADAPTERS,
  WATCHES: 'heartbeat=1s',
  SHUTDOWN_DELAY_MS: '3000',
  DATABASE_OPTIONS: 'pool-size=10',
}

/**
 * A load of which not one attempt may fail. It leaves the machine time for the starts of servers. On a
 * busy machine, a pause of seconds is no fault.
 */
export const STEADY_LOAD = {
  writers: 4,
  watches: 4,
  pauseMs: 100,
  timeoutMs: 60_000,
  silenceMs: 60_000,
}

/** Replaces four servers one after the other. No client notices: not one attempt fails. */
export async function restartServers(print: (line: string) => void): Promise<void> {
  await withDatabase(async (DATABASE_URL) => {
    const env = { ...SERVER_SETTINGS, ...LONG_TIMEOUTS, DATABASE_URL }
    await using servers = await startBalancedServers({ env })
    const { origin } = servers.balancer
    const load = await startLoad({
      origin: () => origin,
      name: 'restart',
      ...STEADY_LOAD,
    })
    for (const index of servers.programs.keys()) {
      await servers.restart(index)
      print(`  restarted server ${index + 1}: ${load.ledger.attempts.acknowledged} writes`)
    }
    const result = await load.finish()
    printLoad(result, print)
    assertNoLoss(result)
    assertNotNoticed(result)
  })
}

/** Requires that no attempt failed, so that clients need not repeat anything. */
export function assertNotNoticed({ ledger, watches }: LoadResult): void {
  const { refused, lost, unavailable } = ledger.attempts
  assert.deepEqual({ refused, lost, unavailable }, { refused: 0, lost: 0, unavailable: 0 })
  for (const { connections } of watches) {
    const { broken, rejected, resets } = connections
    assert.deepEqual({ broken, rejected, resets }, { broken: 0, rejected: 0, resets: 0 })
  }
}
