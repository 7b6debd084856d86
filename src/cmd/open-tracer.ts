import { hostname } from 'node:os'
import type { Config } from './config.ts'
import { packageVersion } from '../lib/package-version.ts'
import type { Log } from '../lib/log/log.ts'
import { createRateLimiter } from '../lib/rate-limiter.ts'
import type { Tracer } from '../lib/tracing/span.ts'

interface Observers {
  readonly log: Log
  /** Counts spans. */
  readonly onSpans: (result: 'exported' | 'failed', count: number) => void
}

/** A collector that is down fails every few seconds. */
const WARNINGS = { perSecond: 1 / 60, burst: 1 }
const PATH = 'v1/traces'

/** The tracer that the settings describe; null if the server does not trace. */
export async function openTracer(
  config: Config,
  { log, onSpans }: Observers,
): Promise<Tracer | null> {
  if (config.otlpEndpoint === null) return null
  const url = `${config.otlpEndpoint.replace(/\/$/, '')}/${PATH}`
  const warnings = createRateLimiter({ maxKeys: 1 })
  // Servers that do not trace never load OpenTelemetry.
  const { createTracer } = await import('../telemetry/create-tracer.ts')
  log.info({ endpoint: url, sampler: config.otelTracesSampler }, 'tracing')
  return createTracer({
    url,
    protocol: config.otlpProtocol,
    headers: config.otlpHeaders,
    timeoutMs: config.otlpTimeoutMs,
    sampler: config.otelTracesSampler,
    samplerRatio: config.otelTracesSamplerArg,
    resource: resourceOf(config),
    onExport: (spans, error) => {
      onSpans(error === null ? 'exported' : 'failed', spans)
      if (error === null || warnings.take('', WARNINGS) > 0) return
      log.warn({ err: error, endpoint: url, spans }, 'traces cannot be exported')
    },
  })
}

function resourceOf(config: Config): Readonly<Record<string, string>> {
  return {
    'service.version': packageVersion(),
    'service.instance.id': `${hostname()}:${process.pid}`,
    ...config.otelResourceAttributes,
    'service.name': config.otelServiceName,
  }
}
