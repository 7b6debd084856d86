import type { JsonValue } from '../../lib/json/json.ts'
import { requiredValue } from '../../planes/errors/field-errors.ts'
import type { FieldError } from '../../planes/model/field-error.ts'
import { objectOf } from '../../lib/json/json-fields.ts'
import { pathErrors } from './text-errors.ts'

/** Parameters of stores that are paths. */
const PATHS = ['path', 'prefix']

/** The violations of the parameters of a class or a claim. Other values are the driver's. */
export function parametersErrors(
  field: string,
  parameters: JsonValue | undefined,
): readonly FieldError[] {
  const values = objectOf(parameters)
  return [
    ...(values[''] === undefined ? [] : [requiredValue(`${field}[]`, 'a parameter needs a name')]),
    ...PATHS.flatMap((name) => pathErrors(`${field}[${name}]`, values[name])),
  ]
}
