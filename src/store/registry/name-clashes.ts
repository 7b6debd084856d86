import type { Kind } from './kind.ts'
import type { MemberProblem } from './kind-problem.ts'
import { documentNames, RESERVED_NAMES } from './document-names.ts'

/** The names of a kind that the API or an earlier kind already uses. */
export function nameClashes(kind: Kind, before: readonly Kind[]): MemberProblem[] {
  if (before.some((other) => other.kind === kind.kind)) {
    return [{ member: ['kind'], text: `'${kind.kind}' is declared twice: remove one` }]
  }
  return [
    ...documentClashes(kind, before),
    ...(['plural', 'singular'] as const).flatMap((member) => {
      const holder = before.find((other) => other[member] === kind[member])
      if (!holder) return []
      const text = `'${kind[member]}' is the ${member} of ${holder.kind}: choose another`
      return [{ member: [member], text }]
    }),
  ]
}

function documentClashes(kind: Kind, before: readonly Kind[]): MemberProblem[] {
  const names = new Set(documentNames(kind))
  const reserved = RESERVED_NAMES.find((name) => names.has(name))
  if (reserved !== undefined) {
    const text = `'${kind.kind}' would take the name ${reserved} of the API's document: choose another`
    return [{ member: ['kind'], text }]
  }
  for (const other of before) {
    const name = documentNames(other).find((taken) => names.has(taken))
    if (name === undefined) continue
    const text = `'${kind.kind}' and ${other.kind} would share the name ${name} in the API's document: choose another`
    return [{ member: ['kind'], text }]
  }
  return []
}
