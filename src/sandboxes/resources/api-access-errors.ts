import { type JsonObject, textOf } from 'flotilla'
import { type FieldError, forbiddenValue, invalidValue } from 'flotilla/planes'
import { dnsSubdomainMessages } from 'flotilla/planes/native'

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
