import type { RequestHandler } from 'express'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type KindRoute, nameParameter } from '../../../store/registry/kind-routes.ts'
import { addBodyViolations } from '../../../http/validation/body-stage.ts'
import { parameterOf } from './path-ids.ts'

/** The stage that adds the name in the path to the body, so that the rules of names apply to it. */
export function nameFromPath({ kind }: KindRoute): RequestHandler {
  return (request, response, next) => {
    const name = parameterOf(request, nameParameter(kind))
    const body: JsonValue = request.body
    if (isJsonObject(body)) {
      const { name: given = name } = body
      if (typeof given === 'string' && given !== name) {
        addBodyViolations(response, [
          { field: 'name', message: `name must be '${name}', as in the path`, constraint: 'const' },
        ])
      }
      request.body = { ...body, name: given }
    }
    next()
  }
}
