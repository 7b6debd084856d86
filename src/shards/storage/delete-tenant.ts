import pg from 'pg'
import { tenantCondition } from './copy-tenant.ts'
import { supersededAttempt } from './move-error.ts'
import { openMoveClient } from './open-move-client.ts'
import type { Attempt } from './tenant-states.ts'
import { TENANT_TABLES } from './tenant-tables.ts'

const BATCH = 1000
/** Their rows go with the resources, or with the planes after them. */
const FOLLOWING: ReadonlySet<string> = new Set([
  'resources',
  'adapter_statuses',
  'members',
  'planes',
])

const PLANES = `
  select plane from planes join resources on resources.id = planes.plane where tenant = $1::text`

const CHANGE_DEFINITIONS = 'update webhook_cursor set definitions = definitions + 1'

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
  { tenant, attempt }: Attempt,
): Promise<readonly string[]> {
  await using client = await openMoveClient(url, tenant)
  const { rows } = await client.query<{ plane: string }>(PLANES, [tenant])
  for (const table of TENANT_TABLES) {
    if (FOLLOWING.has(table.table)) continue
    const name = pg.escapeIdentifier(table.table)
    await inBatches(async () => {
      // Servers must not queue events for webhooks that are gone.
      if (table.table === 'webhooks') await client.query(CHANGE_DEFINITIONS)
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
