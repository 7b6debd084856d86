import type { Response } from 'express'
import { exactJson } from './exact-json.ts'

/**
 * What Express' `response.json` does, with whole integers, and always with the answer itself:
 * Express makes 304 of any GET with `If-None-Match: *`.
 */
export function sendJson<R extends Response>(response: R, body: unknown): R {
  const text = exactJson(body)
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  return response.end(text)
}
