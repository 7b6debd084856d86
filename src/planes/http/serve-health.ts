import type { Request, Response } from 'express'
import { type HealthCheck, probePathOf, runProbe } from '../../http/observability/health-probe.ts'
import { methodNotSupported } from '../errors/failures.ts'

interface Probe {
  readonly request: Request
  readonly response: Response
  readonly path: string
}

/** Serves `/livez`, `/readyz`, `/healthz` and their named checks. False for other paths. */
export async function serveHealth(
  checks: readonly HealthCheck[],
  { request, response, path }: Probe,
): Promise<boolean> {
  const at = probePathOf(path, checks)
  if (at === null) return false
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.set('Allow', 'GET, HEAD')
    throw methodNotSupported({ group: '', plural: path }, request.method)
  }
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  const { isOk, report } = await runProbe(checks, at, query)
  const text = isOk && !query.has('verbose') ? 'ok' : report
  response
    .status(isOk ? 200 : 503)
    .type('text/plain')
    .set('X-Content-Type-Options', 'nosniff')
  response.set('Content-Length', String(Buffer.byteLength(text))).end(text)
  return true
}
