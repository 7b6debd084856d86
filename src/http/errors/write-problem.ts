import type { ServerResponse } from 'node:http'
import { endAfterBody } from '../server/end-after-body.ts'

interface Written {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** Headers of an answer that the problem replaces. */
const PREPARED: ReadonlySet<string> = new Set(['etag', 'warning'])

/** Writes the problem as the answer, in place of whatever had been prepared. */
export function writeProblem(response: ServerResponse, { status, headers, body }: Written): void {
  for (const name of response.getHeaderNames()) {
    if (name.startsWith('content-') || PREPARED.has(name)) response.removeHeader(name)
  }
  const text = JSON.stringify(body)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) })
  endAfterBody(response, text)
}
