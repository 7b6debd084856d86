import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { resolvePath } from '../../http/validation/schema-path.ts'

/** Searches a valid body for fields that its schema ignores. */
export interface IgnoredMembers {
  /** Whether any exist. The usual result, false, costs one lookup per field. */
  some(value: JsonValue): boolean
  /** Their paths, below the path of the value itself. */
  paths(value: JsonValue, path?: string): readonly string[]
}

/**
 * Compiles a schema to a search for the fields that it ignores: unlisted fields of objects with
 * `properties` and no rule for other fields. Null if the schema ignores nothing. Excludes specs,
 * which are stored completely.
 */
export function ignoredMembers(document: JsonObject, schema: JsonObject): IgnoredMembers | null {
  const { schema: resolved } = resolvePath(document, schema, [])
  const { properties, additionalProperties, items } = resolved
  if (isJsonObject(items)) return inItems(ignoredMembers(document, items))
  if (!isJsonObject(properties)) return null
  const members = new Map(
    Object.entries(properties).map(([name, member]) => {
      const isSearched = name !== 'spec' && isJsonObject(member)
      return [name, isSearched ? ignoredMembers(document, member) : null]
    }),
  )
  const isOpen = additionalProperties === undefined
  if (!isOpen && [...members.values()].every((inside) => inside === null)) return null
  return inMembers(members, isOpen)
}

function inItems(item: IgnoredMembers | null): IgnoredMembers | null {
  if (item === null) return null
  return {
    some: (value) => Array.isArray(value) && value.some(item.some),
    paths: (value, path = '') => {
      if (!Array.isArray(value)) return []
      return value.flatMap((each, index) => item.paths(each, `${path}[${index}]`))
    },
  }
}

function inMembers(
  members: ReadonlyMap<string, IgnoredMembers | null>,
  isOpen: boolean,
): IgnoredMembers {
  return {
    some: (value) => {
      if (!isJsonObject(value)) return false
      for (const name in value) {
        const inside = members.get(name)
        if (inside === undefined ? isOpen : inside?.some(value[name] ?? null)) return true
      }
      return false
    },
    paths: (value, path = '') => {
      if (!isJsonObject(value)) return []
      return Object.entries(value).flatMap(([name, member]) => {
        const inside = members.get(name)
        const place = path === '' ? name : `${path}.${name}`
        if (inside === undefined) return isOpen ? [place] : []
        return inside?.paths(member, place) ?? []
      })
    },
  }
}
