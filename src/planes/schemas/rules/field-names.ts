import { RESERVED } from '../../../lib/cel/syntax/parse-expression.ts'

const KEYWORDS: ReadonlySet<string> = new Set([...RESERVED, 'true', 'false', 'null', 'in'])

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
])

/** The name of a property in CEL; null if expressions cannot access it. */
export function celFieldName(property: string): string | null {
  if (KEYWORDS.has(property)) return `__${property}__`
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(property)) return null
  return property.replaceAll(/__|[-./]/g, (found) => ESCAPES.get(found) ?? found)
}
