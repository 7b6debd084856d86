import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Registry } from '../../registry/registry.ts'

/**
 * What all servers of a database must agree on: members by kind, and `settings`. It is stored in
 * the database, so it has no secrets.
 */
export type SharedConfiguration = Readonly<Record<string, JsonObject>>

/** A member that another server has with another value. */
export interface Difference {
  /** `Cluster.required_adapters`, or a kind that one of them does not have. */
  readonly member: string
  readonly here: JsonValue
  readonly there: JsonValue
}

/** The configuration of a server; `settings` are by the name of the variable. */
export function sharedConfiguration(registry: Registry, settings: JsonObject): SharedConfiguration {
  const kinds = registry.kinds.map((kind) => [kind.kind, membersOf(kind)] as const)
  return { ...Object.fromEntries(kinds), settings }
}

/** Members in the spelling of the configuration file. */
function membersOf(kind: RegisteredKind): JsonObject {
  const { plural, parent, name, references, messages, conditions = [] } = kind
  return {
    plural,
    parent_kind: parent?.kind ?? null,
    on_parent_delete: parent?.onDelete ?? null,
    name: { min_length: name.minLength, max_length: name.maxLength },
    required_adapters: kind.requiredAdapters.toSorted(),
    references: references.map((rule) => ({ ...rule })),
    messages: { ...messages },
    // Long values are compared by their hash alone.
    conditions: hash(conditions.map((rule) => ({ ...rule }))),
    spec_schema: hash(kind.specSchema),
  }
}

/** Equal configurations have equal fingerprints, whatever the order of their members. */
export function fingerprintOf(configuration: SharedConfiguration): string {
  return hash(configuration)
}

/**
 * What differs between two configurations. Members that one of the two versions of Flotilla does
 * not compare are not compared.
 */
export function differencesBetween(
  here: SharedConfiguration,
  there: JsonObject,
): readonly Difference[] {
  const groups = [...new Set([...Object.keys(here), ...Object.keys(there)])].toSorted()
  return groups.flatMap((group) => {
    const [mine, theirs] = [here[group], there[group]]
    if (!isJsonObject(mine) || !isJsonObject(theirs)) {
      return [{ member: group, here: presence(mine), there: presence(theirs) }]
    }
    return Object.entries(mine).flatMap(([name, value]): Difference[] => {
      const other = theirs[name]
      if (other === undefined || isDeepStrictEqual(other, value)) return []
      return [{ member: `${group}.${name}`, here: value, there: other }]
    })
  })
}

function presence(group: JsonValue | undefined): string {
  return isJsonObject(group) ? 'declared' : 'not declared'
}

function hash(value: JsonValue): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16)
}

/** JSON with the members of objects in order. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_name, member: JsonValue) =>
    isJsonObject(member)
      ? Object.fromEntries(
          Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : member,
  )
}
