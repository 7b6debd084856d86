import type { ServerResponse } from 'node:http'
import { endAfterBody } from '../requests/end-after-body.ts'
import type { ErrorResponse } from './error-response.ts'

/** Sends an error instead of the response that was being prepared. */
export function writeError(
  response: ServerResponse,
  { status, headers, body, keepsWarnings = false }: Omit<ErrorResponse, 'code' | 'level' | 'error'>,
): void {
  for (const name of response.getHeaderNames()) {
    const isOfSuccess = name === 'etag' || (name === 'warning' && !keepsWarnings)
    if (name.startsWith('content-') || isOfSuccess) response.removeHeader(name)
  }
  const text = JSON.stringify(body)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) })
  endAfterBody(response, text)
}
