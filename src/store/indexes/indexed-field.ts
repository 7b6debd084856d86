import type { Setting } from '../../lib/settings/setting.ts'

/** A field in the spec of a kind that searches find through indexes. */
export interface IndexedField {
  readonly kind: string
  readonly path: readonly string[]
}

/** The time of the last change of a kind's resources, by which lists are ordered through an index. */
export interface IndexedTime {
  readonly kind: string
  readonly column: 'updated_time'
}

/** A field that `INDEXED_FIELDS` declares. */
export type DeclaredField = IndexedField | IndexedTime

/** A field of a spec has three indexes, which every write of a resource of the kind maintains. */
const MAX_FIELDS = 16

const FIELD = /^([A-Za-z][A-Za-z0-9]*):(?:spec((?:\.[A-Za-z0-9_-]+)+)|updated_time)$/

/** Declared fields between commas. */
export function declaredFields(
  row: Pick<Setting<unknown>, 'env' | 'doc' | 'shared'>,
): Setting<readonly DeclaredField[]> {
  return { ...row, type: 'comma list', default: [], read: readDeclaredFields }
}

/** The declared fields of specs. */
export function indexedFieldsOf(fields: readonly DeclaredField[]): readonly IndexedField[] {
  return fields.filter((field) => 'path' in field)
}

/** Parses a list such as `Ship:spec.flag,Ship:updated_time`. */
export function readDeclaredFields(text: string): readonly DeclaredField[] {
  const words = text.split(',').map((word) => word.trim())
  const fields = [...new Set(words)].filter((word) => word !== '').map(fieldOf)
  if (fields.length <= MAX_FIELDS) return fields
  throw new Error(`expected at most ${MAX_FIELDS} fields, found ${fields.length}`)
}

function fieldOf(word: string): DeclaredField {
  const [, kind, path] = FIELD.exec(word) ?? []
  if (kind === undefined) {
    throw new Error(`expected fields such as Kind:spec.field or Kind:updated_time, found '${word}'`)
  }
  return path === undefined
    ? { kind, column: 'updated_time' }
    : { kind, path: path.slice(1).split('.') }
}
