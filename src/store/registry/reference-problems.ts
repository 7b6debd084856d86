import { quoteValue } from '../../lib/json/quote-value.ts'
import type { Kind, ReferenceRule } from './kind.ts'
import type { MemberProblem } from './kind-problem.ts'
import { unknownKind } from './unknown-kind.ts'

const TYPE = /^[a-z][a-z0-9_]*$/

/** The problems of a kind's declared references. */
export function referenceProblems({ references }: Kind, kinds: readonly Kind[]): MemberProblem[] {
  return references.flatMap((rule, place) => {
    const before = references.slice(0, place).map(({ type }) => type)
    const problems = {
      type: typeProblem(rule.type, before),
      kind: unknownKind(rule.kind, kinds),
      min: rule.min < 0 ? `must be at least 0, found ${rule.min}` : null,
      max: maxProblem(rule),
    }
    return Object.entries(problems).flatMap(([member, text]) => {
      return text === null ? [] : [{ member: ['references', place, member], text }]
    })
  })
}

function typeProblem(type: string, before: readonly string[]): string | null {
  if (!TYPE.test(type)) {
    return `must be lower-case letters, digits and '_', a letter first, found ${quoteValue(type)}`
  }
  return before.includes(type) ? `'${type}' is declared twice: choose another` : null
}

function maxProblem({ min, max }: ReferenceRule): string | null {
  if (max === null) return null
  if (max < 1) return `must be at least 1, found ${max}`
  return max < min ? `must not be below min, ${min}, found ${max}` : null
}
