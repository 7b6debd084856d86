import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { invalidValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'

const FIELD = 'metadata.ownerReferences'
const REQUIRED = [
  ['apiVersion', 'version must not be empty'],
  ['kind', 'must not be empty'],
  ['name', 'must not be empty'],
  ['uid', 'must not be empty'],
] as const

/** The violations of the rules of owner references. */
export function ownerReferenceErrors(value: JsonValue | undefined): readonly FieldError[] {
  if (!Array.isArray(value)) return []
  const references = value.filter((item: JsonValue) => isJsonObject(item))
  const errors = references.flatMap((reference) => {
    const missing = REQUIRED.flatMap(([member, message]) =>
      (reference[member] ?? '') === ''
        ? [invalidValue(`${FIELD}.${member}`, reference[member] ?? '', message)]
        : [],
    )
    const isEvent = reference['apiVersion'] === 'v1' && reference['kind'] === 'Event'
    if (!isEvent) return missing
    const message = '/v1, Kind=Event is disallowed from being an owner'
    return [...missing, invalidValue(FIELD, reference, message)]
  })
  const [first, second] = references
    .filter(({ controller }) => controller === true)
    .map(({ kind, name }) => [kind, name].filter((part) => typeof part === 'string').join('/'))
  if (first === undefined || second === undefined) return errors
  const message = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`
  return [...errors, invalidValue(FIELD, references, message)]
}
