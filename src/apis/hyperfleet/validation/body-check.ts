import type { JsonObject } from '../../../lib/json/json.ts'
import { bodySchemaOf } from './body-schema.ts'
import { createAjv, withoutRequiredReadOnly } from '../../../http/validation/create-ajv.ts'
import { isBare } from './quick-checks.ts'
import type { QuickCheck } from '../../../http/validation/quick-validation.ts'
import type { KindRoute } from '../../../core/registry/kind-routes.ts'

/** Makes the checks of JSON bodies, of requests whose path says nothing more. */
export function createBodyChecks(document: JsonObject): (route: KindRoute) => QuickCheck {
  const ajv = createAjv()
  const components = withoutRequiredReadOnly(document['components'] ?? {})
  return (route) => {
    const schema = bodySchemaOf(document, route, 'application/json')
    const validate = ajv.compile({ components, allOf: [schema ?? true] })
    return (request) => isBare(request) && validate(request.body)
  }
}
