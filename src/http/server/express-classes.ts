import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

interface Classes {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Classes whose instances already have the prototypes of this application. Otherwise Express would
 * set the prototypes on every request, which costs more than its routing.
 */
export function expressClasses(app: Express): Classes {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
