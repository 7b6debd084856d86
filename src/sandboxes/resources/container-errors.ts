import { type JsonObject, type JsonValue, listOf, objectOf, textOf } from 'flotilla'
import { type FieldError, invalidValue, parseQuantity, valueNotFound } from 'flotilla/planes'
import { probeErrors } from './probe-errors.ts'
import { pathErrors } from './text-errors.ts'

/** As kubelet requires: any printable ASCII except `=`. */
const ENV_NAME = /^[\x20-\x3c\x3e-\x7e]+$/

/** The violations of the container of a pod template. `volumes` are the names that it may mount. */
export function containerErrors(
  container: JsonObject,
  field: string,
  volumes: readonly string[],
): readonly FieldError[] {
  return [
    ...pathErrors(`${field}.workingDir`, container['workingDir']),
    ...envErrors(container['env'], `${field}.env`),
    ...limitErrors(container['resources'], `${field}.resources`),
    ...probeErrors(container, field),
    ...mountErrors(container['volumeMounts'], `${field}.volumeMounts`, volumes),
  ]
}

function envErrors(env: JsonValue | undefined, field: string): readonly FieldError[] {
  return listOf(env).flatMap((value, index) => {
    const name = textOf(objectOf(value)['name'])
    const rule = 'must consist of printable ASCII characters other than "="'
    return ENV_NAME.test(name) ? [] : [invalidValue(`${field}[${index}].name`, name, rule)]
  })
}

function limitErrors(resources: JsonValue | undefined, field: string): readonly FieldError[] {
  return ['limits', 'requests'].flatMap((kind) =>
    Object.entries(objectOf(objectOf(resources)[kind])).flatMap(([name, amount]) => {
      const text = typeof amount === 'number' ? String(amount) : textOf(amount)
      const quantity = parseQuantity(text)
      if (quantity !== null && quantity.nanos >= 0n) return []
      return [
        invalidValue(`${field}.${kind}[${name}]`, amount, 'must be a quantity, such as 512Mi'),
      ]
    }),
  )
}

function mountErrors(
  mounts: JsonValue | undefined,
  field: string,
  volumes: readonly string[],
): readonly FieldError[] {
  return listOf(mounts).flatMap((value, index) => {
    const { name, mountPath } = objectOf(value)
    const unknown = volumes.includes(textOf(name))
      ? []
      : [valueNotFound(`${field}[${index}].name`, textOf(name))]
    return [...unknown, ...pathErrors(`${field}[${index}].mountPath`, mountPath)]
  })
}
