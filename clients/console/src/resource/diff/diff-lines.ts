/** A line of a comparison. Line numbers start at 1. */
export interface DiffLine {
  readonly type: 'same' | 'removed' | 'added'
  readonly text: string
  readonly oldLine: number | null
  readonly newLine: number | null
}

/** Above this number of comparisons, the changed part is shown as removed and added completely. */
const MAX_CELLS = 4_000_000

/** Compares two texts line by line, with the fewest changed lines. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1
  let tail = 0
  const room = Math.min(old.length, fresh.length) - start
  while (tail < room && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  const numbered = numberer()
  const middle = changedPart(
    old.slice(start, old.length - tail),
    fresh.slice(start, fresh.length - tail),
  )
  const rest = old.slice(old.length - tail)
  return [
    ...old.slice(0, start).map((text) => numbered('same', text)),
    ...middle.map(([type, text]) => numbered(type, text)),
    ...rest.map((text) => numbered('same', text)),
  ]
}

type Step = readonly [type: DiffLine['type'], text: string]

function changedPart(old: readonly string[], fresh: readonly string[]): readonly Step[] {
  const isSmall = old.length * fresh.length <= MAX_CELLS
  if (!isSmall || old.length === 0 || fresh.length === 0) {
    return [
      ...old.map((text): Step => ['removed', text]),
      ...fresh.map((text): Step => ['added', text]),
    ]
  }
  return stepsOf(old, fresh, commonLengths(old, fresh))
}

/** The length of the longest common subsequence of every pair of suffixes. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === fresh[j]
          ? 1 + (lengths[(i + 1) * width + j + 1] ?? 0)
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  return lengths
}

function stepsOf(
  old: readonly string[],
  fresh: readonly string[],
  lengths: Uint32Array,
): readonly Step[] {
  const width = fresh.length + 1
  const steps: Step[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    const [oldLine, newLine] = [old[i], fresh[j]]
    if (oldLine !== undefined && oldLine === newLine) {
      steps.push(['same', oldLine])
      i += 1
      j += 1
      continue
    }
    const below = lengths[(i + 1) * width + j] ?? 0
    const right = lengths[i * width + j + 1] ?? 0
    if (oldLine !== undefined && (newLine === undefined || below >= right)) {
      steps.push(['removed', oldLine])
      i += 1
    } else if (newLine !== undefined) {
      steps.push(['added', newLine])
      j += 1
    }
  }
  return steps
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

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return text.replace(/\n$/, '').split('\n')
}
