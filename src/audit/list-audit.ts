import type { TenantScope } from '../access/tenant.ts'
import { bind } from '../store/search/bind/bind.ts'
import { parseSearch } from '../store/operations/list/parse-search.ts'
import { compile } from '../store/search/sql/compile.ts'
import { AUDIT_FIELDS } from './storage/audit-fields.ts'
import { type AuditPosition, type AuditRow, listAuditEvents } from './storage/list-audit-events.ts'
import type { Context } from '../store/operations/context.ts'
import { boundedSearch } from '../store/operations/list/bounded-search.ts'

/** Whether the events of a plane are visible. */
export type PlaneFilter = (plane: string) => Promise<boolean>

interface AuditSearch {
  /** Null for the events of all tenants. */
  readonly tenant: TenantScope
  /** Null for the events of all planes. */
  readonly isVisible: PlaneFilter | null
  /** A search in TSL; empty for all events. */
  readonly search: string
  /** The end of the previous page; null for the newest events. */
  readonly before: AuditPosition | null
  readonly limit: number
}

interface AuditPage {
  readonly events: readonly AuditRow[]
  /** Null on the last page. It is a visible event, unless MAX_ROUNDS rounds have found none. */
  readonly next: AuditPosition | null
}

/** Each round excludes the planes that earlier ones found to be invisible. */
const MAX_ROUNDS = 32

/** Lists events of the audit log, newest first. Throws `invalid-search` for an invalid search. */
export async function listAudit(
  context: Context,
  { tenant, isVisible, search, before, limit }: AuditSearch,
): Promise<AuditPage> {
  const expression = parseSearch(search === '' ? [] : [search])
  const where = expression && compile(bind(expression, AUDIT_FIELDS))
  const planes = visibility(isVisible)
  const events: AuditRow[] = []
  let position = before
  for (let round = 1; ; round += 1) {
    const query = { tenant, where, before: position, hiddenPlanes: [...planes.hidden] }
    const wanted = limit - events.length
    const { rows, hasMore } = await boundedSearch(context, () =>
      listAuditEvents(context.database, { ...query, limit: wanted }),
    )
    const visible = await planes.select(rows)
    events.push(...visible)
    const last = rows.at(-1)
    if (!last || !hasMore) return { events, next: null }
    // A page that reached its limit of bytes has fewer rows than wanted.
    const isFull = visible.length === rows.length || rows.length < wanted
    const lastVisible = events.at(-1)
    if (lastVisible && (isFull || round >= MAX_ROUNDS)) {
      return { events, next: positionOf(lastVisible) }
    }
    position = positionOf(last)
    if (round === MAX_ROUNDS) return { events, next: position }
  }
}

function positionOf({ time, id }: AuditRow): AuditPosition {
  return { time, id }
}

/** Remembers the decisions about planes. Events of the HyperFleet API have no plane. */
function visibility(isVisible: PlaneFilter | null) {
  const hidden = new Set<string>()
  const shown = new Set([''])
  return {
    hidden,
    select: async (rows: readonly AuditRow[]): Promise<readonly AuditRow[]> => {
      if (isVisible === null) return rows
      for (const { plane } of rows) {
        if (shown.has(plane) || hidden.has(plane)) continue
        const set = (await isVisible(plane)) ? shown : hidden
        set.add(plane)
      }
      return rows.filter(({ plane }) => shown.has(plane))
    },
  }
}
