import { EXACT_TEXT, openClient } from '../../store/database/connection/open-client.ts'
import type { Database } from '../../store/database/database.ts'

/** A row of `tenant_limits`. */
export interface LimitRow {
  readonly tenant: string
  readonly counted: string
  readonly maximum: number
}

/** The resource of fleets in the table of objects. */
const FLEETS = 'fleets.kplane.dev'

const HAS_TRIGGERS = {
  name: 'has_tenant_limits',
  text: `
    select exists (
      select 1 from pg_trigger where tgname = 'count_added_rows_of_tenants'
        and tgrelid = 'resources'::regclass) as exist`,
}

const APPLY = 'select apply_tenant_limits($1::json, $2::text)'

/**
 * Makes these the limits that the database enforces. The first limits count the rows of all tenants, and
 * writers wait for that, so it uses a session without a timeout.
 */
export async function applyLimits(database: Database, rows: readonly LimitRow[]): Promise<void> {
  if (rows.length === 0) {
    const [found] = await database.execute<{ exist: boolean }>(HAS_TRIGGERS, [])
    if (found?.exist !== true) return
  }
  const { directUrl } = database.connection
  await using client = await openClient(directUrl, { name: 'flotilla limits', options: EXACT_TEXT })
  await client.query(APPLY, [rows.length === 0 ? null : JSON.stringify(rows), FLEETS])
}
