import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Registry } from '../../registry/registry.ts'
import { schemaRules } from './schema-rules.ts'

/**
 * The configuration that all servers of a database must share: one group per kind, and `settings`.
 * It is stored in the database and must not have secrets.
 */
export type SharedConfiguration = Readonly<Record<string, JsonObject>>

/** A configuration field with different values on two servers. */
export interface Difference {
  /** Such as `Cluster.required_adapters`, or the name of a kind that only one server declares. */
  readonly member: string
  readonly here: JsonValue
  readonly there: JsonValue
}

/** The configuration of this server. `settings` are keyed by environment variable. */
export function sharedConfiguration(registry: Registry, settings: JsonObject): SharedConfiguration {
  const kinds = registry.kinds.map((kind) => [kind.kind, membersOf(kind)] as const)
  return { ...Object.fromEntries(kinds), settings }
}

/** The fields, with the names of the configuration file. */
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
    // Long values are compared by hash.
    conditions: hash(conditions.map((rule) => ({ ...rule }))),
    spec_rules: hash(schemaRules(kind.specSchema)),
  }
}

/** A hash that does not depend on the order of fields. */
export function fingerprintOf(configuration: SharedConfiguration): string {
  return hash(configuration)
}

/**
 * The differences between two configurations. Ignores fields that only one version of Flotilla
 * compares.
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

/** JSON with sorted fields. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_name, member: JsonValue) =>
    isJsonObject(member)
      ? Object.fromEntries(
          Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : member,
  )
}
