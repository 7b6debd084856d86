/** A range of an expression. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** A parenthesis and its partner, as offsets. */
interface Parenthesis {
  readonly at: number
  readonly partner: number
}

/** String literals, also raw and triple-quoted ones, and comments. */
const SKIPPED =
  /[rRbB]{0,2}(?:"""[^]*?"""|'''[^]*?''')|[rR]"[^"\n]*"|[rR]'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*/y

/** The parentheses of an expression with their partners, in order. */
export function parenthesesIn(text: string): readonly Parenthesis[] {
  const found: Parenthesis[] = []
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
    const partner = character === ')' ? open.pop() : undefined
    if (partner !== undefined) found.push({ at, partner }, { at: partner, partner: at })
    at += 1
  }
  return found.toSorted((one, other) => one.at - other.at)
}

/**
 * The smallest range around a node that splits no pair of parentheses. The nodes of the engine leave
 * out the parentheses around their first and last operands.
 */
export function balancedRange(node: TextRange, parentheses: readonly Parenthesis[]): TextRange {
  let { start, end } = node
  for (let index = firstFrom(parentheses, start); ; index += 1) {
    const next = parentheses[index]
    if (next === undefined || next.at >= end) return { start, end }
    end = Math.max(end, next.partner + 1)
    if (next.partner < start) {
      start = next.partner
      index = firstFrom(parentheses, start)
    }
  }
}

/** The index of the first parenthesis at or after an offset. */
function firstFrom(parentheses: readonly Parenthesis[], offset: number): number {
  let low = 0
  let high = parentheses.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((parentheses[middle]?.at ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}
