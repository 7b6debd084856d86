import { type JsonObject, type JsonValue, listOf, objectOf, textOf } from 'flotilla'
import { duplicateValue, type FieldError, invalidValue, requiredValue } from 'flotilla/planes'
import { dnsLabelMessages } from 'flotilla/planes/native'
import { apiAccessErrors } from './api-access-errors.ts'
import { containerErrors } from './container-errors.ts'
import { initContainerErrors } from './init-container-errors.ts'
import { networkErrors } from './network-errors.ts'
import { volumeErrors } from './volume-errors.ts'

/**
 * The violations of the fields that sandboxes and their templates share. `apiProblem` is the reason
 * why this server gives no sandbox access to the API; null if it does.
 */
export function blueprintErrors(
  spec: JsonObject,
  apiProblem: string | null,
): readonly FieldError[] {
  const pod = objectOf(objectOf(spec['podTemplate'])['spec'])
  const containers = listOf(pod['containers'])
  const field = 'spec.podTemplate.spec.containers'
  const count =
    containers.length === 1
      ? []
      : [invalidValue(field, containers.length, 'a sandbox must have exactly one container')]
  const claims = volumeClaimNames(spec['volumeClaimTemplates'])
  const volumes = [
    ...claims,
    ...listOf(pod['volumes']).map((volume) => textOf(objectOf(volume)['name'])),
  ]
  return [
    ...count,
    ...containerErrors(objectOf(containers[0]), `${field}[0]`, volumes),
    ...initContainerErrors(pod, volumes),
    ...volumeErrors(pod['volumes'], 'spec.podTemplate.spec.volumes'),
    ...volumeClaimErrors(claims),
    ...networkErrors(spec['networkPolicy']),
    ...apiAccessErrors(pod, apiProblem),
  ]
}

/** The names of volume claim templates. */
export function volumeClaimNames(templates: JsonValue | undefined): readonly string[] {
  return listOf(templates).map((claim) => textOf(objectOf(objectOf(claim)['metadata'])['name']))
}

/** The violations of the names of `spec.volumeClaimTemplates`. */
export function volumeClaimErrors(names: readonly string[]): readonly FieldError[] {
  return names.flatMap((name, index) => {
    const field = `spec.volumeClaimTemplates[${index}].metadata.name`
    if (name === '') return [requiredValue(field)]
    if (names.indexOf(name) < index) return [duplicateValue(field, name)]
    return dnsLabelMessages(name).map((message) => invalidValue(field, name, message))
  })
}
