import type { Kind } from './kind.ts'
import type { MemberProblem } from './kind-problem.ts'
import { unknownKind } from './unknown-kind.ts'

/** What is wrong with a kind's parent; a parent's own problems are told of the parent alone. */
export function parentProblems(kind: Kind, kinds: readonly Kind[]): MemberProblem[] {
  if (kind.parent === null) return []
  const member = ['parent', 'kind']
  const text = unknownKind(kind.parent.kind, kinds) ?? cycleOf(kind, kinds)
  return text === null ? [] : [{ member, text }]
}

/** How the kind's parents lead back to it; null where they do not. */
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
