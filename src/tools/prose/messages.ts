import type { Passage } from './passage.ts'

const LITERAL = /(?<!\w)(['"`])((?:\\.|(?!\1).)*)\1/g
const FOUR_WORDS = /(?:\S+\s+){3}\S/
const SQL = /::|\b(?:select|returning|order by|distinct from)\b/
const COMMENT = /^\s*(?:\/\/|\/?\*)/

/**
 * String literals of one line that read like messages: four words or more, and no SQL. They include
 * errors, log lines and descriptions of settings.
 */
export function messagesOf(source: string): readonly Passage[] {
  return source.split('\n').flatMap((code, index) => {
    if (COMMENT.test(code)) return []
    return [...code.matchAll(LITERAL)]
      .map(([, , text = '']) => text)
      .filter((text) => FOUR_WORDS.test(text) && !SQL.test(text))
      .map((text) => ({ line: index + 1, text }))
  })
}
