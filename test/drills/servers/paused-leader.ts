import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { must } from '../../../src/lib/assert.ts'
import { startProgram } from '../../process/program.ts'
import { withDatabase } from '../typescript-sdk/with-database.ts'
import { openFleet } from './fleet-client.ts'
import { SERVER_SETTINGS } from './rolling-restart.ts'

const LARGE = 3000
const SMALL = 40
/** Time in which a resumed leader would repeat its decisions. */
const OBSERVED_MS = 5000

/**
 * Pauses the process that runs the controllers in the middle of its work. Another one takes over and
 * completes a smaller fleet. After the paused process continues, none of its writes succeeds.
 */
export async function pauseLeader(print: (line: string) => void): Promise<void> {
  await withDatabase(async (DATABASE_URL) => {
    const env = { ...SERVER_SETTINGS, DATABASE_URL }
    const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 })
    // PostgreSQL may stop before it has processed the end of a connection.
    pool.on('error', () => undefined)
    try {
      await using api = startProgram({ ...env, ROLE: 'api' })
      const { port } = await api.ready()
      await using first = startProgram({ ...env, ROLE: 'controllers' })
      await using second = startProgram({ ...env, ROLE: 'controllers' })
      await Promise.all([first.ready(), second.ready()])
      const fleet = openFleet({ origin: `http://127.0.0.1:${port}`, pool })
      await fleet.create(SMALL)
      await fleet.untilMembers((members) => members === SMALL)
      const holder = await fleet.leader()
      const leader = must(
        [first, second].find(({ pid }) => holder.includes(`_${pid}_`)),
        'the leader',
      )
      await fleet.scale(LARGE)
      await fleet.untilMembers((members) => members > SMALL)
      leader.kill('SIGSTOP')
      const pausedAt = performance.now()
      print(`  paused the leader at ${await fleet.members()} of ${LARGE} members`)
      await fleet.scale(SMALL)
      await fleet.untilMembers((members) => members === SMALL)
      const seconds = ((performance.now() - pausedAt) / 1000).toFixed(1)
      print(`  the other process scaled the fleet to ${SMALL} after ${seconds} s`)
      assert.notEqual(await fleet.leader(), holder)
      const before = await readRevision(pool)
      leader.kill('SIGCONT')
      await sleep(OBSERVED_MS)
      assert.equal(await fleet.members(), SMALL)
      assert.equal(await readRevision(pool), before, 'the resumed leader changed clusters')
      assert.notEqual(await fleet.leader(), holder)
      print(`  the resumed leader changed nothing in ${OBSERVED_MS / 1000} s`)
    } finally {
      await pool.end()
    }
  })
}

/** Resolves with the revision of the feed when it contains every change. */
async function readRevision(pool: pg.Pool): Promise<string> {
  for (;;) {
    const { rows } = await pool.query<{ revision: string; waiting: boolean }>(
      'select revision, exists (select from outbox) as waiting from head',
    )
    const [row] = rows
    if (row?.waiting === false) return row.revision
    await sleep(50)
  }
}
