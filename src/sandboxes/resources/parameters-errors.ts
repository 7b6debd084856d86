import { type JsonValue, objectOf } from 'flotilla'
import { type FieldError, requiredValue } from 'flotilla/planes'
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
