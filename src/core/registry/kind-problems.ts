import type { Kind } from './kind.ts'

const PASCAL_CASE = /^[A-Z][A-Za-z0-9]*$/
const PATH_SEGMENT = /^[a-z][a-z0-9_]*$/

/** Segments that the routes use beside the plurals of kinds. */
const RESERVED_PLURALS = new Set(['openapi', 'statuses', 'resources', 'snapshots'])

/** Everything that is wrong with a list of kinds, one line each; empty when they fit together. */
export function kindProblems(kinds: readonly Kind[]): string[] {
  return [
    ...kinds.flatMap((kind) => ownProblems(kind).map((text) => `${kind.kind}: ${text}`)),
    ...duplicates(kinds, 'kind'),
    ...duplicates(kinds, 'plural'),
    ...duplicates(kinds, 'singular'),
    ...kinds.flatMap((kind) => parentProblems(kind, kinds)),
  ]
}

function ownProblems(kind: Kind): string[] {
  const problems: string[] = []
  if (!PASCAL_CASE.test(kind.kind)) problems.push('kind must be PascalCase')
  if (!PATH_SEGMENT.test(kind.plural))
    problems.push(`plural '${kind.plural}' is not a path segment`)
  if (!PATH_SEGMENT.test(kind.singular))
    problems.push(`singular '${kind.singular}' is not a path segment`)
  if (RESERVED_PLURALS.has(kind.plural)) problems.push(`plural '${kind.plural}' is reserved`)
  if (kind.name.minLength < 1) problems.push('name.minLength must be at least 1')
  if (kind.name.maxLength < kind.name.minLength)
    problems.push('name.maxLength is below name.minLength')
  if (new Set(kind.requiredAdapters).size < kind.requiredAdapters.length) {
    problems.push('requiredAdapters names an adapter twice')
  }
  if (kind.parent === null && kind.searchFields.some((field) => field.column === 'owner_id')) {
    problems.push('searchFields declares owner_id, but the kind has no parent')
  }
  return problems
}

function duplicates(kinds: readonly Kind[], member: 'kind' | 'plural' | 'singular'): string[] {
  const seen = new Set<string>()
  const problems: string[] = []
  for (const kind of kinds) {
    const value = kind[member]
    if (seen.has(value)) problems.push(`${kind.kind}: ${member} '${value}' is declared twice`)
    seen.add(value)
  }
  return problems
}

function parentProblems(kind: Kind, kinds: readonly Kind[]): string[] {
  const visited = new Set([kind.kind])
  let current: Kind | undefined = kind
  while (current?.parent) {
    const name: string = current.parent.kind
    if (visited.has(name)) return [`${kind.kind}: its parents form a cycle through '${name}'`]
    visited.add(name)
    current = kinds.find((candidate) => candidate.kind === name)
    if (!current) return [`${kind.kind}: parent kind '${name}' is not declared`]
  }
  return []
}
