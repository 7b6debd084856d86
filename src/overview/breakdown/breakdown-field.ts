import { invalid } from '../../lib/errors.ts'
import type { IndexedField } from '../../store/indexes/indexed-field.ts'
import type { Expression } from '../../store/search/language/expression.ts'
import { parseAll } from '../../store/search/language/parse.ts'
import { printField } from '../../store/search/language/print.ts'

/** A field by which a breakdown groups. */
export type BreakdownField =
  | { readonly type: 'adapter' }
  | { readonly type: 'reason' }
  | { readonly type: 'label'; readonly key: string }
  | { readonly type: 'spec'; readonly path: readonly string[] }

const MAX_FIELDS = 4
/** A comma and the field after it. Keys in double quotes can contain commas. */
const NEXT_FIELD = /,((?:[^,"]|"[^"]*(?:"|$))*)/g

/** The name of a field on the wire, which is also its name in searches. */
export function fieldName(field: BreakdownField): string {
  if (field.type === 'adapter' || field.type === 'reason') return field.type
  return printField({ ...field, span: { start: 0, end: 0 } })
}

/**
 * Parses the fields between commas of `by`. Labels have any key; fields of the spec must be declared
 * for the kind.
 */
export function breakdownFields(
  by: string,
  kind: string,
  declared: readonly IndexedField[],
): readonly BreakdownField[] {
  const paths = declared.filter((field) => field.kind === kind).map(({ path }) => path)
  const fields = new Map<string, BreakdownField>()
  for (const [, part = ''] of `,${by}`.matchAll(NEXT_FIELD)) {
    const word = part.trim()
    const field = fieldOf(word)
    const isDeclared =
      field !== null && (field.type !== 'spec' || paths.some((path) => isSame(path, field.path)))
    if (!isDeclared) throw unknownField(by, word, paths)
    fields.set(fieldName(field), field)
  }
  if (fields.size <= MAX_FIELDS) return [...fields.values()]
  throw problem(by, `by must have at most ${MAX_FIELDS} fields, found ${fields.size}`)
}

function fieldOf(word: string): BreakdownField | null {
  if (word === 'adapter' || word === 'reason') return { type: word }
  const expression = parsed(word)
  if (expression?.type !== 'is-null') return null
  const { field } = expression
  if (field.type === 'label') return { type: 'label', key: field.key }
  return field.type === 'spec' ? { type: 'spec', path: field.path } : null
}

/** Reads the field as a search does. */
function parsed(word: string): Expression | null {
  try {
    return parseAll([`${word} is null`])
  } catch {
    return null
  }
}

function isSame(path: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(path) === JSON.stringify(other)
}

function unknownField(by: string, word: string, paths: readonly (readonly string[])[]): Error {
  const spec = paths.map((path) => fieldName({ type: 'spec', path }))
  const known = ['adapter', 'reason', 'labels.<key>', ...spec].join(', ')
  const advice = 'declare fields of the spec in INDEXED_FIELDS'
  return problem(by, `'${word.slice(0, 100)}' is not a field of breakdowns: ${known}; ${advice}`)
}

function problem(by: string, message: string): Error {
  return invalid([{ field: 'by', message, constraint: 'by', value: by }])
}
