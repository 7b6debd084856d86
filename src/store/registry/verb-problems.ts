import { quoteValue } from '../../lib/json/quote-value.ts'
import { suggest } from '../../lib/text/suggest.ts'
import type { Kind } from './kind.ts'
import type { MemberProblem } from './kind-problem.ts'
import { PATH_SEGMENT, SEGMENT_RULE } from './path-segment.ts'
import { type Subresource, VERB_SEGMENTS, VERBS } from './verb.ts'

/** Segments that the API uses below a resource. */
const RESERVED_SEGMENTS = new Set(['control-plane', 'snapshot', ...VERB_SEGMENTS])

/** The problems of the operations that a kind chooses and adds. */
export function verbProblems(kind: Kind, kinds: readonly Kind[]): MemberProblem[] {
  const children = kinds.filter(({ parent }) => parent?.kind === kind.kind)
  const { verbs, subresources = [] } = kind
  return [
    ...(verbs ? listedProblems(verbs) : []),
    ...subresources.flatMap((subresource, place) => {
      const text = subresourceProblem(subresource, subresources.slice(0, place), children)
      return text === null ? [] : [{ member: ['subresources', place, 'segment'], text }]
    }),
  ]
}

function listedProblems(verbs: readonly string[]): MemberProblem[] {
  if (verbs.length === 0) return [{ member: ['verbs'], text: 'must name at least one verb' }]
  return verbs.flatMap((verb, place) => {
    const text = verbProblem(verb, verbs.slice(0, place))
    return text === null ? [] : [{ member: ['verbs', place], text }]
  })
}

function verbProblem(verb: string, before: readonly string[]): string | null {
  if (before.includes(verb)) return `names '${verb}' a second time: remove it`
  if (VERBS.some((known) => known === verb)) return null
  const near = suggest(verb, VERBS)
  const hint = near === null ? `use one of ${VERBS.join(', ')}` : `did you mean ${near}?`
  return `'${verb}' is not a verb: ${hint}`
}

function subresourceProblem(
  { segment, method }: Subresource,
  before: readonly Subresource[],
  children: readonly Kind[],
): string | null {
  if (!PATH_SEGMENT.test(segment)) return `${SEGMENT_RULE}, found ${quoteValue(segment)}`
  if (RESERVED_SEGMENTS.has(segment)) {
    return `'${segment}' is a path of the API itself: choose another`
  }
  const child = children.find(({ plural }) => plural === segment)
  if (child) return `'${segment}' is the plural of ${child.kind}: choose another`
  const isRepeated = before.some((other) => other.segment === segment && other.method === method)
  return isRepeated ? `has ${method} '${segment}' a second time: remove it` : null
}
