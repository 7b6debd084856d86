import type { JsonObject } from '../../lib/json/json.ts'
import { forbiddenValue, invalidValue } from '../../planes/errors/field-errors.ts'
import type { FieldError } from '../../planes/model/field-error.ts'
import { dnsSubdomainMessages } from '../../planes/native/metadata/name-syntax.ts'
import { textOf } from '../../lib/json/json-fields.ts'

const POD = 'spec.podTemplate.spec'

/**
 * The violations of the fields by which a pod asks for access to the API. `problem` is the reason why
 * this server gives no sandbox access; null if it does.
 */
export function apiAccessErrors(pod: JsonObject, problem: string | null): readonly FieldError[] {
  const { automountServiceAccountToken, serviceAccountName } = pod
  const name = textOf(serviceAccountName)
  const wrong = name === '' ? [] : dnsSubdomainMessages(name)
  return [
    ...wrong.map((message) => invalidValue(`${POD}.serviceAccountName`, name, message)),
    ...(automountServiceAccountToken === true ? accessErrors(pod, problem) : []),
  ]
}

function accessErrors({ runtimeClassName }: JsonObject, problem: string | null) {
  const field = `${POD}.automountServiceAccountToken`
  if (problem !== null) return [forbiddenValue(field, problem)]
  if (textOf(runtimeClassName) !== 'process') return []
  return [
    forbiddenValue(field, 'the class process shares the network of the machine: use bubblewrap'),
  ]
}
