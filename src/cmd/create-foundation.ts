import type { Capability } from '../capability/capability.ts'
import { type Verb, VERBS } from '../store/registry/verb.ts'
import { CAPABILITIES } from './capabilities.ts'
import type { Config } from './config.ts'
import { kinds as builtInKinds } from '../hyperfleet/kinds/index.ts'
import { loadSpecSchemas } from '../hyperfleet/openapi/load.ts'
import { createMicrosecondSwitch } from '../store/operations/servers/microsecond-switch.ts'
import type { Kind } from '../store/registry/kind.ts'
import { createRegistry, type Registry } from '../store/registry/registry.ts'
import { createRateLimits } from '../http/auth/rate-limits.ts'
import { createAdmission } from '../http/fairness/admission.ts'
import { exposeSeats } from '../http/fairness/seat-metrics.ts'
import { Seats } from '../http/fairness/seats.ts'
import { createBusyCheck } from '../http/fairness/busy-check.ts'
import { createBrowserCheck } from '../http/browsers/browser-access.ts'
import { createMetrics } from '../http/observability/metrics.ts'
import { createClientAddress } from '../http/auth/client-address.ts'
import { clockInUnit, systemClock } from '../lib/clock.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import { packageVersion } from '../lib/package-version.ts'
import { statusHooks } from '../hyperfleet/statuses/conditions/status-hooks.ts'
import { createForwardedRequests } from '../capability/forwarded-requests.ts'
import type { Foundation } from '../capability/foundation.ts'
import { createLiveSettings } from '../capability/live-settings.ts'
import { createReadiness } from '../capability/readiness.ts'
import { isOpenToAll } from '../http/auth/open-authenticator.ts'
import type { Overrides } from './overrides.ts'
import { openCertificate } from './open-certificate.ts'
import { openTracer } from './open-tracer.ts'
import { BASE_PATH } from '../hyperfleet/paths/base-path.ts'

const NEVER_ABORTED = new AbortController().signal

/** Creates the parts that exist before the database is opened. */
export async function createFoundation(
  config: Config,
  overrides: Overrides,
  lifecycle: Lifecycle,
): Promise<Foundation<Config>> {
  const { log, signal = NEVER_ABORTED } = overrides
  // Invalid declarations fail before anything is started.
  const registry = await loadRegistry(config, kindsOf(overrides))
  const metrics = createMetrics()
  metrics.exposeBuild({ version: packageVersion(), revision: config.revision })
  metrics.exposeLostLogLines(overrides.lostLogLines ?? (() => 0))
  const tracer = await openTracer(config, { log, onSpans: metrics.spansExported })
  if (tracer !== null) lifecycle.onClose('tracer', () => tracer[Symbol.asyncDispose]())
  const certificate = await openCertificate(config, log)
  if (certificate !== null) lifecycle.onClose('certificate', () => certificate[Symbol.dispose]())
  const settings = createLiveSettings(config)
  settings.onReload((next) => () => {
    log.level = next.logLevel
  })
  const forwarded = createForwardedRequests()
  const clientAddress = createClientAddress(
    config.trustedProxies,
    (request) => forwarded.read(request)?.clientAddress ?? null,
  )
  const browserCheck = createBrowserCheck({
    isOpen: isOpenToAll(config),
    settings: () => settings.current,
    isForwarded: (request) => forwarded.read(request) !== null,
  })
  const rateLimits = createRateLimits({
    settings: () => settings.current,
    clientAddress,
    onLimited: metrics.rateLimited,
  })
  const seats = new Seats({ now: () => performance.now(), wasBusy: createBusyCheck() })
  exposeSeats(metrics.registry, seats)
  const admission = createAdmission({
    rateLimits,
    seats,
    clientAddress,
    exempt: () => settings.current.rateLimitExempt,
  })
  const times = createMicrosecondSwitch(log)
  const clock = clockInUnit(overrides.clock ?? systemClock, times.unit)
  const started = { config, settings, log, clock, signal, lifecycle, metrics, tracer }
  const requests = { forwarded, clientAddress, rateLimits, admission, browserCheck }
  const readiness = createReadiness()
  return { ...started, ...requests, certificate, registry, times, readiness }
}

/** The kinds, without verbs that no capability of this server implements. */
function kindsOf({
  kinds = builtInKinds,
  capabilities = CAPABILITIES,
}: Overrides): readonly Kind[] {
  const missing = CAPABILITIES.filter((each) => !capabilities.includes(each)).flatMap(verbsOf)
  if (missing.length === 0) return kinds
  return kinds.map(({ verbs = VERBS, ...kind }) => {
    return { ...kind, verbs: verbs.filter((verb) => !missing.includes(verb)) }
  })
}

const verbsOf = ({ verbs = [] }: Capability): readonly Verb[] => verbs

/** Checks the kinds and loads their schemas. */
export async function loadRegistry(
  config: Pick<Config, 'openapiSchemaPath' | 'requiredAdapters'>,
  kinds: readonly Kind[],
): Promise<Registry> {
  const specSchemas = await loadSpecSchemas(kinds, config.openapiSchemaPath)
  const { requiredAdapters } = config
  return createRegistry({ hrefBase: BASE_PATH, kinds, specSchemas, requiredAdapters, statusHooks })
}
