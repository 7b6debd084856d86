import { endsStep, type Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { resolvePath } from '../../http/validation/schema-path.ts'
import { MAX_WARNINGS } from './warning-header.ts'

/** Searches a valid body for fields that its schema ignores. */
export interface IgnoredMembers {
  /** Whether any exist. The usual result, false, costs one lookup per field. */
  some(value: JsonValue): boolean
  /** Adds them to those that were found, below the path of the value itself. */
  find(value: JsonValue, found: FoundMembers, path?: string): Steps<void>
}

/** The first ignored fields, by path, of the number of all. */
export class FoundMembers {
  readonly paths: string[] = []
  count = 0

  add(parent: string, name: string): void {
    this.count += 1
    if (this.paths.length < MAX_WARNINGS) this.paths.push(pathOf(parent, name))
  }
}

const pathOf = (parent: string, name: string): string =>
  parent === '' ? name : `${parent}.${name}`

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
    *find(value, found, path = '') {
      if (!Array.isArray(value)) return
      for (const [index, each] of value.entries()) {
        yield* item.find(each, found, `${path}[${index}]`)
      }
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
    *find(value, found, path = '') {
      if (!isJsonObject(value)) return
      for (const name in value) {
        if (endsStep()) yield
        const inside = members.get(name)
        if (inside) yield* inside.find(value[name] ?? null, found, pathOf(path, name))
        else if (inside === undefined && isOpen) found.add(path, name)
      }
    },
  }
}
