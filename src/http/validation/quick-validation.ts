import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { assert } from '../../lib/assert.ts'

/** Whether a request is surely valid; false where only the document's validator can tell. */
export type QuickCheck = (request: Request) => boolean

interface Options {
  readonly validation: readonly RequestHandler[]
  /** Run the validator all the same, and insist that it agrees: for tests. */
  readonly verify: boolean
}

/**
 * The document's validation, left out for requests that a quick check knows to be valid. The
 * validator stays the only judge of all others, and the only one who says what is wrong.
 */
export function quickValidation(
  isValid: QuickCheck,
  { validation, verify }: Options,
): readonly (RequestHandler | ErrorRequestHandler)[] {
  if (verify) return [...validation, insistThatInvalid(isValid)]
  const validateUnlessValid: RequestHandler = (request, response, next) => {
    if (isValid(request)) next()
    else runAll(validation, request, response, next)
  }
  return [validateUnlessValid]
}

function runAll(
  handlers: readonly RequestHandler[],
  ...[request, response, next]: Parameters<RequestHandler>
): void {
  const step = (index: number): void => {
    const handler = handlers[index]
    if (!handler) {
      next()
      return
    }
    void handler(request, response, (error?: unknown) => {
      if (error === undefined) step(index + 1)
      else next(error)
    })
  }
  step(0)
}

function insistThatInvalid(isValid: QuickCheck): ErrorRequestHandler {
  return (error: unknown, request, _response, next) => {
    assert(
      !isValid(request),
      `the quick check lets pass what the document refuses: ${String(error)}`,
    )
    next(error)
  }
}
