import express, { type Express, type RequestHandler, type Response } from 'express'
import { authenticatedUser } from '../access/principal.ts'
import { authenticate } from '../http/auth/authenticate.ts'
import { impersonate } from '../http/auth/impersonate.ts'
import { admit } from '../http/fairness/admission.ts'
import { browserAccess } from '../http/browsers/browser-access.ts'
import { findCaller } from '../http/auth/caller.ts'
import { errorHandler } from '../http/errors/error-handler.ts'
import { sendJson } from '../http/json/send-json.ts'
import { sendJsonBody, sendJsonBodyChecked } from '../http/json/send-json-body.ts'
import { accessLog } from '../http/observability/access-log.ts'
import { requestScope } from '../http/observability/request-scope.ts'
import { requestId } from '../http/requests/request-id.ts'
import { joinStages } from '../http/server/stages.ts'
import { createApi } from './api.ts'
import type { AppOptions } from './routes/app-options.ts'
import { problemOf } from './errors/problem.ts'
import { createWatching } from './watch/watching.ts'

/**
 * The API: the order of the stages is the order of the contract's checks. A new kind replaces the
 * routes as a whole; requests in flight finish on the routes that they started on.
 */
export function createApp(options: AppOptions): Express {
  const { verbs, clock } = options
  const send = options.createProof ? sendJsonBodyChecked : sendJsonBody
  const { wire, operations } = verbs
  const { broadcaster } = operations.feed
  const watching = createWatching({ streams: options.streams, broadcaster, wire })
  const routeOptions = {
    ...options,
    verbs: { ...verbs, authorizer: options.authorizer, send, watching },
  }
  let api = createApi(routeOptions)
  operations.registry.onRegister(() => {
    api = createApi(routeOptions)
  })
  const cors: RequestHandler = (request, response, next) => api.cors(request, response, next)
  const route: RequestHandler = (request, response, next) => api.router(request, response, next)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.response.json = function (body: unknown) {
    return sendJson(this, body)
  }
  const stages = joinStages([
    requestId,
    accessLog({ log: options.log, metrics: verbs.metrics, callerOf: userOf }),
    requestScope(options.scope),
    ...(options.audit === null ? [] : [options.audit]),
    cors,
    browserAccess(options.browserCheck),
    ...options.mounts,
    authenticate(options, api.publicPaths),
    admit(options.admission),
    impersonate(options.actAs, options.admission.admitAs),
    route,
  ])
  for (const stage of stages) app.use(stage)
  app.use(errorHandler(problemOf, clock))
  return app
}

/** The user for the access log; null on public paths and before authentication. */
function userOf(response: Response): string | null {
  const caller = findCaller(response)
  return caller && authenticatedUser(caller).user
}
