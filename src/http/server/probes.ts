import type { IncomingMessage, Server } from 'node:http'
import type { Registry } from 'prom-client'
import type { RenderError } from '../errors/error-response.ts'
import { type CreatePage, createBareServer } from './bare-server.ts'
import { type HealthCheck, probePathOf, runProbe } from '../observability/health-probe.ts'
import { metricsText } from '../observability/process-metrics.ts'

interface Readiness {
  readonly checks: readonly HealthCheck[]
  /** Whether the server can handle requests, and the result of each check. */
  ready(): Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, string>> }>
}

const JSON_TYPE = 'application/json'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/**
 * `/healthz` and `/livez` are 200 as long as the process responds; `/readyz` is 503 while requests
 * would fail. Without parameters, the page is JSON; otherwise the text that the port of the API sends.
 */
export function createHealthServer(readiness: Readiness, renderError: RenderError): Server {
  const health = async () => ({ status: 200, contentType: JSON_TYPE, text: '{"status":"ok"}' })
  const readyPage = async () => {
    const { ok, checks } = await readiness.ready()
    const text = JSON.stringify({ status: ok ? 'ready' : 'not ready', checks })
    return { status: ok ? 200 : 503, contentType: JSON_TYPE, text }
  }
  const pageOf = (path: string): CreatePage | undefined => {
    const { checks } = readiness
    const at = probePathOf(path, checks)
    if (at === null) return undefined
    return async (query) => {
      const isPlain = at.check === null && !query.has('verbose') && !query.has('exclude')
      if (isPlain) return at.probe === 'readyz' ? readyPage() : health()
      const { isOk, report } = await runProbe(checks, at, query)
      const text = isOk && !query.has('verbose') ? 'ok' : report
      return { status: isOk ? 200 : 503, contentType: TEXT_TYPE, text }
    }
  }
  return createBareServer({ get: pageOf }, { renderError })
}

/** Serves `/metrics` in the format of Prometheus, to requests that pass the check. */
export function createMetricsServer(
  registry: Pick<Registry, 'contentType' | 'metrics'>,
  renderError: RenderError,
  check: (request: IncomingMessage) => unknown = () => undefined,
): Server {
  const metrics = async () => ({
    status: 200,
    contentType: registry.contentType,
    text: await metricsText(registry),
  })
  return createBareServer(new Map([['/metrics', metrics]]), { renderError, check })
}
