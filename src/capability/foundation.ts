import type { Logger } from 'pino'
import type { ClientAddress } from '../http/auth/client-address.ts'
import type { RateLimits } from '../http/auth/rate-limits.ts'
import type { Admission } from '../http/fairness/admission.ts'
import type { BrowserCheck } from '../http/browsers/browser-access.ts'
import type { CertificateSource } from '../http/server/tls/certificate-source.ts'
import type { Metrics } from '../http/observability/metrics.ts'
import type { Readiness } from './readiness.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { Clock } from '../lib/clock.ts'
import type { Tracer } from '../lib/tracing/span.ts'
import type { MicrosecondSwitch } from '../store/operations/servers/microsecond-switch.ts'
import type { Registry } from '../store/registry/registry.ts'
import type { FoundationConfig } from './foundation-settings.ts'
import type { ForwardedRequests } from './forwarded-requests.ts'
import type { LiveSettings } from './live-settings.ts'

/** The parts that exist before the database is opened. */
export interface Foundation<Values = object> {
  readonly config: FoundationConfig & Values
  readonly settings: LiveSettings<FoundationConfig & Values>
  readonly log: Logger
  readonly clock: Clock
  /** That of the API; null if it is served over plain HTTP. */
  readonly certificate: CertificateSource | null
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
  readonly lifecycle: Lifecycle
  readonly metrics: Metrics
  /** Null if the server does not trace. */
  readonly tracer: Tracer | null
  readonly forwarded: ForwardedRequests
  readonly clientAddress: ClientAddress
  readonly rateLimits: RateLimits
  readonly admission: Admission
  readonly browserCheck: BrowserCheck
  readonly registry: Registry
  readonly times: MicrosecondSwitch
  readonly readiness: Readiness
}
