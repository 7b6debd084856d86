import { type Request, type RequestHandler, type Response, Router } from 'express'
import { invalid } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { readAnyResource } from '../../store/operations/read/read-any-resource.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { KindRoute } from '../../store/registry/kind-routes.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { unknownKind } from '../../store/registry/unknown-kind.ts'
import { addressOf } from '../paths/address.ts'
import type { RouteOptions } from './route-options.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { requireVerb } from '../verbs/requests/require-verb.ts'
import { BASE_PATH } from '../paths/base-path.ts'
import { createdBelowParent } from './nested-create.ts'
import {
  RESOURCE_TEMPLATE,
  RESOURCES_TEMPLATE,
  resourceWrites as writesOfItem,
} from '../openapi/resource-paths.ts'
import { parseJsonObject } from '../../http/json/parse-json-object.ts'
import { readBody } from '../../http/json/read-body.ts'
import { withAuthorization } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { keepBody } from '../../http/validation/body-stage.ts'

/**
 * The routes of `/resources` that write, and those of the reports of one resource. Each looks up the
 * kind and forwards the request to the route of that kind, which authorizes it and applies the
 * kind's own rules. `handle` makes those routes.
 */
export function resourceWrites(
  { bodyLimit, authorizer, verbs: { operations, representation } }: RouteOptions,
  flat: readonly KindRoute[],
  handle: (routes: readonly KindRoute[]) => readonly AppRoute[],
): readonly AppRoute[] {
  const { registry } = operations
  const router = Router({ caseSensitive: true, strict: true })
  for (const route of handle(flat)) {
    const { method, path, handlers } = withAuthorization(route, authorizer)
    router[method](path, ...handlers)
  }

  const create: RequestHandler = async (request, response, next) => {
    const body = await readBody(request, { limit: bodyLimit, accepts: ['application/json'] })
    const kind = kindNamedBy(registry, parseJsonObject(body.text))
    requireVerb(request, registry, { kind, verb: 'create', suffix: null })
    if (kind.parent !== null) throw createdBelowParent(registry, kind)
    keepBody(response, body)
    forward(router, { path: `/${kind.plural}`, request, response, next })
  }
  const onItem =
    ({ verb, suffix }: ItemWrite): RequestHandler =>
    async (request, response, next) => {
      const { resource_id: id } = request.params
      const target = { tenant: tenantOf(response), id: String(id) }
      const found = await readAnyResource(operations, target, representation)
      const kind = registry.byName(found.kind)
      requireVerb(request, registry, { kind, verb, suffix })
      const path = `/${kind.plural}/${encodeURIComponent(String(id))}${suffix}`
      forward(router, { path, request, response, next })
    }
  const routes = writesOfItem(registry.kinds).map((write): AppRoute => {
    const template = RESOURCE_TEMPLATE + write.suffix
    const handlers = [onItem(write)]
    return { ...addressOf(template), method: write.method, public: false, access: null, handlers }
  })
  if (!flat.some(({ verb }) => verb === 'create')) return routes
  const collection = addressOf(RESOURCES_TEMPLATE)
  return [
    { ...collection, method: 'post', public: false, access: null, handlers: [create] },
    ...routes,
  ]
}

type ItemWrite = ReturnType<typeof writesOfItem>[number]

/** The kind that a creation's body names. */
function kindNamedBy(registry: Registry, { kind: name }: JsonObject): RegisteredKind {
  if (typeof name !== 'string' || name === '') {
    throw invalid([{ field: 'kind', message: 'kind is required', constraint: 'required' }])
  }
  const problem = unknownKind(name, registry.kinds)
  if (problem === null) return registry.byName(name)
  throw invalid([{ field: 'kind', message: problem, constraint: 'kind', value: name }])
}

interface Forwarding {
  /** Below the base path. */
  readonly path: string
  readonly request: Request
  readonly response: Response
  readonly next: (error?: unknown) => void
}

/** Runs another route on the request. The log and errors keep the client's path. */
function forward(router: Router, { path, request, response, next }: Forwarding): void {
  const { url, originalUrl } = request
  const target = BASE_PATH + path + new URL(url, 'http://localhost').search
  const restore = (): void => {
    request.url = url
    request.originalUrl = originalUrl
  }
  response.prependOnceListener('close', restore)
  request.url = target
  request.originalUrl = target
  router(request, response, (error?: unknown) => {
    restore()
    next(error)
  })
}
