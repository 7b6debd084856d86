import type { Setting } from '../../lib/settings/setting.ts'

/** A field in the spec of a kind that searches find through indexes. */
export interface IndexedField {
  readonly kind: string
  readonly path: readonly string[]
}

/** Each field has three indexes, which every write of a resource of the kind maintains. */
const MAX_FIELDS = 16

const FIELD = /^([A-Za-z][A-Za-z0-9]*):spec((?:\.[A-Za-z0-9_-]+)+)$/

/** Indexed fields between commas. */
export function indexedFields(
  row: Pick<Setting<unknown>, 'env' | 'doc' | 'shared'>,
): Setting<readonly IndexedField[]> {
  return { ...row, type: 'comma list', default: [], read: readIndexedFields }
}

/** Parses a list such as `Ship:spec.flag,Berth:spec.length`. */
export function readIndexedFields(text: string): readonly IndexedField[] {
  const words = text.split(',').map((word) => word.trim())
  const fields = [...new Set(words)].filter((word) => word !== '').map(fieldOf)
  if (fields.length <= MAX_FIELDS) return fields
  throw new Error(`expected at most ${MAX_FIELDS} fields, found ${fields.length}`)
}

function fieldOf(word: string): IndexedField {
  const [, kind, path] = FIELD.exec(word) ?? []
  if (kind === undefined || path === undefined) {
    throw new Error(`expected fields such as Kind:spec.field, found '${word}'`)
  }
  return { kind, path: path.slice(1).split('.') }
}
