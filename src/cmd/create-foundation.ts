import type { Config } from '../config/settings.ts'
import { kinds as builtInKinds } from '../apis/hyperfleet/kinds/index.ts'
import { loadSpecSchemas } from '../apis/hyperfleet/openapi/load.ts'
import { createShardHops } from '../apis/hyperfleet/shards/shard-hop.ts'
import type { Kind } from '../core/registry/kind.ts'
import { createRegistry, type Registry } from '../core/registry/registry.ts'
import { createRateLimits } from '../http/auth/rate-limits.ts'
import { createMetrics } from '../http/observability/metrics.ts'
import { type ClientAddress, createClientAddress } from '../http/auth/client-address.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import { packageVersion } from '../lib/package-version.ts'
import { statusHooks } from '../statuses/conditions/status-hooks.ts'
import type { Foundation, Overrides } from './foundation.ts'
import { createLiveSettings } from './live-settings.ts'
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
  const clientAddress = openClientAddress(config)
  const rateLimits = createRateLimits({
    settings: () => settings.current,
    clientAddress,
    onLimited: metrics.rateLimited,
  })
  const parts = { config, settings, overrides, lifecycle, metrics, tracer, registry }
  return { ...parts, clientAddress, rateLimits }
}

/** Servers of other shards forward requests with the address of their client. */
function openClientAddress({ trustedProxies, shardKey, shardPort }: Config): ClientAddress {
  if (shardKey === null) return createClientAddress(trustedProxies)
  const hops = createShardHops(shardKey, { needsCertificate: shardPort !== null })
  return createClientAddress(trustedProxies, (request) => hops.read(request)?.clientAddress ?? null)
}

async function loadRegistry(config: Config, kinds: readonly Kind[]): Promise<Registry> {
  const specSchemas = await loadSpecSchemas(kinds, config.openapiSchemaPath)
  const { requiredAdapters } = config
  return createRegistry({ kinds, specSchemas, requiredAdapters, statusHooks })
}
