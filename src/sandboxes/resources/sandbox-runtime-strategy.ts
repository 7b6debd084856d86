import { type JsonValue, listOf, objectOf } from 'flotilla'
import { type FieldError, invalidValue, type Strategy } from 'flotilla/planes'
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
