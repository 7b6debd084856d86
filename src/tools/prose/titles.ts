import type { Passage } from './passage.ts'

const TITLE = /^\s*(?:describe|it|test)(?:\.\w+)*\(\s*(['"`])(.*?)\1/gm

/** The titles of a file's tests. */
export function testTitlesOf(source: string): readonly Passage[] {
  return [...source.matchAll(TITLE)].map((match) => ({
    line: source.slice(0, match.index + match[0].search(/\S/)).split('\n').length,
    text: match[2] ?? '',
  }))
}
