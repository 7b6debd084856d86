import type { RequestHandler, Response } from 'express'
import { must } from '../../../lib/assert.ts'
import type { Violation } from '../../../lib/errors.ts'
import { readBody } from '../plumbing/read-body.ts'
import type { BodyFormat } from './body-format.ts'

const VIOLATIONS = 'bodyViolations'

/** Reads the body in one of these formats and notes what breaks rules beyond the schema. */
export function bodyStage(limit: number, formats: readonly BodyFormat[]): RequestHandler {
  const accepts = formats.map(({ type }) => type)
  return async (request, response, next) => {
    const { type, text } = await readBody(request, { limit, accepts })
    const format = must(
      formats.find((candidate) => candidate.type === type),
      `format ${type}`,
    )
    const { body, violations } = format.check(text)
    // The validator looks the schema up by it; an absent one and parameters are no help.
    request.headers['content-type'] = type
    request.body = body
    response.locals[VIOLATIONS] = violations
    next()
  }
}

/** What the body stage noted. */
export function bodyViolationsOf(response: Response): readonly Violation[] {
  const noted: unknown = response.locals[VIOLATIONS]
  return Array.isArray(noted) ? noted : []
}
