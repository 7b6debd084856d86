import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '../../../src/store/database/migrate.ts'
import { assertNoLoss } from '../load/assert-no-loss.ts'
import { printLoad } from '../load/print-load.ts'
import { startLoad } from '../load/start-load.ts'
import { LONG_TIMEOUTS } from '../../support/long-timeouts.ts'
import { withDatabase } from '../typescript-sdk/with-database.ts'
import { startBalancedServers } from './balanced-servers.ts'
import { assertNotNoticed, SERVER_SETTINGS, STEADY_LOAD } from './rolling-restart.ts'

const MIGRATIONS = 'prisma/migrations'
const NEXT = '29990101000000_next'
const SCRIPT = `-- Older servers: may run beside this schema, because they do not use the new column.

alter table resources add column next_version text;
`

/**
 * Applies the migration of a fictitious next version under load, and starts servers of this version
 * again on the newer schema, as a rollback does. No client notices.
 */
export async function rollBackServers(print: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-next-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  await mkdir(path.join(folder, NEXT))
  await writeFile(path.join(folder, NEXT, 'migration.sql'), SCRIPT)
  try {
    await withDatabase(async (DATABASE_URL) => {
      const env = { ...SERVER_SETTINGS, ...LONG_TIMEOUTS, DATABASE_URL }
      await using servers = await startBalancedServers({ env })
      const { origin } = servers.balancer
      const load = await startLoad({
        origin: () => origin,
        name: 'rollback',
        ...STEADY_LOAD,
      })
      print(`  the next version applies ${(await migrate(DATABASE_URL, folder)).join(', ')}`)
      for (const index of servers.programs.keys()) {
        await servers.restart(index)
        print(`  rolled server ${index + 1} back: ${load.ledger.attempts.acknowledged} writes`)
      }
      const result = await load.finish()
      printLoad(result, print)
      assertNoLoss(result)
      assertNotNoticed(result)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
