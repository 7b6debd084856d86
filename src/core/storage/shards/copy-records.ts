import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { columnListOf, type MoveDatabases, type OnTable, tenantCondition } from './copy-tenant.ts'
import { openMoveClient } from './open-move-client.ts'
import { RECORD_TABLES } from './tenant-tables.ts'

const PARTITIONS = `
  select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = $1::text::regclass order by relname`

/**
 * Copies the history and the audit events of a tenant, one day in one transaction. May be repeated:
 * skips the rows that the target has. The source keeps its rows until their retention ends.
 */
export async function copyRecords(
  { source, target }: MoveDatabases,
  tenant: string,
  onTable: OnTable,
): Promise<void> {
  await using from = await openMoveClient(source, tenant)
  await using to = await openMoveClient(target, tenant)
  for (const table of RECORD_TABLES) {
    const columns = await columnListOf(to, { table })
    const { rows: partitions } = await from.query<{ name: string }>(PARTITIONS, [table])
    await to.query(`create temporary table arriving_${table} (like ${table}) on commit delete rows`)
    let copied = 0
    for (const { name } of partitions) {
      const selection = `
        select ${columns} from ${pg.escapeIdentifier(name)}
        where ${tenantCondition({ column: 'tenant' }, tenant)}`
      await to.query('begin')
      await pipeline(
        from.query(copyTo(`copy (${selection}) to stdout`)),
        to.query(copyFrom(`copy arriving_${table} (${columns}) from stdin`)),
      )
      const { rowCount } = await to.query(`
        insert into ${table} (${columns}) select ${columns} from arriving_${table}
        on conflict do nothing`)
      await to.query('commit')
      copied += rowCount ?? 0
    }
    onTable(table, copied)
  }
}
