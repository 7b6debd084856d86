import { type Passage, passagesOf } from './passage.ts'

const FENCE = /^\s*(```+|~~~+)/

/** The prose of a Markdown page: everything outside fenced code, one passage per paragraph. */
export function markdownProseOf(source: string): readonly Passage[] {
  let fence: string | null = null
  const lines = source.split('\n').map((line) => {
    const marker = FENCE.exec(line)?.[1] ?? null
    if (fence !== null) {
      if (marker?.startsWith(fence)) fence = null
      return null
    }
    fence = marker
    return fence === null && line.trim() !== '' ? line : null
  })
  return passagesOf(lines)
}
