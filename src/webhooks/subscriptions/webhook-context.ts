import type { Clock } from '../../lib/clock.ts'
import type { Registry } from '../../store/registry/registry.ts'
import type { Database } from '../../store/database/database.ts'
import type { WebhookSeals } from './seal.ts'

/** The dependencies of the operations on webhooks. */
export interface WebhookContext extends WebhookSeals {
  readonly database: Database
  readonly registry: Registry
  readonly clock: Clock
  /** Whether a live server has another configuration, or another version. */
  readonly hasOtherConfiguration: () => Promise<boolean>
  /** Throws an error with a message for callers unless events may be sent to the URL. */
  readonly requireUrl: (url: URL) => void
  /** The time for which a server takes a delivery. */
  readonly leaseSeconds: number
  /** The maximum number of webhooks of a tenant. */
  readonly limit: number
  /** Called after a change of webhooks or deliveries, so that this process acts immediately. */
  readonly notify: () => void
}
