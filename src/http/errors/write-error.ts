import type { ServerResponse } from 'node:http'
import { endAfterBody } from '../requests/end-after-body.ts'
import type { ErrorResponse } from './error-response.ts'

/** Headers of the intended response that do not belong to an error. */
const PREPARED: ReadonlySet<string> = new Set(['etag', 'warning'])

/** Writes an error in place of the response that was being prepared. */
export function writeError(
  response: ServerResponse,
  { status, headers, body }: Pick<ErrorResponse, 'status' | 'headers' | 'body'>,
): void {
  for (const name of response.getHeaderNames()) {
    if (name.startsWith('content-') || PREPARED.has(name)) response.removeHeader(name)
  }
  const text = JSON.stringify(body)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) })
  endAfterBody(response, text)
}
