import {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { FlotillaError } from '../../lib/errors.ts'
import { HttpError } from '../errors/http-error.ts'
import { setRoute } from '../observability/access-log.ts'
import { joinStages } from './stages.ts'

/** A route of an Express router. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** In Express' syntax. */
  readonly path: string
  /** The path's template for the log and the metrics. */
  readonly template: string
  readonly handlers: readonly (RequestHandler | ErrorRequestHandler)[]
  /** No request to the route succeeds, so `Allow` and the OpenAPI document omit it. */
  readonly unlisted?: true
  /** Later routes whose parameters match the path do not serve its other methods. */
  readonly ownsPath?: true
}

const ALLOWED = 'allowed'

/**
 * Creates a router. Paths are case-sensitive, and a trailing slash matters. Before the handlers of a
 * path run, other methods are rejected with 405 and `Allow`. A path without a route is 404.
 */
export function createRouter(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const byPath = new Map<string, Route[]>()
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route])
  for (const [path, siblings] of byPath) {
    const endpoint = router.route(path)
    endpoint.all(matchRoute(siblings))
    for (const { method, handlers } of siblings) endpoint[method](...joinStages(handlers))
  }
  router.use(rejectUnrouted)
  return router
}

/** The stage before a path's handlers: stores the route, or skips it if it lacks the method. */
function matchRoute(siblings: readonly Route[]): RequestHandler {
  const templates = new Map<string, string>()
  for (const { method, template } of siblings) {
    templates.set(method.toUpperCase(), template)
    if (method === 'get') templates.set('HEAD', template)
  }
  const allowed = allowedMethods(siblings.filter((route) => !route.unlisted))
  const [anyTemplate = ''] = templates.values()
  const ownsPath = siblings.some((route) => route.ownsPath)
  return (request, response, next) => {
    const template = templates.get(request.method)
    setRoute(response, template ?? anyTemplate)
    if (template !== undefined) {
      next()
      return
    }
    if (ownsPath) throw unrouted(request, allowed)
    // Another route with the same path may have the method.
    response.locals[ALLOWED] = [...allowedOf(response), ...allowed]
    next('route')
  }
}

/** The methods of the routes with one path, sorted. */
export function allowedMethods(routes: readonly Pick<Route, 'method'>[]): readonly string[] {
  const methods = routes.map(({ method }) => method.toUpperCase())
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].toSorted()
}

const rejectUnrouted: RequestHandler = (request, response) => {
  throw unrouted(request, allowedOf(response))
}

/** The error of a request without a route: 405 with `Allow` if its path has other methods. */
export function unrouted(
  { method, path }: Pick<Request, 'method' | 'path'>,
  allowed: readonly string[],
): FlotillaError {
  const methods = [...new Set(allowed)]
  if (methods.length === 0) return new FlotillaError('no-route', `No route has the path ${path}`)
  const headers = { Allow: methods.join(', ') }
  const detail = `${method} is not a method of ${path}: use ${methods.join(', ')}`
  return new HttpError('method-not-allowed', detail, { headers })
}

/** The methods of routes that have the path but not the request's method. */
function allowedOf(response: Response): readonly string[] {
  const allowed: unknown = response.locals[ALLOWED]
  return Array.isArray(allowed) ? allowed : []
}
