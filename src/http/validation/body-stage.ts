import type { RequestHandler, Response } from 'express'
import { must } from '../../lib/assert.ts'
import type { Violation } from '../../lib/errors.ts'
import { endLongTurn } from '../../lib/async/steps.ts'
import { type Body, readBody } from '../json/read-body.ts'
import type { BodyFormat } from './body-format.ts'

const VIOLATIONS = 'bodyViolations'
const KEPT = 'keptBody'

/** Reads the body in one of these formats and records violations of rules beyond the schema. */
export function bodyStage(limit: number, formats: readonly BodyFormat[]): RequestHandler {
  const accepts = formats.map(({ type }) => type)
  return async (request, response, next) => {
    const { type, text } = keptBody(response) ?? (await readBody(request, { limit, accepts }))
    const format = must(
      formats.find((candidate) => candidate.type === type),
      `format ${type}`,
    )
    const { body, violations } = await format.check(text)
    await endLongTurn()
    // The validation finds the schema by the plain type, without parameters.
    request.headers['content-type'] = type
    request.body = body
    response.locals[VIOLATIONS] = violations
    next()
  }
}

/** Keeps a body that an earlier stage has read. */
export function keepBody(response: Response, body: Body): void {
  response.locals[KEPT] = body
}

function keptBody(response: Response): Body | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `keepBody` writes it
  return response.locals[KEPT] as Body | undefined
}

/** Adds the violations of the body stage, unless the schema rejects a field for the same reason. */
export function withBodyViolations(
  bySchema: readonly Violation[],
  response: Response,
): readonly Violation[] {
  const found = new Set(bySchema.map(ruleOf))
  return [...bySchema, ...bodyViolationsOf(response).filter((other) => !found.has(ruleOf(other)))]
}

function ruleOf({ field, constraint = '' }: Violation): string {
  return `${constraint} ${field}`
}

/** Adds violations that a stage between the body and the validation has found. */
export function addBodyViolations(response: Response, violations: readonly Violation[]): void {
  response.locals[VIOLATIONS] = [...bodyViolationsOf(response), ...violations]
}

/** The violations that the body stage recorded. */
export function bodyViolationsOf(response: Response): readonly Violation[] {
  const recorded: unknown = response.locals[VIOLATIONS]
  return Array.isArray(recorded) ? recorded : []
}
