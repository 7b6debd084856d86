import express, { type Express, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import { browserAccess, type BrowserCheck } from '../../http/browsers/browser-access.ts'
import { errorHandler } from '../../http/errors/error-handler.ts'
import { sendJson } from '../../http/json/send-json.ts'
import { accessLog } from '../../http/observability/access-log.ts'
import type { Metrics } from '../../http/observability/metrics.ts'
import { requestId } from '../../http/requests/request-id.ts'
import { systemClock } from '../../lib/clock.ts'
import { renderStatus } from '../errors/status.ts'
import { resourceNotFound } from '../http/resource-request.ts'

interface Options {
  readonly handler: RequestHandler
  readonly browserCheck: BrowserCheck
  readonly metrics: Metrics
  readonly log?: Logger
}

/** The application of a server that serves nothing but planes. Other paths are 404. */
export function createPlaneApp({ handler, browserCheck, metrics, log }: Options): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.response.json = function (body: unknown) {
    return sendJson(this, body)
  }
  app.use(requestId)
  if (log) app.use(accessLog({ log, metrics, callerOf: () => null }))
  app.use(browserAccess(browserCheck))
  app.use(handler)
  app.use((_request, _response, next) => next(resourceNotFound()))
  app.use(errorHandler(renderStatus, systemClock))
  return app
}
