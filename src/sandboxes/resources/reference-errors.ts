import type { JsonValue } from 'flotilla'
import { type FieldError, invalidValue } from 'flotilla/planes'
import { nameMessages } from 'flotilla/planes/native'

/** The violations of the name of another object; none if it is absent. */
export function referenceErrors(field: string, name: JsonValue | undefined): readonly FieldError[] {
  if (typeof name !== 'string') return []
  return nameMessages(name, 'dns-subdomain').map((message) => invalidValue(field, name, message))
}
