import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDrillPostgres } from '../drill-postgres.ts'
import { startTwoServers } from './two-servers.ts'

const SAMPLE_MS = 20
/** Less than the rest of the lease of 15 s, which the leader renews every 2 to 2.4 s. */
const MAX_MS = 12_000

/** Kills the server that runs the controllers. The other one runs them long before the lease ends. */
export async function takeOver(kills: number, print: (line: string) => void): Promise<void> {
  await using postgres = await startDrillPostgres()
  await using servers = await startTwoServers({ DATABASE_URL: postgres.url })
  for (let kill = 1; kill <= kills; kill += 1) {
    const before = await untilHeldByOther(servers, '')
    const killedAt = performance.now()
    const killed = servers.killLeader()
    const after = await untilHeldByOther(servers, before)
    const tookMs = Math.round(performance.now() - killedAt)
    await killed
    print(`  kill ${kill}: ${after} took over from ${before} after ${tookMs} ms`)
    assert.ok(tookMs <= MAX_MS, `took over after ${tookMs} ms`)
  }
}

async function untilHeldByOther(
  servers: { holder(): Promise<string> },
  former: string,
): Promise<string> {
  const end = performance.now() + 60_000
  for (;;) {
    // The client may still lead to the killed server.
    const holder = await servers.holder().catch(() => former)
    // A leader that has just started names its session later.
    if (holder.includes('_session-') && holder !== former) return holder
    assert.ok(performance.now() < end, `nobody took over from '${former}'`)
    await sleep(SAMPLE_MS)
  }
}
