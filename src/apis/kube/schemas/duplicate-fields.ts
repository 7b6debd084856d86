import { scanJson } from '../../../http/json/scan-json.ts'

/** The most duplicate fields that are reported. */
const MAX_DUPLICATES = 100

/** An open object or list. */
interface Level {
  /** The keys so far; null for a list. */
  readonly keys: Set<string> | null
  key: string
  index: number
}

/** The paths of the keys that an object of the JSON text has more than once. */
export function duplicateFields(text: string): readonly string[] {
  const duplicates: string[] = []
  const levels: Level[] = []
  scanJson(text, (token, start, end) => {
    const level = levels.at(-1)
    if (token === '{') levels.push({ keys: new Set(), key: '', index: 0 })
    else if (token === '[') levels.push({ keys: null, key: '', index: 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',' && level) level.index += 1
    else if (token === 'key' && level?.keys) {
      level.key = stringOf(text.slice(start, end))
      if (level.keys.has(level.key) && duplicates.length < MAX_DUPLICATES) {
        duplicates.push(pathOf(levels))
      }
      level.keys.add(level.key)
    }
  })
  return [...new Set(duplicates)]
}

function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ keys, key, index }) => (keys === null ? `[${index}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')
}

function stringOf(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)
}
