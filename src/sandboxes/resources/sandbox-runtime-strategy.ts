import type { JsonValue } from '../../lib/json/json.ts'
import { invalidValue } from '../../planes/errors/field-errors.ts'
import type { FieldError } from '../../planes/model/field-error.ts'
import type { Strategy } from '../../planes/model/native-resource.ts'
import { listOf, objectOf } from '../../lib/json/json-fields.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** A Unix socket, or a server with TLS. */
const ENDPOINT = /^(?:unix:(?:\/\/)?\/.+|https:\/\/[^\s/]+\/?)$/

/** The rules of registered runtimes: their addresses and those of their drivers. */
export const SANDBOX_RUNTIME_STRATEGY: Strategy = {
  validate: unlessUnchanged(({ spec }) => {
    const { endpoint, drivers } = objectOf(spec)
    return [
      ...endpointErrors('spec.endpoint', endpoint),
      ...listOf(drivers).flatMap((driver, index) =>
        endpointErrors(`spec.drivers[${index}].endpoint`, objectOf(driver)['endpoint']),
      ),
    ]
  }),
}

function endpointErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  if (typeof value !== 'string' || ENDPOINT.test(value)) return []
  return [invalidValue(field, value, 'must be unix:/path or https://host:port')]
}
