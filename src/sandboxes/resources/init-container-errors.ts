import { type JsonObject, listOf, objectOf, textOf, textsOf } from 'flotilla'
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  requiredValue,
} from 'flotilla/planes'
import { dnsLabelMessages } from 'flotilla/planes/native'
import { containerErrors } from './container-errors.ts'

const FIELD = 'spec.podTemplate.spec.initContainers'
/** As in Kubernetes: an init container ends before anything could check it. */
const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle']

/** The violations of the init containers of a pod. `volumes` are the names that they may mount. */
export function initContainerErrors(
  pod: JsonObject,
  volumes: readonly string[],
): readonly FieldError[] {
  const main = objectOf(listOf(pod['containers'])[0])
  const inits = listOf(pod['initContainers']).map(objectOf)
  return inits.flatMap((init, index) => {
    const field = `${FIELD}[${index}]`
    return [
      ...nameErrors(init, field, [main, ...inits.slice(0, index)]),
      ...programErrors(init, field),
      ...containerErrors(init, field, volumes),
      ...placeErrors(init, field, [main, ...inits.slice(0, index)]),
    ]
  })
}

function nameErrors(
  init: JsonObject,
  field: string,
  others: readonly JsonObject[],
): readonly FieldError[] {
  const name = textOf(init['name'])
  if (others.some((other) => textOf(other['name']) === name)) {
    return [duplicateValue(`${field}.name`, name)]
  }
  return dnsLabelMessages(name).map((message) => invalidValue(`${field}.name`, name, message))
}

function programErrors(init: JsonObject, field: string): readonly FieldError[] {
  const sidecar = 'a sandbox has one program: start others with it'
  return [
    ...(textsOf(init['command']).length > 0 ? [] : [requiredValue(`${field}.command`)]),
    ...(init['restartPolicy'] === undefined
      ? []
      : [forbiddenValue(`${field}.restartPolicy`, sidecar)]),
    ...PROBES.filter((name) => init[name] !== undefined).map((name) =>
      forbiddenValue(`${field}.${name}`, 'init containers end before they could be checked'),
    ),
  ]
}

/** All containers of a sandbox share its mounts. */
function placeErrors(
  init: JsonObject,
  field: string,
  others: readonly JsonObject[],
): readonly FieldError[] {
  const mounts = others.flatMap((other) => listOf(other['volumeMounts']).map(objectOf))
  return listOf(init['volumeMounts']).flatMap((value, index) => {
    const { name, mountPath = '', readOnly = false } = objectOf(value)
    const same = mounts.find((other) => other['mountPath'] === mountPath)
    if (same === undefined) return []
    if (same['name'] === name && (same['readOnly'] ?? false) === readOnly) return []
    const rule = 'another container mounts something else there: use another path'
    return [invalidValue(`${field}.volumeMounts[${index}].mountPath`, mountPath, rule)]
  })
}
