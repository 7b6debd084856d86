import type { Database } from '../database/database.ts'
import { IS_SHOWN, LOGGED_COLUMNS, type LoggedChange } from './logged-change.ts'

/** The number of revisions that are searched, so that quiet tenants cost as much as busy ones. */
const MAX_REVISIONS = 5000

const READ_RECENT_CHANGES = {
  name: 'read_recent_changes',
  text: `
    select ${LOGGED_COLUMNS}
    from changes left join resources
      on changes.kind is null and resources.id = changes.resource_id
    where changes.revision > $1::bigint - ${MAX_REVISIONS} and changes.revision <= $1::bigint
      and ($2::text is null or coalesce(resources.tenant, changes.tenant) = $2::text)
      and coalesce(changes.kind, resources.kind) = any($3::text[])
      and ${IS_SHOWN}
    order by changes.revision desc limit $4::integer`,
}

interface Query {
  /** The newest revision to read. */
  readonly revision: bigint
  /** Null for all tenants. */
  readonly tenant: string | null
  readonly kinds: readonly string[]
  readonly limit: number
}

/** Reads the newest changes up to a revision, newest first. */
export async function readRecentChanges(
  database: Database,
  { revision, tenant, kinds, limit }: Query,
): Promise<readonly LoggedChange[]> {
  const values = [revision, tenant, [...kinds], limit]
  return database.execute<LoggedChange>(READ_RECENT_CHANGES, values)
}
