import { textOfValue } from '../form/field-value.ts'
import type { JsonObject } from '../yaml/parse-yaml.ts'

/** The text with which the page starts. */
export const EMPTY_TEXT = 'name: ""\nlabels: {}\nspec: {}\n'

/** A create request that the text describes. */
export interface CreateRequest {
  readonly name: string
  readonly body: JsonObject
}

const FIELDS = ['labels', 'annotations', 'references', 'spec']

/** Reads the fields of a create request. Empty fields such as `labels:` are omitted. */
export function createRequestOf(kind: string, value: JsonObject): CreateRequest {
  const entries = FIELDS.map((field) => [field, value[field]] as const)
  const given = entries.filter(([, content]) => content !== undefined && content !== null)
  return {
    name: textOfValue(value['name']),
    body: { kind, spec: {}, ...Object.fromEntries(given) },
  }
}

/** Fields of the text that a create request does not have: the server would ignore them. */
export function unknownFields(value: JsonObject): readonly string[] {
  return Object.keys(value).filter((field) => field !== 'name' && !FIELDS.includes(field))
}
