import { must } from '../../../lib/assert.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { objectInvalid } from '../../errors/failures.ts'
import type { Target } from '../../model/object-operations.ts'
import { applyDefaults, removeNulls } from '../../schemas/defaults.ts'
import { validateAgainstSchema } from '../../schemas/validate-object.ts'

/** The body of a request to a subresource with defaults. 422 if it violates the declared schema. */
export function readDeclaredBody(
  body: JsonObject,
  { type, subresource, name }: Target,
): JsonObject {
  const declared = must(
    type.subresources?.find((each) => each.name === subresource),
    `the subresource ${subresource}`,
  )
  const schema = must(declared.body, `the schema of ${subresource}`)
  const given = applyDefaults(removeNulls(body, schema), schema)
  const errors = validateAgainstSchema(given, schema)
  const kind = schema.definition?.split('.').at(-1) ?? declared.kind
  if (errors.length > 0) throw objectInvalid({ group: type.group, kind }, name, errors)
  return given
}
