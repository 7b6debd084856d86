import { isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Passage } from './passage.ts'

const PROSE_KEYS: readonly unknown[] = ['description', 'summary', 'title', 'doc']

/** The texts under keys such as `description` in a YAML document. */
export function descriptionsOf(source: string): readonly Passage[] {
  const lines = new LineCounter()
  const passages: Passage[] = []
  visit(parseDocument(source, { lineCounter: lines }), {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !PROSE_KEYS.includes(key.value)) return
      if (!isScalar(value) || typeof value.value !== 'string' || !value.range) return
      const [start, end] = value.range
      passages.push({ line: lines.linePos(start).line, text: source.slice(start, end) })
    },
  })
  return passages
}
