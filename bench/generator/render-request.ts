import { BASE_PATH } from '../../src/apis/hyperfleet/base-path.ts'
import type { Target } from './messages.ts'
import type { BenchRequest } from './request-source.ts'

/** Writes requests to one server as the bytes that go out. All text is ASCII. */
export function requestRenderer({
  origin,
  headers,
}: Pick<Target, 'origin' | 'headers'>): (request: BenchRequest) => string {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const common = `Host: ${new URL(origin).host}\r\n${more.join('')}`
  return ({ method, path, body }) => {
    const line = `${method} ${BASE_PATH}${path} HTTP/1.1\r\n${common}`
    if (body === null) return `${line}\r\n`
    return `${line}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
}
