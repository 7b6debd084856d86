import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'

type Handler = RequestHandler | ErrorRequestHandler

/**
 * Joins handlers that follow each other into one. Express matches the path, copies parameters and
 * creates closures for each handler that it calls, which costs a short request more than most
 * handlers do. Handlers of errors stay separate: Express passes them the errors of all before them.
 */
export function joinStages(handlers: readonly Handler[]): readonly Handler[] {
  const joined: Handler[] = []
  let stages: RequestHandler[] = []
  const join = (): void => {
    if (stages.length > 0) joined.push(inOrder(stages))
    stages = []
  }
  for (const handler of handlers) {
    if (isStage(handler)) stages.push(handler)
    else {
      join()
      joined.push(handler)
    }
  }
  join()
  return joined
}

/** Express also recognizes handlers of errors by their parameters. */
function isStage(handler: Handler): handler is RequestHandler {
  return handler.length < 4
}

function inOrder(stages: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let index = 0
    // An error, `route` and `router` end the stages.
    const advance: NextFunction = (end?: unknown) => {
      const stage = stages[index]
      index += 1
      if (stage === undefined || end) next(end)
      else run(stage, request, response, advance)
    }
    advance()
  }
}

/** Passes on what the stage throws, like Express. */
// oxlint-disable-next-line max-params -- called for each stage of a request: no object per call
function run(
  stage: RequestHandler,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  try {
    const pending: unknown = stage(request, response, next)
    if (pending instanceof Promise) void failLater(pending, next)
  } catch (error) {
    next(errorOf(error))
  }
}

/** Never rejects. */
async function failLater(pending: Promise<unknown>, next: NextFunction): Promise<void> {
  try {
    await pending
  } catch (error) {
    next(errorOf(error))
  }
}

/** Without an error, the next stage would run. */
function errorOf(thrown: unknown): unknown {
  return thrown || new Error('a stage failed without an error')
}
