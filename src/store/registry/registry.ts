import { assert, must } from '../../lib/assert.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { formatPath } from '../../lib/json/field-path.ts'
import { compileRules } from './condition-rule.ts'
import type { Kind, RegisteredKind } from './kind.ts'
import type { StatusHooks } from './status-hooks.ts'
import { kindProblems } from './kind-problems.ts'
import { specSchemaProblems } from './spec-schema-problems.ts'

/** The kinds of one server, checked. Shared code asks it instead of naming kinds. */
export interface Registry {
  /** The current kinds. A registration replaces the list and does not change an earlier one. */
  readonly kinds: readonly RegisteredKind[]
  /** Null for a kind that is not registered. */
  find(kind: string): RegisteredKind | null
  /** Throws for a kind that is not registered. */
  byName(kind: string): RegisteredKind
  /**
   * Adds a kind while the server runs. Throws a RegistryError under the rules of boot. If a listener
   * throws, the kind is not registered and the error is passed on. Other servers of the database do
   * not learn of it: each registers its own kinds.
   */
  register(kind: RuntimeKind): RegisteredKind
  /** Calls the listener after each registration, before `register` returns. */
  onRegister(listener: (kind: RegisteredKind) => void): void
}

/** A kind that is registered while the server runs: its spec schema is at hand. */
export type RuntimeKind = Kind & { readonly spec: JsonObject }

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
  /** The start of every `href`: the path of the API that serves the kinds. */
  readonly hrefBase: string
  /** The spec schema of each kind, by kind. */
  readonly specSchemas: ReadonlyMap<string, JsonObject>
  /** Required adapters that replace a kind's own, by kind. */
  readonly requiredAdapters: ReadonlyMap<string, readonly string[]>
  /** Makes the hooks of a kind with statuses; without it, no kind has hooks. */
  readonly statusHooks?: (kind: RegisteredKind) => StatusHooks
}

/** Builds the registry; throws a RegistryError that lists every problem. */
export function createRegistry(sources: Sources): Registry {
  requireNone(problemsOf(sources))
  let kinds: readonly RegisteredKind[] = sources.kinds.map((kind) => compiled(kind, sources))
  let byName = index(kinds)
  const listeners: ((kind: RegisteredKind) => void)[] = []

  function replaceKinds(next: readonly RegisteredKind[]): void {
    kinds = next
    byName = index(next)
  }

  return {
    get kinds() {
      return kinds
    },
    find: (name) => byName.get(name) ?? null,
    byName: (name) => must(byName.get(name), `kind ${name}`),
    onRegister: (listener) => listeners.push(listener),
    register: (kind) => {
      requireNone(runtimeProblems(kinds, kind))
      const specSchemas = new Map([[kind.kind, kind.spec]])
      const requiredAdapters = new Map<string, readonly string[]>()
      const registered = compiled(kind, { ...sources, specSchemas, requiredAdapters })
      const before = kinds
      replaceKinds([...before, registered])
      try {
        for (const listener of listeners) listener(registered)
      } catch (error) {
        replaceKinds(before)
        throw error
      }
      return registered
    },
  }
}

function index(kinds: readonly RegisteredKind[]): ReadonlyMap<string, RegisteredKind> {
  return new Map(kinds.map((kind) => [kind.kind, kind]))
}

function requireNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new RegistryError(problems)
}

function runtimeProblems(before: readonly Kind[], kind: RuntimeKind): readonly string[] {
  return [
    ...kindProblemTexts([...before, kind]),
    ...specSchemaProblems(kind.spec).map(({ path, text }) => {
      return `${kind.kind}: ${[formatPath(['spec', ...path]), text].join(' ')}`
    }),
  ]
}

function kindProblemTexts(kinds: readonly Kind[]): readonly string[] {
  return kindProblems(kinds).map(({ index: place, member, text }) => {
    return `${must(kinds[place], 'the kind with a problem').kind}: ${formatPath(member)} ${text}`
  })
}

function problemsOf({ kinds, specSchemas }: Sources): readonly string[] {
  return [
    ...kindProblemTexts(kinds),
    ...kinds
      .filter(({ kind }) => !specSchemas.has(kind))
      .map(({ kind }) => `${kind}: the schema ${kind}Spec is missing`),
  ]
}

function compiled(kind: Kind, sources: Omit<Sources, 'kinds'>): RegisteredKind {
  const specSchema = sources.specSchemas.get(kind.kind)
  assert(specSchema, `schema of ${kind.kind}`)
  const requiredAdapters = sources.requiredAdapters.get(kind.kind) ?? kind.requiredAdapters
  const mapping = compileRules(kind.conditions ?? [])
  const registered: RegisteredKind = {
    ...kind,
    requiredAdapters,
    specSchema,
    hrefPrefix: `${sources.hrefBase}/${kind.plural}/`,
    ...(mapping.length > 0 && { mapping }),
  }
  if (kind.hasStatuses === false || !sources.statusHooks) return Object.freeze(registered)
  return Object.freeze({ ...registered, statusHooks: sources.statusHooks(registered) })
}
