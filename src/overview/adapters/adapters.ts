import type { TenantScope } from '../../access/tenant.ts'
import type { QueueScope, QueueState } from '../../adapter-work/storage/read-queues.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Database } from '../../store/database/database.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { BreakdownField } from '../breakdown/breakdown-field.ts'
import type { Breakdowns } from '../breakdown/breakdowns.ts'
import { SharedResults } from '../breakdown/shared-results.ts'
import { type AdapterReports, readReports } from '../storage/read-reports.ts'
import { type AdapterSummary, summarizeAdapters } from './adapter-summary.ts'

const CAUSE: readonly BreakdownField[] = [{ type: 'adapter' }, { type: 'reason' }]
/** The most rows of adapter and reason, and the most adapters. */
const MAX_ROWS = 200

interface Options {
  readonly database: Database
  readonly breakdowns: Breakdowns
  readonly readQueues: (scope: QueueScope) => Promise<readonly QueueState[]>
  readonly clock: Clock
}

interface AdapterQuery {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
}

/** The adapters of a kind at a time. */
export interface TimedAdapters {
  /** When the resources that are not ready were counted. */
  readonly time: Date
  readonly items: readonly AdapterSummary[]
  /** Whether all adapters and reasons are shown, and the counts are exact. */
  readonly isComplete: boolean
}

interface Activity {
  readonly reports: readonly AdapterReports[]
  readonly queues: readonly QueueState[]
}

/** The work of the adapters of a kind. All callers of a tenant share the parts of an answer. */
export class Adapters {
  readonly #options: Options
  readonly #activities = new SharedResults<Activity>()

  constructor(options: Options) {
    this.#options = options
  }

  async read({ kind, tenant }: AdapterQuery): Promise<TimedAdapters> {
    const { breakdowns, clock } = this.#options
    const [broken, activity] = await Promise.all([
      breakdowns.read({ kind, tenant, search: [], fields: CAUSE, limit: MAX_ROWS }),
      this.#activities.get(JSON.stringify([tenant, kind.kind]), () =>
        this.#activityOf({ kind, tenant }),
      ),
    ])
    const { time, rows, isComplete, other } = broken
    const items = summarizeAdapters({
      ...activity,
      required: kind.requiredAdapters,
      rows,
      now: clock(),
    })
    return {
      time,
      items: items.slice(0, MAX_ROWS),
      isComplete: isComplete && other.rows === 0 && items.length <= MAX_ROWS,
    }
  }

  async #activityOf({ kind: { kind, requiredAdapters }, tenant }: AdapterQuery): Promise<Activity> {
    const { database, readQueues, clock } = this.#options
    const required = requiredAdapters
    const limit = MAX_ROWS + 1
    const [reports, queues] = await Promise.all([
      readReports(database, { kind, tenant, required, now: clock(), limit }),
      readQueues({ kind, tenant }),
    ])
    return { reports, queues }
  }
}
