import type { ErrorRequestHandler } from 'express'
import { errorHandler } from '../../http/errors/error-handler.ts'
import type { Clock } from '../../lib/clock.ts'
import { renderStatus } from '../errors/status.ts'
import { planePathOf } from './plane-path.ts'

/** Responds with a Status if a stage before the planes fails for one of their paths. */
export function planeErrors(clock: Clock): ErrorRequestHandler {
  const onError = errorHandler(renderStatus, clock)
  // oxlint-disable-next-line max-params -- Express recognizes an error handler by its four parameters
  return (error: unknown, request, response, next) => {
    if (planePathOf(request.path) === null) next(error)
    else void onError(error, request, response, next)
  }
}
