import type { Clock } from '../../lib/clock.ts'
import type { StatusContext } from '../../hyperfleet/statuses/operations/status-context.ts'
import { readTotal } from '../../store/resources/list/resource-total.ts'
import { boundedSearch } from '../../store/operations/list/bounded-search.ts'
import { parseSearch } from '../../store/operations/list/parse-search.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { bind } from '../../store/search/bind/bind.ts'
import { fieldsOf } from '../../store/search/bind/fields.ts'
import { compile } from '../../store/search/sql/compile.ts'
import type { TenantScope } from '../../access/tenant.ts'
import { conditionType } from '../../hyperfleet/statuses/conditions/condition-type.ts'
import { type BreakdownScope, groupNotReady, readGroupTotals } from '../storage/break-down.ts'
import { type PrecedingChange, readPrecedingChanges } from '../storage/read-preceding-changes.ts'
import type { BreakdownField } from './breakdown-field.ts'
import type { Breakdown } from './breakdown-row.ts'
import { SharedResults } from './shared-results.ts'

/** A question about the not-ready resources of a kind. */
export interface BreakdownQuery {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
  /** TSL texts that a resource must all match. */
  readonly search: readonly string[]
  readonly fields: readonly BreakdownField[]
  readonly limit: number
}

/** A breakdown at a time, with the last change of each row's example before it was not ready. */
export interface TimedBreakdown extends Breakdown {
  readonly time: Date
  readonly changes: ReadonlyMap<string, PrecedingChange>
}

type Context = Pick<StatusContext, 'database' | 'searches' | 'onSearchRejected'>

/** Breakdowns, which all callers with the same question share. */
export class Breakdowns {
  readonly #context: Context
  readonly #clock: Clock
  readonly #shared = new SharedResults<TimedBreakdown>()

  constructor(context: Context, clock: Clock) {
    this.#context = context
    this.#clock = clock
  }

  /** Groups the not-ready resources of a kind. Throws `invalid-search` for a search with an error. */
  read(query: BreakdownQuery): Promise<TimedBreakdown> {
    const { kind, tenant, search, fields, limit } = query
    const expression = parseSearch(search)
    const filter = expression === null ? null : compile(bind(expression, fieldsOf(kind)))
    const place = { tenant, kind: kind.kind, filter }
    const key = JSON.stringify([tenant, kind.kind, search, fields, limit])
    return this.#shared.get(key, () =>
      boundedSearch(this.#context, () => this.#compute(query, place)),
    )
  }

  async #compute(
    { kind, fields, limit }: BreakdownQuery,
    place: BreakdownScope,
  ): Promise<TimedBreakdown> {
    const { database } = this.#context
    const now = this.#clock()
    const adapters = kind.requiredAdapters.map((adapter) => ({
      adapter,
      type: conditionType(adapter),
    }))
    const grouped = await groupNotReady(database, place, { fields, adapters, limit, now })
    const { notReady, failing, isComplete, rows, groups, sum } = grouped
    const { total, totalOf } = await this.#totals(place, fields, rows)
    const shown = rows.map((row) => ({ ...row, total: totalOf(row.values) }))
    const wanted = rows.flatMap(({ example: id, newest }) => {
      const time = new Date(newest)
      return Number.isNaN(time.getTime()) ? [] : [{ id, time }]
    })
    const changes = await readPrecedingChanges(database, wanted)
    return {
      time: now,
      total,
      notReady,
      failing,
      isComplete,
      rows: shown,
      other: {
        rows: groups - rows.length,
        count: sum - rows.reduce((counted, { count }) => counted + count, 0),
      },
      changes: new Map(changes.map((change) => [change.resource_id, change])),
    }
  }

  /** The number of all resources, and of those with the values of a row. */
  async #totals(
    place: BreakdownScope,
    fields: readonly BreakdownField[],
    rows: readonly { readonly values: readonly (string | null)[] }[],
  ): Promise<{
    readonly total: number | null
    readonly totalOf: (values: readonly (string | null)[]) => number | null
  }> {
    const { database } = this.#context
    const { tenant, kind, filter } = place
    const isGrouped = fields.some(({ type }) => type === 'label' || type === 'spec')
    const all =
      filter === null
        ? await readTotal(database, { kinds: [kind], ownerId: null, tenant })
        : ((await readGroupTotals(database, place, { fields: [], groups: [[]] }))?.get('[]') ??
          null)
    if (!isGrouped || rows.length === 0) return { total: all, totalOf: () => all }
    const groups = rows.map(({ values }) => values)
    const totals = await readGroupTotals(database, place, { fields, groups })
    return { total: all, totalOf: (values) => totals?.get(JSON.stringify(values)) ?? null }
  }
}
