import type { Response } from 'express'
import { jsonText } from '../../lib/json/json-text.ts'
import { sendJsonBody } from './send-json-body.ts'

/**
 * Sends JSON like Express' `response.json`, with two differences: integers keep all digits, and the
 * response is never 304. Express responds with 304 to every GET with `If-None-Match: *`.
 */
export function sendJson<R extends Response>(response: R, body: unknown): R {
  sendJsonBody(response, jsonText(body))
  return response
}
