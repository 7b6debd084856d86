import { PROSE_RULES, type ProseRule } from './rules.ts'
import type { Passage } from './passage.ts'

export interface Finding {
  /** From 1. */
  readonly line: number
  /** The words that matched, on one line. */
  readonly words: string
  readonly rule: ProseRule
}

const CODE_SPAN = /(`+)[^`]+\1/g
const LINK_TARGET = /\]\([^)\s]*\)|https?:\/\/\S+/g

const COMPILED = PROSE_RULES.map((rule) => ({
  rule,
  regex: new RegExp(rule.pattern.replaceAll(' ', '\\s+'), 'gi'),
}))

/** Every match of a rule outside code spans and link targets, in order. */
export function findingsIn({ line, text }: Passage): readonly Finding[] {
  const prose = text.replaceAll(CODE_SPAN, blank).replaceAll(LINK_TARGET, blank)
  return COMPILED.flatMap(({ rule, regex }) =>
    [...prose.matchAll(regex)].map((match) => ({
      line: line + prose.slice(0, match.index).split('\n').length - 1,
      words: match[0].replaceAll(/\s+/g, ' ').trim(),
      rule,
    })),
  ).toSorted((one, other) => one.line - other.line)
}

/** Keeps line ends, so that positions still lead to lines. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, '~')
}
