import type { TenantScope } from '../../model/tenant.ts'
import { bind } from '../../search/bind/bind.ts'
import { parseSearch } from '../list/parse-search.ts'
import { compile } from '../../search/sql/compile.ts'
import { AUDIT_FIELDS } from '../../storage/audit/audit-fields.ts'
import {
  type AuditPosition,
  type AuditRow,
  listAuditEvents,
} from '../../storage/audit/list-audit-events.ts'
import type { Context } from '../context.ts'
import { boundedSearch } from '../list/bounded-search.ts'

interface AuditSearch {
  /** Null for the events of all tenants. */
  readonly tenant: TenantScope
  /** A search in TSL; empty for all events. */
  readonly search: string
  /** The end of the previous page; null for the newest events. */
  readonly before: AuditPosition | null
  readonly limit: number
}

interface AuditPage {
  readonly events: readonly AuditRow[]
  /** Null on the last page. */
  readonly next: AuditPosition | null
}

/** Lists events of the audit log, newest first. Throws `invalid-search` for an invalid search. */
export async function listAudit(
  context: Context,
  { tenant, search, before, limit }: AuditSearch,
): Promise<AuditPage> {
  const expression = parseSearch(search === '' ? [] : [search])
  const where = expression && compile(bind(expression, AUDIT_FIELDS))
  const query = { tenant, where, before, limit }
  const { rows: events, hasMore } = await boundedSearch(context, () =>
    listAuditEvents(context.database, query),
  )
  const last = events.at(-1)
  return { events, next: last && hasMore ? { time: last.time, id: last.id } : null }
}
