import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import type { Target } from './messages.ts'

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** The path of the API; by default, that of the HyperFleet API. */
  readonly base?: string
  /** Relative to the base. */
  readonly path: string
  /** JSON in ASCII. */
  readonly body: string | null
}

export function get(path: string): BenchRequest {
  return { method: 'GET', path, body: null }
}

export function post(path: string, body: string): BenchRequest {
  return { method: 'POST', path, body }
}

/** Returns a function that serializes requests to a server as HTTP/1.1. */
export function requestRenderer({
  origin,
}: Pick<Target, 'origin'>): (request: BenchRequest) => string {
  const common = `Host: ${new URL(origin).host}\r\n`
  return ({ method, base = BASE_PATH, path, body }) => {
    const head = `${method} ${base}${path} HTTP/1.1\r\n${common}`
    if (body === null) return `${head}\r\n`
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
}
