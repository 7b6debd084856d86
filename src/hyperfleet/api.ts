import type { RequestHandler, Router } from 'express'
import { flatRoutes, kindRoutes, lookupRoutes } from '../store/registry/kind-routes.ts'
import { withAuthorization } from '../http/auth/authorize.ts'
import type { AppRoute } from '../http/server/app-route.ts'
import { liveCors } from '../http/server/cors.ts'
import { createRouter } from '../http/server/route-table.ts'
import { createRequestValidation } from '../http/validation/request-validation.ts'
import { schemaCompiler } from '../http/validation/schema-compiler.ts'
import type { ApiPart } from './routes/api-part.ts'
import type { AppOptions } from './routes/app-options.ts'
import type { RouteOptions } from './routes/route-options.ts'
import { kindHandlers } from './routes/kind-handlers.ts'
import { withKnownParameters } from './routes/known-parameters.ts'
import { nestedCreateRoutes } from './routes/nested-create.ts'
import { composeOpenapi } from './openapi/compose.ts'
import { documentCors } from './openapi/document-cors.ts'
import { openapiRoutes } from './openapi/routes.ts'
import { resourceRoutes } from './routes/resource-routes.ts'
import { resourceWrites } from './routes/resource-writes.ts'
import { indexRoutes } from './service/index-routes.ts'
import { metadataRoute } from './service/metadata-route.ts'
import { serviceRoutes } from './routes/service-routes.ts'
import { DISCARDED_HEADER, UPSERT_HEADER } from './openapi/kind-paths.ts'
import type { Registry } from '../store/registry/registry.ts'
import { snapshotHeaders } from './wire/snapshot-headers.ts'

/** The parts of the API that follow from the registered kinds. */
export interface Api {
  readonly router: Router
  readonly cors: RequestHandler
  /** The paths that are served without authentication; the same for all kinds. */
  readonly publicPaths: ReadonlySet<string>
}

/** Composes the document and the routes of the kinds that are registered at this moment. */
export function createApi(options: Omit<AppOptions, 'verbs'> & Pick<RouteOptions, 'verbs'>): Api {
  const { registry } = options.verbs.operations
  const { parts } = options
  const document = composeOpenapi(options.base, registry, options.documentParts)
  const compiler = schemaCompiler(document)
  const proof = options.createProof?.(document) ?? null
  const validation = createRequestValidation(compiler, proof)
  const routeOptions: RouteOptions = { ...options, document, compiler, validation }
  const handlersOf = kindHandlers(routeOptions, parts)
  const routesOf = (added: readonly ApiPart[]) =>
    added.flatMap(({ routes }) => routes?.(routeOptions) ?? [])
  // Express compares a request with the routes in this order: the busiest ones come first.
  const routes: readonly AppRoute[] = [
    ...handlersOf(lookupRoutes(registry)),
    ...routesOf(parts.filter(({ isBusy }) => isBusy)),
    ...handlersOf(kindRoutes(registry)),
    ...resourceRoutes(routeOptions),
    ...resourceWrites(routeOptions, flatRoutes(registry), handlersOf),
    ...nestedCreateRoutes(registry),
    ...routesOf(parts.filter(({ isBusy }) => !isBusy)),
    ...serviceRoutes(routeOptions),
    metadataRoute(),
    ...indexRoutes(registry, options.probes),
    ...openapiRoutes(document, options.fleetDocument),
  ]
  const isStrict = options.unknownParameters === 'reject'
  const checked = isStrict ? withKnownParameters(routes, document) : routes
  return {
    router: createRouter(checked.map((route) => withAuthorization(route, options.authorizer))),
    cors: documentCors(liveCors(options.corsOrigins, exposedHeaders(registry))),
    publicPaths: new Set(routes.filter((route) => route.public).map((route) => route.path)),
  }
}

/** The headers of this API that pages of other origins may read. */
function exposedHeaders(registry: Registry): readonly string[] {
  return [DISCARDED_HEADER, UPSERT_HEADER, ...snapshotHeaders(registry)]
}
