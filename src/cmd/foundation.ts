import type { Logger } from 'pino'
import type { AppOptions } from '../hyperfleet/routes/app-options.ts'
import type { Config } from './settings.ts'
import type { Kind } from '../store/registry/kind.ts'
import type { MicrosecondSwitch } from '../store/operations/servers/microsecond-switch.ts'
import type { Registry } from '../store/registry/registry.ts'
import type { ClientAddress } from '../http/auth/client-address.ts'
import type { BrowserCheck } from '../http/browsers/browser-access.ts'
import type { Metrics } from '../http/observability/metrics.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { RateLimits } from '../http/auth/rate-limits.ts'
import type { Clock } from '../lib/clock.ts'
import type { Tracer } from '../lib/tracing/span.ts'
import type { LiveSettings } from './live-settings.ts'

/** The environment of a server, and the parts that tests and embedding programs replace. */
export interface Overrides {
  readonly log: Logger
  /** The number of lost log lines. */
  readonly lostLogLines?: () => number
  readonly clock?: Clock
  readonly kinds?: readonly Kind[]
  /** The handlers of the kinds' subresources. */
  readonly subresources?: AppOptions['subresources']
  /** Ends the wait for an unreachable database. */
  readonly signal?: AbortSignal
  /** Called if the embedded database server ends unexpectedly. */
  readonly onDatabaseExit?: () => void
}

/** The parts that exist before the database is opened. */
export interface Foundation {
  readonly config: Config
  readonly settings: LiveSettings
  readonly overrides: Overrides
  readonly lifecycle: Lifecycle
  readonly metrics: Metrics
  /** Null if the server does not trace. */
  readonly tracer: Tracer | null
  readonly clientAddress: ClientAddress
  readonly rateLimits: RateLimits
  readonly browserCheck: BrowserCheck
  readonly registry: Registry
  readonly times: MicrosecondSwitch
}
