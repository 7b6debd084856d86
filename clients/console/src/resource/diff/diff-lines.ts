import { diffArrays } from 'diff'

/** A line of a comparison. Line numbers start at 1. */
export interface DiffLine {
  readonly type: 'same' | 'removed' | 'added'
  readonly text: string
  readonly oldLine: number | null
  readonly newLine: number | null
}

/** The time of a comparison grows with the square of the number of changed lines. */
const MAX_CHANGED_LINES = 500

/**
 * Compares two texts line by line, with the fewest changed lines. If too many lines have changed, all
 * are shown as removed and added.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const changes = diffArrays(old, fresh, { maxEditLength: MAX_CHANGED_LINES }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: fresh },
  ]
  const numbered = numberer()
  return changes.flatMap(({ removed, added, value }) => {
    const type = removed ? 'removed' : added ? 'added' : 'same'
    return value.map((text) => numbered(type, text))
  })
}

function numberer(): (type: DiffLine['type'], text: string) => DiffLine {
  let [oldLine, newLine] = [0, 0]
  return (type, text) => {
    if (type !== 'added') oldLine += 1
    if (type !== 'removed') newLine += 1
    return {
      type,
      text,
      oldLine: type === 'added' ? null : oldLine,
      newLine: type === 'removed' ? null : newLine,
    }
  }
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return text.replace(/\n$/, '').split('\n')
}
