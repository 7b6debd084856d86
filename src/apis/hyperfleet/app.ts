import express, { type Express } from 'express'
import type { AppOptions } from './app-options.ts'
import { flatRoutes, kindRoutes, lookupRoutes } from '../../core/registry/kind-routes.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { authenticate } from '../../http/auth/authenticate.ts'
import { callerOf } from '../../http/auth/caller.ts'
import { cors } from '../../http/server/cors.ts'
import { kindHandlers } from './kind-handlers.ts'
import { withKnownParameters } from './known-parameters.ts'
import { documentCors } from './openapi/document-cors.ts'
import { openapiRoutes } from './openapi/routes.ts'
import { accessLog } from '../../http/observability/access-log.ts'
import { errorHandler } from '../../http/errors/error-handler.ts'
import { problemOf } from './errors/problem.ts'
import { requestId } from '../../http/requests/request-id.ts'
import { mountRoutes } from '../../http/server/route-table.ts'
import { sendJson } from '../../http/json/send-json.ts'
import { sendJsonBody, sendJsonBodyChecked } from '../../http/json/send-json-body.ts'
import { nestedCreateRoutes } from './nested-create.ts'
import { resourceRoutes } from './resource-routes.ts'
import { resourceWrites } from './resource-writes.ts'
import { indexRoutes } from './service/index-routes.ts'
import { metadataRoute } from './service/metadata-route.ts'
import { snapshotHeaders } from './snapshot/snapshot-headers.ts'
import { snapshotRoutes } from './snapshot/snapshot-routes.ts'
import { withSystemRule } from '../../http/auth/tenancy.ts'
import { createWatching } from './watch/watching.ts'
import { openapiValidation } from '../../http/validation/openapi-validation.ts'

/** The API: the order of the stages is the order of the contract's checks. */
export function createApp(options: AppOptions): Express {
  const { verbs, clock, document } = options
  const validation = openapiValidation(options)
  const send = options.validateResponses ? sendJsonBodyChecked : sendJsonBody
  const { presentation, operations } = verbs
  const { broadcaster } = operations.feed
  const watching = createWatching({ streams: options.streams, broadcaster, presentation })
  const routeOptions = { ...options, verbs: { ...verbs, send, watching } }
  const { registry } = operations
  const handlersOf = kindHandlers(routeOptions, validation)
  // A request is compared with each route in this order: the busiest ones go first.
  const routes: readonly AppRoute[] = [
    ...handlersOf(lookupRoutes(registry)),
    ...snapshotRoutes(routeOptions, validation),
    ...handlersOf(kindRoutes(registry)),
    ...resourceRoutes(routeOptions, validation),
    ...resourceWrites(routeOptions, flatRoutes(registry), handlersOf),
    ...nestedCreateRoutes(registry),
    metadataRoute(),
    ...indexRoutes(registry, options.probes),
    ...openapiRoutes(document),
  ]
  const publicPaths = routes.filter((route) => route.public).map((route) => route.path)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.response.json = function (body: unknown) {
    return sendJson(this, body)
  }
  app.use(requestId, accessLog({ log: options.log, metrics: verbs.metrics, callerOf }))
  app.use(documentCors(cors(options.corsOrigins, snapshotHeaders(registry))))
  app.use(authenticate(options, new Set(publicPaths)))
  const isStrict = options.unknownParameters === 'reject'
  const checked = isStrict ? withKnownParameters(routes, document) : routes
  mountRoutes(app, checked.map(withSystemRule))
  app.use(errorHandler(problemOf, clock))
  return app
}
