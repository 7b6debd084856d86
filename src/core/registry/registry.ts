import { assert, must } from '../../lib/assert.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Kind, RegisteredKind } from './kind.ts'
import { kindProblems } from './kind-problems.ts'

/** The kinds of one server, checked. Shared code asks it; nothing else knows a kind by name. */
export interface Registry {
  readonly kinds: readonly RegisteredKind[]
  byName(kind: string): RegisteredKind
}

/** A registry cannot be built from these kinds; every problem is listed. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the declared kinds are not valid:\n${problems.map((text) => `  - ${text}`).join('\n')}`)
    this.problems = problems
  }
}

interface Sources {
  readonly kinds: readonly Kind[]
  /** The spec schema of each kind, by kind. */
  readonly specSchemas: ReadonlyMap<string, JsonObject>
  /** Required adapters that replace a kind's own, by kind. */
  readonly requiredAdapters: ReadonlyMap<string, readonly string[]>
}

/** Builds the registry; throws a RegistryError that lists every problem at once. */
export function createRegistry(sources: Sources): Registry {
  const problems = kindProblems(sources.kinds)
  for (const { kind } of sources.kinds) {
    if (!sources.specSchemas.has(kind)) problems.push(`${kind}: the schema ${kind}Spec is missing`)
  }
  if (problems.length > 0) throw new RegistryError(problems)
  const kinds = sources.kinds.map((kind) => register(kind, sources))
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  return {
    kinds,
    byName: (name) => must(byName.get(name), `kind ${name}`),
  }
}

function register(kind: Kind, sources: Sources): RegisteredKind {
  const specSchema = sources.specSchemas.get(kind.kind)
  assert(specSchema, `schema of ${kind.kind}`)
  const requiredAdapters = sources.requiredAdapters.get(kind.kind) ?? kind.requiredAdapters
  return Object.freeze({ ...kind, requiredAdapters, specSchema })
}
