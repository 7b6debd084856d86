import { setTimeout as sleep } from 'node:timers/promises'
import { withDatabase } from '../typescript-sdk/with-database.ts'
import { assertNoLoss } from '../load/assert-no-loss.ts'
import { printLoad } from '../load/print-load.ts'
import { startLoad } from '../load/start-load.ts'
import { startBalancedServers } from './balanced-servers.ts'
import { SERVER_SETTINGS } from './rolling-restart.ts'

const MAX_DELAY_MS = 1000

/**
 * Kills random servers under load. Clients that repeat requests lose nothing, and watches that
 * resume on another server miss nothing.
 */
export async function killServers(kills: number, print: (line: string) => void): Promise<void> {
  await withDatabase(async (DATABASE_URL) => {
    await using servers = await startBalancedServers({ env: { ...SERVER_SETTINGS, DATABASE_URL } })
    const { origin } = servers.balancer
    const load = await startLoad({
      origin: () => origin,
      name: 'kills',
      writers: 8,
      watches: 4,
      pauseMs: 20,
    })
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(Math.random() * MAX_DELAY_MS)
      const index = Math.floor(Math.random() * servers.programs.length)
      load.ledger.takeLongestGapMs()
      await servers.kill(index)
      const gap = load.ledger.takeLongestGapMs().toFixed(0)
      print(`  kill ${kill}: server ${index + 1}, at most ${gap} ms without an acknowledged write`)
    }
    const result = await load.finish()
    printLoad(result, print)
    assertNoLoss(result)
  })
}
