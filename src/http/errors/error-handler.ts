import type { ErrorRequestHandler } from 'express'
import type { Clock } from '../../lib/clock.ts'
import { requestIdOf } from '../requests/request-id.ts'
import { requestPath } from '../requests/request-path.ts'
import type { RenderError } from './error-response.ts'
import { setFailure } from './request-failure.ts'
import { writeError } from './write-error.ts'

/** The last stage of an application: responds to failed requests and stores the failure for the log. */
export function errorHandler(render: RenderError, clock: Clock): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- Express recognizes an error handler by its four parameters
  return (error: unknown, request, response, _next) => {
    const rendered = render(error, {
      instance: requestPath(request.originalUrl),
      requestId: requestIdOf(response),
      now: clock(),
    })
    setFailure(response, rendered)
    // Destroying a response that has started shows the client that it is incomplete.
    if (response.headersSent) response.destroy()
    else writeError(response, rendered)
  }
}
