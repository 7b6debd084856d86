import { suggest } from '../../lib/text/suggest.ts'
import type { Kind } from './kind.ts'

/** Explains that a name is not a kind of the list, with a suggestion; null if it is one. */
export function unknownKind(name: string, kinds: readonly Kind[]): string | null {
  const names = kinds.map(({ kind }) => kind)
  if (names.includes(name)) return null
  const near = suggest(name, names)
  const hint = near === null ? `use one of ${names.join(', ')}` : `did you mean ${near}?`
  return `'${name}' is not a kind: ${hint}`
}
