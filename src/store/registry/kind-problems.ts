import { quoteValue } from '../../lib/json/quote-value.ts'
import { adapterProblems } from './adapter-problems.ts'
import { conditionProblems } from './condition-problems.ts'
import type { Kind } from './kind.ts'
import type { KindProblem, MemberProblem } from './kind-problem.ts'
import { nameClashes } from './name-clashes.ts'
import { parentProblems } from './parent-problems.ts'
import { PATH_SEGMENT, SEGMENT_RULE } from './path-segment.ts'
import { referenceProblems } from './reference-problems.ts'
import { verbProblems } from './verb-problems.ts'
import { VERB_SEGMENTS } from './verb.ts'

/** The maximum length of a DNS name. */
const LONGEST_NAME = 253

const PASCAL_CASE = /^[A-Z][A-Za-z0-9]*$/

/** Segments that routes use in addition to the plurals of kinds. */
const RESERVED_PLURALS = new Set([
  'adapters',
  'audit',
  'kinds',
  'openapi',
  'overview',
  'resources',
  'snapshots',
  'webhooks',
  'whoami',
  ...VERB_SEGMENTS,
])

/** Every problem of a list of kinds; empty if the list is valid. */
export function kindProblems(kinds: readonly Kind[]): KindProblem[] {
  return kinds.flatMap((kind, index) => {
    const problems = [
      ...segmentProblems(kind),
      ...nameClashes(kind, kinds.slice(0, index)),
      ...nameLengthProblems(kind),
      ...adapterProblems(kind.requiredAdapters),
      ...parentProblems(kind, kinds),
      ...referenceProblems(kind, kinds),
      ...conditionProblems(kind),
      ...verbProblems(kind, kinds),
    ]
    return problems.map((problem) => ({ index, ...problem }))
  })
}

function segmentProblems({ kind, plural, singular }: Kind): MemberProblem[] {
  const problems: MemberProblem[] = []
  const report = (member: string, text: string): number => problems.push({ member: [member], text })
  if (!PASCAL_CASE.test(kind)) {
    report('kind', `must be PascalCase, such as DnsZone, found ${quoteValue(kind)}`)
  }
  if (RESERVED_PLURALS.has(plural)) {
    report('plural', `'${plural}' is a path of the API itself: choose another`)
  } else if (!PATH_SEGMENT.test(plural)) {
    report('plural', `${SEGMENT_RULE}, found ${quoteValue(plural)}`)
  }
  // A singular derived from the kind is checked with the kind.
  if (singular !== kind.toLowerCase() && !PATH_SEGMENT.test(singular)) {
    report('singular', `${SEGMENT_RULE}, found ${quoteValue(singular)}`)
  }
  return problems
}

function nameLengthProblems({ name: { minLength, maxLength } }: Kind): MemberProblem[] {
  const problems: MemberProblem[] = []
  if (minLength < 1) {
    problems.push({ member: ['name', 'minLength'], text: `must be at least 1, found ${minLength}` })
  }
  if (maxLength > LONGEST_NAME || maxLength < minLength) {
    const range = `must be from the least length, ${minLength}, to ${LONGEST_NAME}`
    problems.push({ member: ['name', 'maxLength'], text: `${range}, found ${maxLength}` })
  }
  return problems
}
