import { must } from '../../lib/assert.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { BASE_PATH } from '../paths/base-path.ts'
import { queryParametersOf } from '../../http/validation/operation-address.ts'
import { rejectUnknownParameters } from '../query/unknown-parameters.ts'

/**
 * The routes with a first stage that rejects query parameters that the document does not list.
 * Public routes and paths outside the HyperFleet API stay lenient.
 */
export function withKnownParameters(
  routes: readonly AppRoute[],
  document: JsonObject,
): readonly AppRoute[] {
  return routes.map((route) => {
    if (route.public || route.unlisted || !route.template.startsWith(`${BASE_PATH}/`)) return route
    const template = route.template.slice(BASE_PATH.length)
    const known = queryParametersOf(document, { method: route.method, template })
    const parameters = must(known, `${route.method} ${template} in the document`)
    const names = parameters.map(({ name }) => name)
    const stage = rejectUnknownParameters(names)
    return { ...route, handlers: [stage, ...route.handlers] }
  })
}
