import { invalid } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'

/**
 * The path that may follow a field's name in `fields`: none, any path into free-form JSON, the rest
 * as one key (label keys contain dots), or one of these fields.
 */
export type MemberShape = 'leaf' | 'document' | 'map' | readonly string[]

/** The fields of an item, by name. */
export type Members = Readonly<Record<string, MemberShape>>

/** The fields to keep, by key: null keeps the whole field, a projection keeps fields below it. */
export type Projection = ReadonlyMap<string, Projection | null>

type Tree = Map<string, Tree | null>

/**
 * Parses `fields`: a comma-separated list of top-level or dotted fields. The result always includes
 * `always`. Null if the parameter is absent or blank; throws `invalid` for unknown fields.
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
        message: `fields: '${name}' is not a field; the fields are ${known}`,
        value: name,
      })),
    )
  }
  const kept: Tree = new Map([[always, null]])
  for (const name of names) keep(kept, pathOf(name, members) ?? [])
  return kept
}

function keep(tree: Tree, path: readonly string[]): void {
  let level = tree
  for (const [depth, key] of path.entries()) {
    const below = level.get(key)
    if (below === null) return
    if (depth === path.length - 1) {
      level.set(key, null)
      return
    }
    const next: Tree = below ?? new Map()
    level.set(key, next)
    level = next
  }
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

/** Reduces an item to the fields of a projection, in the item's order. */
export function project(item: JsonObject, projection: Projection): JsonObject {
  const kept: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(item)) {
    const below = projection.get(key)
    if (below === null) kept.push([key, value])
    else if (below && isJsonObject(value)) kept.push([key, project(value, below)])
  }
  return Object.fromEntries(kept)
}
