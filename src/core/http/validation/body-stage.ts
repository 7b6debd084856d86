import type { RequestHandler, Response } from 'express'
import type { Violation } from '../../../lib/errors.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { jsonViolations } from '../plumbing/check-json.ts'
import { readJsonBody } from '../plumbing/read-body.ts'

const VIOLATIONS = 'bodyViolations'

/** Rules of one route's body that its schema cannot say; must bear any JSON object. */
export type BodyRules = (body: JsonObject) => readonly Violation[]

/** Reads the body and notes what breaks rules beyond the schema. */
export function bodyStage(limit: number, rules: BodyRules): RequestHandler {
  return async (request, response, next) => {
    const { body, text } = await readJsonBody(request, { limit, accepts: ['application/json'] })
    // What was read is JSON; the validator looks its schema up by the content type.
    request.headers['content-type'] = 'application/json'
    request.body = body
    response.locals[VIOLATIONS] = [...jsonViolations(text), ...rules(body)]
    next()
  }
}

/** What the body stage noted. */
export function bodyViolationsOf(response: Response): readonly Violation[] {
  const noted: unknown = response.locals[VIOLATIONS]
  return Array.isArray(noted) ? noted : []
}
