import type { IncomingMessage, Server } from 'node:http'
import type { Registry } from 'prom-client'
import type { RenderError } from '../errors/error-response.ts'
import { createBareServer } from './bare-server.ts'
import { metricsText } from '../observability/process-metrics.ts'

interface Readiness {
  /** Whether the server can handle requests, and the result of each check. */
  ready(): Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, string>> }>
}

const JSON_TYPE = 'application/json'

/** `/healthz` is 200 as long as the process responds; `/readyz` is 503 while requests would fail. */
export function createHealthServer(readiness: Readiness, renderError: RenderError): Server {
  const health = async () => ({ status: 200, contentType: JSON_TYPE, text: '{"status":"ok"}' })
  const readyPage = async () => {
    const { ok, checks } = await readiness.ready()
    const text = JSON.stringify({ status: ok ? 'ready' : 'not ready', checks })
    return { status: ok ? 200 : 503, contentType: JSON_TYPE, text }
  }
  return createBareServer(
    new Map([
      ['/healthz', health],
      ['/readyz', readyPage],
    ]),
    { renderError },
  )
}

/** Serves `/metrics` in the format of Prometheus, to requests that pass the check. */
export function createMetricsServer(
  registry: Registry,
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
