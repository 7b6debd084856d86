import { isSameJson, objectOf } from 'flotilla'
import {
  type ApiObject,
  type FieldError,
  forbiddenValue,
  type NativeResource,
  type Schema,
} from 'flotilla/planes'

const DETAIL = 'a proposed field, which SANDBOX_SNAPSHOT_API=off rejects'

/**
 * The resource without what upstream has not released: a kind whose fields are all proposed cannot
 * be created, and other kinds cannot get proposed fields. Stored objects stay usable.
 */
export function withoutProposals(resource: NativeResource): NativeResource {
  const { type, strategy } = resource
  const [version] = type.versions
  const fields = version?.schema.properties ?? {}
  const isProposed = !Object.values(fields).some((field) => field['x-maturity'] === 'stable')
  const errorsOf = isProposed
    ? (object: ApiObject, old: ApiObject | null) => kindErrors(object, old, fields)
    : (object: ApiObject, old: ApiObject | null) => fieldErrors(object, old, fields)
  return {
    ...resource,
    strategy: {
      ...strategy,
      validate: async (object, old, context) => {
        const errors = context.subresource === 'status' ? [] : errorsOf(object, old)
        return [...errors, ...((await strategy?.validate?.(object, old, context)) ?? [])]
      },
    },
  }
}

type Fields = Readonly<Record<string, Schema>>

function kindErrors(object: ApiObject, old: ApiObject | null, fields: Fields) {
  const changed = Object.keys(fields).filter(
    (name) =>
      fields[name]?.['x-maturity'] !== undefined &&
      name !== 'status' &&
      !isSameJson(object[name] ?? null, old?.[name] ?? null),
  )
  if (old !== null) return changed.map((name) => forbiddenValue(name, DETAIL))
  const detail = `${object.kind} is a proposed kind, which SANDBOX_SNAPSHOT_API=off rejects`
  return [forbiddenValue('kind', detail)]
}

/** The proposed fields of the spec that a write adds or changes, unless they have their default. */
function fieldErrors(
  object: ApiObject,
  old: ApiObject | null,
  fields: Fields,
): readonly FieldError[] {
  const spec = objectOf(object['spec'])
  const before = objectOf(old?.['spec'])
  return Object.entries(fields['spec']?.properties ?? {}).flatMap(([name, schema]) => {
    const value = spec[name] ?? null
    if (schema['x-maturity'] === 'stable' || value === null) return []
    if (isSameJson(value, before[name] ?? schema.default ?? null)) return []
    return [forbiddenValue(`spec.${name}`, DETAIL)]
  })
}
