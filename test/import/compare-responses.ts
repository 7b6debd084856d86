import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json/json.ts'
import { objectsOf, textOf } from '../../src/lib/json/json-fields.ts'
import { preciseDateOf } from '../../src/lib/precise-date.ts'
import { AGGREGATED_TYPES } from '../../src/store/model/condition.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const LIST_ADDITIONS: ReadonlySet<string> = new Set(['kind', 'next', 'resource_version'])
const AGGREGATED: ReadonlySet<string> = new Set(AGGREGATED_TYPES)

/**
 * Both bodies in a form in which they are equal, except for the differences that
 * docs/coming-from-hyperfleet.md lists. Each rule below is a row of that page.
 */
export function comparable(body: JsonValue, recorded: JsonValue): readonly [JsonValue, JsonValue] {
  return [normalized(body, recorded), normalized(recorded, recorded)]
}

function normalized(value: JsonValue, recorded: JsonValue): JsonValue {
  if (typeof value === 'string') return TIME.test(value) ? withSixDigits(value) : value
  if (!isJsonObject(value)) {
    if (!Array.isArray(value)) return value
    const others: readonly JsonValue[] = Array.isArray(recorded) ? recorded : []
    return value.map((item: JsonValue, at) => normalized(item, others[at] ?? null))
  }
  const other = isJsonObject(recorded) ? recorded : {}
  const entries = Object.entries<JsonValue>(value)
    .filter(([name]) => !isLeftOut(name, value, other))
    .map(([name, member]): [string, JsonValue] => {
      if (name === 'href') return [name, flatHref(textOf(member))]
      if (name === 'conditions' && !('adapter' in value))
        return [name, conditions(objectsOf(member), objectsOf(other[name]))]
      return [name, normalized(member, other[name] ?? null)]
    })
  return Object.fromEntries(entries)
}

/** Lists have more members than HyperFleet's, and a resource without tenancy has none. */
function isLeftOut(name: string, value: JsonObject, recorded: JsonObject): boolean {
  if ('items' in value && LIST_ADDITIONS.has(name)) return !Object.hasOwn(recorded, name)
  return name === 'tenancy' && Object.keys(value['tenancy'] ?? {}).length === 0
}

/** Digits after the sixth are dropped, and zeros at the end are written. */
function withSixDigits(time: string): string {
  return preciseDateOf(time).toISOString()
}

/** The href of a node pool is not nested. */
function flatHref(href: string): string {
  return href.replace(/\/clusters\/[^/]+\/nodepools\//, '/nodepools/')
}

/** In any order, and those of the recorded family only. */
function conditions(found: readonly JsonObject[], recorded: readonly JsonObject[]): JsonValue {
  const types = new Set(recorded.map(({ type }) => type))
  return Object.fromEntries(
    found
      .filter(({ type }) => types.has(type ?? null) || !AGGREGATED.has(textOf(type)))
      .map((condition): [string, JsonValue] => {
        const { last_updated_time, ...rest } = condition
        const isAggregated = AGGREGATED.has(textOf(condition['type']))
        return [
          textOf(condition['type']),
          normalized(
            isAggregated ? rest : { ...rest, last_updated_time: last_updated_time ?? null },
            {},
          ),
        ]
      }),
  )
}
