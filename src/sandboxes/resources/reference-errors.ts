import type { JsonValue } from '../../lib/json/json.ts'
import { invalidValue } from '../../planes/errors/field-errors.ts'
import type { FieldError } from '../../planes/model/field-error.ts'
import { nameMessages } from '../../planes/native/metadata/name-syntax.ts'

/** The violations of the name of another object; none if it is absent. */
export function referenceErrors(field: string, name: JsonValue | undefined): readonly FieldError[] {
  if (typeof name !== 'string') return []
  return nameMessages(name, 'dns-subdomain').map((message) => invalidValue(field, name, message))
}
