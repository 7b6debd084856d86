import type { Kind } from './kind.ts'
import type { MemberProblem } from './kind-problem.ts'
import { unknownKind } from './unknown-kind.ts'

/** The problems of a kind's reference to its parent. Problems of the parent itself are its own. */
export function parentProblems(kind: Kind, kinds: readonly Kind[]): MemberProblem[] {
  if (kind.parent === null) return []
  const member = ['parent', 'kind']
  const text = unknownKind(kind.parent.kind, kinds) ?? cycleOf(kind, kinds)
  return text === null ? [] : [{ member, text }]
}

/** The cycle that the kind's parents close, or null. */
function cycleOf(kind: Kind, kinds: readonly Kind[]): string | null {
  const line = [kind.kind]
  let current: Kind | undefined = kind
  while (current?.parent) {
    const name: string = current.parent.kind
    if (name === kind.kind) return `closes a cycle: ${[...line, name].join(', ')}`
    if (line.includes(name)) return null
    line.push(name)
    current = kinds.find((candidate) => candidate.kind === name)
  }
  return null
}
