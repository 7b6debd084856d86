import type { ServerResponse } from 'node:http'
import { endAfterBody } from '../requests/end-after-body.ts'
import type { ErrorResponse } from './error-response.ts'

/** Headers of the successful response that must not be sent with an error. */
const SUCCESS_HEADERS: ReadonlySet<string> = new Set(['etag', 'warning'])

/** Sends an error instead of the response that was being prepared. */
export function writeError(
  response: ServerResponse,
  { status, headers, body }: Pick<ErrorResponse, 'status' | 'headers' | 'body'>,
): void {
  for (const name of response.getHeaderNames()) {
    if (name.startsWith('content-') || SUCCESS_HEADERS.has(name)) response.removeHeader(name)
  }
  const text = JSON.stringify(body)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) })
  endAfterBody(response, text)
}
