/** The most duplicate fields that are reported. */
const MAX_DUPLICATES = 100

/** An open object or list. */
interface Level {
  /** The keys so far; null for a list. */
  readonly keys: Set<string> | null
  key: string
  index: number
  /** Whether the next string is a key. */
  isBeforeKey: boolean
}

/** The paths of the keys that an object has more than once. The text must be valid JSON. */
export function duplicateFields(text: string): readonly string[] {
  const duplicates = new Set<string>()
  const levels: Level[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    const level = levels.at(-1)
    if (character === '"') {
      const end = endOfString(text, at)
      if (level?.isBeforeKey === true && addKey(level, text.slice(at, end + 1))) {
        if (duplicates.size < MAX_DUPLICATES) duplicates.add(pathOf(levels))
      }
      at = end
    } else if (character === '{') {
      levels.push({ keys: new Set(), key: '', index: 0, isBeforeKey: true })
    } else if (character === '[') {
      levels.push({ keys: null, key: '', index: 0, isBeforeKey: false })
    } else if (character === '}' || character === ']') levels.pop()
    else if (character === ',' && level !== undefined) {
      level.index += 1
      level.isBeforeKey = level.keys !== null
    }
  }
  return [...duplicates]
}

/** Returns whether the object has the key already. */
function addKey(level: Level, literal: string): boolean {
  level.isBeforeKey = false
  level.key = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)
  const count = level.keys?.size
  level.keys?.add(level.key)
  return level.keys?.size === count
}

/** The offset of the closing quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 1
}

function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ keys, key, index }) => (keys === null ? `[${index}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')
}
