import type { MemberProblem } from './kind-problem.ts'

/** The maximum length of an adapter's name in a report. */
const LONGEST = 255

/** The problems of a kind's required adapters. */
export function adapterProblems(adapters: readonly string[]): MemberProblem[] {
  return adapters.flatMap((adapter, place) => {
    const text = problemOf(adapter, adapters.slice(0, place))
    return text === null ? [] : [{ member: ['requiredAdapters', place], text }]
  })
}

function problemOf(adapter: string, before: readonly string[]): string | null {
  const { length } = Array.from(adapter)
  if (length < 1 || length > LONGEST) {
    return `must be 1 to ${LONGEST} characters, found ${length}`
  }
  return before.includes(adapter) ? `names '${adapter}' a second time: remove it` : null
}
