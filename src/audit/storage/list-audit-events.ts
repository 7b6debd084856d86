import sql, { type Sql } from 'sql-template-tag'
import type { JsonValue } from '../../lib/json/json.ts'
import type { TenantScope } from '../../access/tenant.ts'
import type { Database } from '../../store/database/database.ts'

/** The maximum number of bytes of the rows of a page. */
const MAX_PAGE_BYTES = 4_194_304

/** A row of the audit log. */
export interface AuditRow {
  readonly time: Date
  readonly id: string
  readonly level: string
  readonly request_id: string
  readonly user_name: string
  readonly groups: readonly string[]
  readonly impersonated_user: string
  readonly tenant: string
  readonly source_address: string
  readonly user_agent: string
  readonly verb: string
  readonly method: string
  readonly path: string
  readonly route: string
  readonly plane: string
  readonly api_group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly resource_id: string
  readonly status: number
  readonly outcome: string
  readonly code: string
  readonly detail: string
  readonly duration_ms: number
  readonly dropped: number
  readonly dry_run: string
  readonly request: JsonValue
  readonly response: JsonValue
}

/** The position of an event in the log. */
export interface AuditPosition {
  readonly time: Date
  readonly id: string
}

interface AuditQuery {
  /** Null for the events of all tenants. */
  readonly tenant: TenantScope
  /** The condition of a search; null without one. */
  readonly where: Sql | null
  /** Planes whose events are omitted. */
  readonly hiddenPlanes: readonly string[]
  /** Only events before this one; null for the newest ones. */
  readonly before: AuditPosition | null
  readonly limit: number
}

/** A page of the audit log. */
interface StoredEvents {
  /** Newest first. */
  readonly rows: readonly AuditRow[]
  /** Whether the page reached its limit of events or of bytes. */
  readonly hasMore: boolean
}

/** Reads events, newest first. A page has at least one of the events, if there are any. */
export async function listAuditEvents(
  database: Database,
  { tenant, where, hiddenPlanes, before, limit }: AuditQuery,
): Promise<StoredEvents> {
  const scope = tenant === null ? sql`true` : sql`tenant = ${tenant}::text`
  const older =
    before === null
      ? sql`true`
      : sql`(time, id) < (${before.time.toISOString()}::timestamptz, ${before.id}::text)`
  const planes = hiddenPlanes.length === 0 ? sql`true` : sql`plane <> all(${hiddenPlanes}::text[])`
  // One more row shows whether the page is the last one. Stored bodies are compressed.
  const found = await database.query<AuditRow & { readonly found: bigint }>(
    'list_audit_events',
    sql`
      select time, id, level, request_id, user_name, groups, impersonated_user, tenant,
        source_address, user_agent, verb, method, path, route, plane, api_group, resource,
        subresource, namespace, name, resource_id, status, outcome, code, detail, duration_ms,
        dropped, dry_run, request, response, found
      from (
        select *, count(*) over () as found,
          sum(octet_length(newest::text)) over (order by time desc, id desc)
            - octet_length(newest::text) as size_before
        from (
          select * from audit_events
          where ${scope} and ${planes} and ${older} and ${where ?? sql`true`}
          order by time desc, id desc
          limit ${limit}::integer + 1
        ) as newest
      ) as sized
      where size_before < ${MAX_PAGE_BYTES}::bigint
      order by time desc, id desc`,
  )
  const rows = found.slice(0, limit).map((row) => {
    const { found: _, ...event } = row
    return event
  })
  return { rows, hasMore: rows.length < Number(found[0]?.found ?? 0) }
}
