import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { retry } from '../../lib/async/retry.ts'
import { codesOf } from '../../store/database/translate-database-error.ts'
import { addDays, daysOfRows, partitionsOf } from '../../store/partitions/day-partitions.ts'
import { columnListOf, type MoveDatabases, type OnTable, tenantCondition } from './copy-tenant.ts'
import { MoveError } from './move-error.ts'
import { openMoveClient } from './open-move-client.ts'
import { recordTables } from './tenant-tables.ts'

/** An attempt gives up after two seconds, so that inserts do not wait for longer. */
const PARTITION_ATTEMPTS = 30
const LOCK_TIMEOUT = '55P03'

/**
 * Copies the history and the audit events of a tenant, one day in one transaction. May be repeated:
 * skips the rows that the target has. The source keeps its rows until their retention ends.
 */
export async function copyRecords(
  { source, target, tables }: MoveDatabases,
  tenant: string,
  onTable: OnTable,
): Promise<void> {
  await using from = await openMoveClient(source, tenant)
  await using to = await openMoveClient(target, tenant)
  for (const table of recordTables(tables)) {
    const columns = await columnListOf(to, { table })
    const arriving = `arriving_${table}`
    await to.query(`create temporary table ${arriving} (like ${table})`)
    let copied = 0
    for (const name of await partitionsOf(from, table)) {
      const selection = `
        select ${columns} from ${pg.escapeIdentifier(name)}
        where ${tenantCondition({ column: 'tenant' }, tenant)}`
      await pipeline(
        from.query(copyTo(`copy (${selection}) to stdout`)),
        to.query(copyFrom(`copy ${arriving} (${columns}) from stdin`)),
      )
      await addPartitions(to, table, await daysOfRows(to, arriving))
      const { rowCount } = await to.query(`
        insert into ${table} (${columns}) select ${columns} from ${arriving}
        on conflict do nothing`)
      await to.query(`truncate ${arriving}`)
      copied += rowCount ?? 0
    }
    onTable(table, copied)
  }
}

/** Creates the partitions of days. Searches of the servers lock the table, so it tries repeatedly. */
async function addPartitions(to: pg.Client, table: string, days: readonly string[]): Promise<void> {
  const areAdded = await retry(PARTITION_ATTEMPTS, false, async () => {
    try {
      await addDays(to, table, days)
      return true
    } catch (error) {
      if (codesOf(error).includes(LOCK_TIMEOUT)) return false
      throw error
    }
  })
  if (areAdded) return
  throw new MoveError(`long searches lock ${table} in the target: resume the move later`)
}
