import type { TenantScope } from '../../access/tenant.ts'
import type { Clock } from '../../lib/clock.ts'
import type { StatusContext } from '../../hyperfleet/statuses/operations/status-context.ts'
import { invalid } from '../../lib/errors.ts'
import { boundedSearch } from '../../store/operations/list/bounded-search.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { SharedResults } from '../breakdown/shared-results.ts'
import { readSeries, type SeriesStep } from '../storage/read-series.ts'
import { type SeriesRange, type SeriesWindow, seriesWindow } from './series-window.ts'

const MAX_ADAPTERS = 50
const KEPT_MS = 7 * 86_400_000

/** A question about the past of kinds. */
export interface SeriesQuery {
  readonly tenant: TenantScope
  readonly kinds: readonly RegisteredKind[]
  readonly hasAdapters: boolean
  readonly range: SeriesRange
  /** The end of the range, at the latest now; null for now. */
  readonly to: Date | null
}

/** The recorded steps of a window. Steps without a record are absent. */
export interface TimedSeries {
  readonly window: SeriesWindow
  readonly steps: readonly SeriesStep[]
}

type Context = Pick<StatusContext, 'database' | 'searches' | 'onSearchRejected'>

/** The recorded past of kinds and adapters. All callers with the same question share an answer. */
export class SeriesReader {
  readonly #context: Context
  readonly #clock: Clock
  readonly #shared = new SharedResults<TimedSeries>()

  constructor(context: Context, clock: Clock) {
    this.#context = context
    this.#clock = clock
  }

  read({ tenant, kinds, hasAdapters, range, to }: SeriesQuery): Promise<TimedSeries> {
    const { database } = this.#context
    const names = kinds.map(({ kind }) => kind)
    const now = this.#clock()
    const window = seriesWindow(range, endOf(to, now), now)
    const key = JSON.stringify([tenant, names, hasAdapters, window])
    const scope = { ...window, tenant, kinds: names, hasAdapters, maxAdapters: MAX_ADAPTERS }
    return this.#shared.get(key, () =>
      boundedSearch(this.#context, async () => ({
        window,
        steps: await readSeries(database, scope),
      })),
    )
  }
}

function endOf(to: Date | null, now: Date): Date {
  if (to === null || to > now) return now
  if (now.getTime() - to.getTime() < KEPT_MS) return to
  const message = `to must be within the last 7 days, not ${to.toISOString()}`
  throw invalid([{ field: 'to', message, constraint: 'minimum', value: to.toISOString() }])
}
