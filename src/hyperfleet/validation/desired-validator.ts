import { lazy } from '../../lib/lazy.ts'
import { invalid } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { must } from '../../lib/assert.ts'
import type { Desired } from '../../store/model/resource-fields.ts'
import { describeViolations } from '../../http/validation/describe-violation.ts'
import { type SchemaCompiler, schemaErrorsOf } from '../../http/validation/schema-compiler.ts'

/** The fields that a patch changes, in the format of the wire. */
interface DesiredFields extends Partial<Omit<Desired, 'refs'>> {
  readonly references?: JsonObject
}

/** Fills in the defaults of the schemas; throws `invalid` with every violation. */
export type DesiredValidator = (fields: JsonObject) => DesiredFields

/**
 * Creates the validators of patched resources, by kind. They apply the rules of request bodies with
 * the same Ajv and the same messages.
 */
export function createDesiredValidators(
  compiler: SchemaCompiler,
  kinds: readonly string[],
): ReadonlyMap<string, DesiredValidator> {
  return new Map(kinds.map((kind) => [kind, createValidator(compiler, kind)]))
}

function createValidator(compiler: SchemaCompiler, kind: string): DesiredValidator {
  const { document } = compiler
  const schema = { type: 'object', properties: propertiesOfPatch(document, kind) }
  const validator = lazy(() => compiler.compile<DesiredFields>(schema))
  const bodySchema = { ...schema, required: ['spec'] }
  return (fields) => {
    const validate = validator()
    if (validate(fields)) return fields
    const errors = schemaErrorsOf(validate, 'body')
    throw invalid(describeViolations(errors, { document, bodySchema, body: fields }))
  }
}

/** The schemas of the fields that a patch of this kind can change. */
function propertiesOfPatch(document: JsonObject, kind: string): JsonValue {
  const path = ['components', 'schemas', `${kind}PatchRequest`, 'properties']
  const properties = path.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    document,
  )
  return must(properties, `properties of ${kind}PatchRequest`)
}
