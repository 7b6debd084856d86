import type { Response } from 'express'
import { exactJson } from './exact-json.ts'
import { sendJsonBody } from './send-json-body.ts'

/**
 * What Express' `response.json` does, with whole integers, and always with the answer itself:
 * Express makes 304 of any GET with `If-None-Match: *`.
 */
export function sendJson<R extends Response>(response: R, body: unknown): R {
  sendJsonBody(response, exactJson(body))
  return response
}
