import { assert, must } from '../../lib/assert.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { shownPath } from '../../lib/json/member-path.ts'
import { compileRules } from './condition-rule.ts'
import type { Kind, RegisteredKind } from './kind.ts'
import type { StatusHooks } from './status-hooks.ts'
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
  /** Makes the hooks of a kind with statuses; without it, no kind has hooks. */
  readonly statusHooks?: (kind: RegisteredKind) => StatusHooks
}

/** Builds the registry; throws a RegistryError that lists every problem at once. */
export function createRegistry(sources: Sources): Registry {
  const problems = problemsOf(sources)
  if (problems.length > 0) throw new RegistryError(problems)
  const kinds = sources.kinds.map((kind) => register(kind, sources))
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  return {
    kinds,
    byName: (name) => must(byName.get(name), `kind ${name}`),
  }
}

function problemsOf({ kinds, specSchemas }: Sources): readonly string[] {
  return [
    ...kindProblems(kinds).map(({ index, member, text }) => {
      return `${must(kinds[index], 'the kind with a problem').kind}: ${shownPath(member)} ${text}`
    }),
    ...kinds
      .filter(({ kind }) => !specSchemas.has(kind))
      .map(({ kind }) => `${kind}: the schema ${kind}Spec is missing`),
  ]
}

function register(kind: Kind, sources: Sources): RegisteredKind {
  const specSchema = sources.specSchemas.get(kind.kind)
  assert(specSchema, `schema of ${kind.kind}`)
  const requiredAdapters = sources.requiredAdapters.get(kind.kind) ?? kind.requiredAdapters
  const mapping = compileRules(kind.conditions ?? [])
  const registered: RegisteredKind = {
    ...kind,
    requiredAdapters,
    specSchema,
    ...(mapping.length > 0 && { mapping }),
  }
  if (kind.hasStatuses === false || !sources.statusHooks) return Object.freeze(registered)
  return Object.freeze({ ...registered, statusHooks: sources.statusHooks(registered) })
}
