import { type Passage, passagesOf } from './passage.ts'

/** The markers of comments in a language. */
export interface CommentSyntax {
  readonly line: string
  readonly hasBlocks: boolean
}

const BLOCK_START = /^\s*\/\*+/
const BLOCK_END = /\*\/.*$/
const QUOTED = /(['"`])(?:\\.|(?!\1).)*(?:\1|$)/g

/**
 * The comments of a source file. A block comment starts its line, which the formatter ensures.
 * A line comment may follow code.
 */
export function commentsOf(source: string, syntax: CommentSyntax): readonly Passage[] {
  let inBlock = false
  const lines = source.split('\n').map((line) => {
    const startsBlock = !inBlock && syntax.hasBlocks && BLOCK_START.test(line)
    if (!inBlock && !startsBlock) return lineComment(line, syntax.line)
    inBlock = !BLOCK_END.test(line)
    return line
      .replace(startsBlock ? BLOCK_START : /^\s*\*(?!\/)/, '')
      .replace(BLOCK_END, '')
      .trim()
  })
  return passagesOf(lines)
}

function lineComment(line: string, marker: string): string | null {
  const start = markerIn(line, marker)
  if (start === -1) return null
  return line.slice(start + marker.length).replace(/^[/!\s]+/, '')
}

/** The index of a line's comment, or -1. After code, the marker has spaces around it. */
function markerIn(line: string, marker: string): number {
  if (line.trimStart().startsWith(marker)) return line.indexOf(marker)
  const start = line.replaceAll(QUOTED, blank).indexOf(` ${marker} `)
  return start === -1 ? -1 : start + 1
}

function blank(text: string): string {
  return '~'.repeat(text.length)
}
