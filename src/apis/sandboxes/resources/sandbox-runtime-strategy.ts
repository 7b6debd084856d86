import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import { invalidValue } from '../../kube/errors/field-errors.ts'
import type { ApiObject } from '../../kube/model/api-object.ts'
import type { FieldError } from '../../kube/model/field-error.ts'
import type { Strategy } from '../../kube/model/native-resource.ts'
import { STARTS_SANDBOXES, startsNoSandboxes } from '../model/starts-sandboxes.ts'
import { listOf, objectOf } from '../model/stored-fields.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** A Unix socket, or a server with TLS. */
const ENDPOINT = /^(?:unix:(?:\/\/)?\/.+|https:\/\/[^\s/]+\/?)$/

/**
 * The rules of registered runtimes: their addresses and those of their drivers. A runtime does not
 * know whether the server needs tokens, so the server adds its own problem to the status.
 */
export function sandboxRuntimeStrategy(startProblem: string | null): Strategy {
  return {
    ...(startProblem !== null && {
      prepareUpdate: (object, old, { subresource, now }) =>
        subresource === 'status' ? withProblem(object, old, { startProblem, now }) : object,
    }),
    validate: VALIDATE,
  }
}

const VALIDATE = unlessUnchanged(({ spec }) => {
  const { endpoint, drivers } = objectOf(spec)
  return [
    ...endpointErrors('spec.endpoint', endpoint),
    ...listOf(drivers).flatMap((driver, index) =>
      endpointErrors(`spec.drivers[${index}].endpoint`, objectOf(driver)['endpoint']),
    ),
  ]
})

interface Refusal {
  readonly startProblem: string
  readonly now: Date
}

function withProblem(object: ApiObject, old: ApiObject, { startProblem, now }: Refusal): ApiObject {
  const status = objectOf(object['status'])
  const conditions = listOf(status['conditions'])
  const known = listOf(objectOf(old['status'])['conditions']).map(objectOf).find(isRefusal)
  const refusal = {
    ...startsNoSandboxes(startProblem),
    lastTransitionTime: known?.['lastTransitionTime'] ?? `${now.toISOString().slice(0, 19)}Z`,
  }
  const others = conditions.filter((condition) => objectOf(condition)['type'] !== STARTS_SANDBOXES)
  return { ...object, status: { ...status, conditions: [...others, refusal] } }
}

function isRefusal({ type, status }: JsonObject): boolean {
  return type === STARTS_SANDBOXES && status === 'False'
}

function endpointErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  if (typeof value !== 'string' || ENDPOINT.test(value)) return []
  return [invalidValue(field, value, 'must be unix:/path or https://host:port')]
}
