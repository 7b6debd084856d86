import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { migrationNames } from '../../../src/store/database/migrate.ts'
import { TIMES_ARE_PRECISE } from '../../../src/store/database/migration-history.ts'
import { startNode } from '../../process/program.ts'
import { assertNoLoss } from '../load/assert-no-loss.ts'
import { printLoad } from '../load/print-load.ts'
import { startLoad } from '../load/start-load.ts'
import { LONG_TIMEOUTS } from '../../support/long-timeouts.ts'
import { withDatabase } from '../typescript-sdk/with-database.ts'
import { startBalancedServers, thisVersion } from './balanced-servers.ts'
import { buildReleasedVersion } from './released-version.ts'
import { assertNotNoticed, SERVER_SETTINGS, STEADY_LOAD } from './rolling-restart.ts'

const MIGRATIONS = 'prisma/migrations'

/**
 * Replaces servers of the last released version by servers of this one, side by side under load. No
 * client notices: not one attempt fails.
 */
export async function upgradeServers(print: (line: string) => void): Promise<void> {
  await using released = await buildReleasedVersion()
  const added = (await migrationNames(MIGRATIONS)).filter(
    (name) => !released.migrations.includes(name),
  )
  print(`  from ${released.commit.slice(0, 12)}; new migrations: ${added.join(', ') || 'none'}`)
  await withDatabase(async (DATABASE_URL) => {
    const env = { ...SERVER_SETTINGS, ...LONG_TIMEOUTS, DATABASE_URL }
    await using servers = await startBalancedServers({ env, version: released.version })
    const { origin } = servers.balancer
    const load = await startLoad({
      origin: () => origin,
      name: 'upgrade',
      ...STEADY_LOAD,
    })
    for (const index of servers.programs.keys()) {
      await servers.replace(index, thisVersion())
      print(`  upgraded server ${index + 1}: ${load.ledger.attempts.acknowledged} writes`)
    }
    await awaitMicroseconds(DATABASE_URL)
    print(`  times have microseconds: ${load.ledger.attempts.acknowledged} writes`)
    await load.ledger.nextAcknowledged()
    const result = await load.finish()
    printLoad(result, print)
    assertNoLoss(result)
    assertNotNoticed(result)
    if (added.length > 0) {
      const { args, cwd } = released.version
      const older = startNode(args, env, cwd)
      assert.equal(await older.exited, 1, 'the released version starts on a newer schema')
      assert.match(older.errors(), /the schema of the database is newer than this build/)
      print('  the released version cannot start again, and says why')
    }
  })
}

/** Resolves when the servers have changed the types of columns, after the last older server. */
async function awaitMicroseconds(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const isDone = async () => {
      const { rowCount } = await client.query('select from _prisma_migrations where logs = $1', [
        TIMES_ARE_PRECISE,
      ])
      return rowCount === 1
    }
    while (!(await isDone())) await setTimeout(500)
  } finally {
    await client.end()
  }
}
