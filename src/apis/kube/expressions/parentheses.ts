/** A range of an expression. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** String literals, also raw and triple-quoted ones, and comments. */
const SKIPPED =
  /[rRbB]{0,2}(?:"""[^]*?"""|'''[^]*?''')|[rR]"[^"\n]*"|[rR]'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*/y

/** The pairs of parentheses of an expression, as ranges. */
export function parenthesisPairs(text: string): readonly TextRange[] {
  const pairs: TextRange[] = []
  const open: number[] = []
  let at = 0
  while (at < text.length) {
    SKIPPED.lastIndex = at
    if (SKIPPED.test(text)) {
      at = SKIPPED.lastIndex
      continue
    }
    const character = text.charAt(at)
    if (character === '(') open.push(at)
    if (character === ')') pairs.push({ start: open.pop() ?? 0, end: at + 1 })
    at += 1
  }
  return pairs
}

/**
 * The smallest range around a node that splits no pair of parentheses. The nodes of the engine leave
 * out the parentheses around their first and last operands.
 */
export function balancedRange(node: TextRange, pairs: readonly TextRange[]): TextRange {
  let { start, end } = node
  for (;;) {
    const split = pairs.find((pair) => {
      const hasOpening = pair.start >= start && pair.start < end
      const hasClosing = pair.end > start && pair.end <= end
      return hasOpening !== hasClosing
    })
    if (split === undefined) return { start, end }
    start = Math.min(start, split.start)
    end = Math.max(end, split.end)
  }
}
