import pg from 'pg'
import { tenantCondition } from './copy-tenant.ts'
import { supersededAttempt } from './move-error.ts'
import { openMoveClient } from './open-move-client.ts'
import { planesOfTenant } from './planes-of-tenant.ts'
import type { Attempt } from './tenant-states.ts'
import type { Table } from '../../store/tables/table.ts'
import { tenantTables } from './tenant-tables.ts'

const BATCH = 1000
const DELETE_RESOURCES = `
  delete from resources
  where id = any(array(select id from resources where tenant = $1::text limit $2::integer))`

/** The lock keeps the state and the attempt until the batch is deleted. */
const BEGIN_BATCH = `
  select set_config('flotilla.moves_tenant', 'true', true) from tenant_states
  where tenant = $1::text and attempt = $2::bigint and state = 'departed'
  for share`

/**
 * Deletes the rows of a tenant that has departed, in batches. Returns the planes that lost their
 * resource. May be repeated. Throws a MoveError if a newer attempt has begun.
 */
export async function deleteTenant(
  url: string,
  tables: readonly Table[],
  { tenant, attempt }: Attempt,
): Promise<readonly string[]> {
  await using client = await openMoveClient(url, tenant)
  const { rows } = await client.query<{ plane: string }>(
    `select plane from planes where plane in (${planesOfTenant(tenant)})`,
  )
  for (const table of tenantTables(tables)) {
    if (table.table === 'resources' || table.isDeletedWithOwner === true) continue
    const name = pg.escapeIdentifier(table.table)
    await inBatches(async () => {
      if (table.onDeletion !== undefined) await client.query(table.onDeletion)
      return client.query(`
        delete from ${name} where ctid = any(array(
          select ctid from ${name} where ${tenantCondition(table, tenant)} limit ${BATCH}))`)
    })
  }
  await inBatches(() => client.query(DELETE_RESOURCES, [tenant, BATCH]))
  return rows.map(({ plane }) => plane)

  async function inBatches(deleteBatch: () => Promise<pg.QueryResult>): Promise<void> {
    for (;;) {
      await client.query('begin')
      const begun = await client.query(BEGIN_BATCH, [tenant, attempt])
      if (begun.rowCount !== 1) throw supersededAttempt()
      const { rowCount } = await deleteBatch()
      await client.query('commit')
      if ((rowCount ?? 0) < BATCH) return
    }
  }
}
