/** The place of the cursor in a YAML text, also in one that cannot be parsed yet. */
export interface CursorContext {
  /** The path of the parent of a key, or of a value itself. */
  readonly path: readonly (string | number)[]
  readonly position: 'key' | 'value'
  /** The start of the word at the cursor. */
  readonly from: number
}

/** An open block: its indentation, and its key or its index in a list. */
interface Level {
  readonly indent: number
  readonly key: string | number
}

const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:[{"'&*!|>%@`-][^#:]*?|-[^\s#:][^#:]*?)\s*:(?=\s|$)/
const BLOCK_TEXT = /[|>][+-]?\d*\s*(?:#.*)?$/

/** Finds the path of the cursor by indentation; null in comments, block texts and flow collections. */
export function cursorContext(text: string, offset: number): CursorContext | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const levels: Level[] = []
  let blockTextIndent: number | null = null
  for (const line of text.slice(0, start).split('\n')) {
    if (/^\s*(?:#.*)?$/.test(line)) continue
    const indent = indentOf(line)
    if (blockTextIndent !== null && indent > blockTextIndent) continue
    blockTextIndent = BLOCK_TEXT.test(line) ? indent : null
    enter(levels, line)
  }
  const line = text.slice(start, offset)
  if (blockTextIndent !== null && indentOf(line) > blockTextIndent) return null
  if (/(^|\s)#/.test(line)) return null
  return contextIn(levels, line, start)
}

function contextIn(levels: Level[], line: string, start: number): CursorContext | null {
  const column = enterItems(levels, line)
  const content = line.slice(column)
  const key = KEY.exec(content)
  if (key === null) {
    if (/["'[{&*!|>]/.test(content)) return null
    return { path: pathOf(levels, column), position: 'key', from: start + column }
  }
  const value = content.slice(key[0].length)
  if (/^\s*["'[{&*!|>]/.test(value)) return null
  const before = value.length - value.trimStart().length
  const path = [...pathOf(levels, column), unquote(key[1] ?? '')]
  return { path, position: 'value', from: start + column + key[0].length + before }
}

/** Opens the blocks of a line: its list items and its key. */
function enter(levels: Level[], line: string): void {
  const column = enterItems(levels, line)
  const key = KEY.exec(line.slice(column))?.[1]
  close(levels, column)
  if (key !== undefined) levels.push({ indent: column, key: unquote(key) })
}

/** Opens the list items of a line and returns the column of the content. */
function enterItems(levels: Level[], line: string): number {
  let column = indentOf(line)
  while (/^-(\s|$)/.test(line.slice(column))) {
    // A list can have the indentation of its key.
    while ((levels.at(-1)?.indent ?? -1) > column) levels.pop()
    const last = levels.at(-1)
    const index = last?.indent === column && typeof last.key === 'number' ? last.key + 1 : 0
    if (index > 0) levels.pop()
    levels.push({ indent: column, key: index })
    const rest = line.slice(column + 1)
    column += 1 + (rest.length - rest.trimStart().length)
  }
  return column
}

function close(levels: Level[], column: number): void {
  while ((levels.at(-1)?.indent ?? -1) >= column) levels.pop()
}

function pathOf(levels: readonly Level[], column: number): (string | number)[] {
  return levels.filter(({ indent }) => indent < column).map(({ key }) => key)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function unquote(key: string): string {
  return /^["']/.test(key) ? key.slice(1, -1) : key
}
