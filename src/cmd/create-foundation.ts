import type { Config } from './settings.ts'
import { kinds as builtInKinds } from '../hyperfleet/kinds/index.ts'
import { loadSpecSchemas } from '../hyperfleet/openapi/load.ts'
import { createShardHops } from '../shards/http/shard-hop.ts'
import { createMicrosecondSwitch } from '../store/operations/servers/microsecond-switch.ts'
import type { Kind } from '../store/registry/kind.ts'
import { createRegistry, type Registry } from '../store/registry/registry.ts'
import { createRateLimits } from '../http/auth/rate-limits.ts'
import { createBrowserCheck } from '../http/browsers/browser-access.ts'
import { createMetrics } from '../http/observability/metrics.ts'
import { createClientAddress } from '../http/auth/client-address.ts'
import { clockInUnit, systemClock } from '../lib/clock.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import { packageVersion } from '../lib/package-version.ts'
import { statusHooks } from '../hyperfleet/statuses/conditions/status-hooks.ts'
import type { Foundation, Overrides } from './foundation.ts'
import { createLiveSettings } from './live-settings.ts'
import { isOpenToAll } from './open-authenticator.ts'
import { openTracer } from './open-tracer.ts'

/** Creates the parts that exist before the database is opened. */
export async function createFoundation(
  config: Config,
  overrides: Overrides,
  lifecycle: Lifecycle,
): Promise<Foundation> {
  const { log } = overrides
  // Invalid declarations fail before anything is started.
  const registry = await loadRegistry(config, overrides.kinds ?? builtInKinds)
  const metrics = createMetrics()
  metrics.exposeBuild({ version: packageVersion(), revision: config.revision })
  metrics.exposeLostLogLines(overrides.lostLogLines ?? (() => 0))
  const tracer = await openTracer(config, { log, onSpans: metrics.spansExported })
  if (tracer !== null) lifecycle.onClose('tracer', () => tracer[Symbol.asyncDispose]())
  const settings = createLiveSettings(config)
  settings.onReload((next) => () => {
    log.level = next.logLevel
  })
  const { shardKey, shardPort } = config
  const needsCertificate = shardPort !== null
  const hops = shardKey === null ? null : createShardHops(shardKey, { needsCertificate })
  // Servers of other shards forward requests with the address of their client.
  const clientAddress = createClientAddress(
    config.trustedProxies,
    (request) => hops?.read(request)?.clientAddress ?? null,
  )
  const browserCheck = createBrowserCheck({
    isOpen: isOpenToAll(config),
    settings: () => settings.current,
    isForwarded: (request) => (hops?.read(request) ?? null) !== null,
  })
  const rateLimits = createRateLimits({
    settings: () => settings.current,
    clientAddress,
    onLimited: metrics.rateLimited,
  })
  const times = createMicrosecondSwitch(log)
  const clock = clockInUnit(overrides.clock ?? systemClock, times.unit)
  const replaced = { ...overrides, clock }
  const parts = {
    config,
    settings,
    overrides: replaced,
    lifecycle,
    metrics,
    tracer,
    registry,
    times,
  }
  return { ...parts, clientAddress, rateLimits, browserCheck }
}

async function loadRegistry(config: Config, kinds: readonly Kind[]): Promise<Registry> {
  const specSchemas = await loadSpecSchemas(kinds, config.openapiSchemaPath)
  const { requiredAdapters } = config
  return createRegistry({ kinds, specSchemas, requiredAdapters, statusHooks })
}
