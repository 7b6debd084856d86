import { invalid } from '../../../lib/errors.ts'
import type { JsonObject, JsonValue } from '../../../lib/json.ts'

/**
 * What may stand after a member's name in `fields`: nothing, any path into free-form JSON, the
 * rest as one key (keys of labels have dots), or one of these members.
 */
export type MemberShape = 'leaf' | 'document' | 'map' | readonly string[]

/** The members of an item, by name. */
export type Members = Readonly<Record<string, MemberShape>>

/** Paths to keep, each a list of keys. */
export type Projection = readonly (readonly string[])[]

/**
 * Parses `fields`: a comma list of top-level or dotted members, of which `always` is one.
 * Null where the parameter is absent or blank; unknown members are VAL-000.
 */
export function parseFields(
  text: string | undefined,
  members: Members,
  always: string,
): Projection | null {
  const names = (text ?? '').split(',').map((name) => name.trim())
  if (names.every((name) => name === '')) return null
  const unknown = names.filter((name) => pathOf(name, members) === null)
  if (unknown.length > 0) {
    const known = Object.keys(members).join(', ')
    throw invalid(
      unknown.map((name) => ({
        field: 'fields',
        message: `fields: '${name}' is not a member; the members are ${known}`,
        value: name,
      })),
    )
  }
  return [[always], ...names.map((name) => pathOf(name, members) ?? [])]
}

function pathOf(name: string, members: Members): readonly string[] | null {
  const [member = '', ...rest] = name.split('.')
  if (!Object.hasOwn(members, member)) return null
  const shape = members[member]
  if (rest.length === 0) return [member]
  if (rest.includes('') || shape === undefined || shape === 'leaf') return null
  if (shape === 'map') return [member, rest.join('.')]
  if (shape === 'document') return [member, ...rest]
  return rest.length === 1 && shape.includes(rest[0] ?? '') ? [member, ...rest] : null
}

/** The item with the kept paths only, in the item's own order. */
export function project(item: JsonObject, paths: Projection): JsonObject {
  const kept: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(item)) {
    const below = paths.filter((path) => path[0] === key).map((path) => path.slice(1))
    if (below.some((path) => path.length === 0)) kept.push([key, value])
    else if (below.length > 0 && isObject(value)) kept.push([key, project(value, below)])
  }
  return Object.fromEntries(kept)
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
