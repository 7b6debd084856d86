import type { DiffLine } from './diff-lines.ts'

/** Lines to show, or a number of unchanged lines to hide. */
export type DiffPart =
  | { readonly type: 'lines'; readonly lines: readonly DiffLine[] }
  | { readonly type: 'hidden'; readonly lines: readonly DiffLine[] }

/** Hides unchanged lines except for those next to a change. */
export function collapseLines(lines: readonly DiffLine[], context = 3): readonly DiffPart[] {
  const isNear = nearChange(lines, context)
  const parts: { type: 'lines' | 'hidden'; lines: DiffLine[] }[] = []
  lines.forEach((line, index) => {
    const type = isNear[index] === true ? 'lines' : 'hidden'
    const last = parts.at(-1)
    if (last?.type === type) last.lines.push(line)
    else parts.push({ type, lines: [line] })
  })
  // A hidden line takes as much space as its replacement.
  return parts.map((part) => (part.lines.length === 1 ? { ...part, type: 'lines' } : part))
}

function nearChange(lines: readonly DiffLine[], context: number): readonly boolean[] {
  const isNear = lines.map(() => false)
  lines.forEach(({ type }, index) => {
    if (type === 'same') return
    const end = Math.min(lines.length - 1, index + context)
    for (let near = Math.max(0, index - context); near <= end; near += 1) isNear[near] = true
  })
  return isNear
}
