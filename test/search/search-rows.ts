import fc, { type Arbitrary } from 'fast-check'
import type { ConditionStatus, ResourceCondition } from '../../src/store/model/condition.ts'
import type { SearchRow } from '../../src/store/search/memory/search-row.ts'
import { reflectTimes } from '../../src/hyperfleet/statuses/conditions/reflect-times.ts'
import type { ReportTime } from '../../src/store/model/status-record.ts'
import type { JsonObject, JsonValue } from '../../src/lib/json/json.ts'
import {
  ADAPTERS,
  CONDITIONS,
  DOUBLES,
  FIRST_TIME,
  LABEL_KEYS,
  SPEC_KEYS,
  STATUSES,
  STORED_TIMES,
  TEXTS,
} from './search-samples.ts'

/** The searchable columns of a row of `resources`, with its reports. */
export interface SearchableRow {
  readonly id: string
  readonly name: string
  readonly created_by: string
  readonly updated_by: string
  readonly generation: number
  readonly created_time: Date
  readonly updated_time: Date
  readonly deleted_time: Date | null
  readonly deleted_by: string | null
  readonly kind: string
  readonly owner_id: string
  readonly labels: Readonly<Record<string, string>>
  readonly spec: JsonObject
  /** The stored conditions, with the report times of the resource's last change. */
  readonly conditions: readonly ResourceCondition[]
  readonly reports: readonly ReportTime[]
}

/** A random row with this id. */
export function searchableRow(id: string): Arbitrary<SearchableRow> {
  const text = fc.constantFrom(...TEXTS)
  return fc.record({
    id: fc.constant(id),
    name: text,
    created_by: text,
    updated_by: text,
    generation: fc.constantFrom(0, 1, 2, 7, 10, 2_147_483_647),
    created_time: time(),
    updated_time: time(),
    deleted_time: fc.option(time()),
    deleted_by: fc.option(text),
    kind: fc.constant('Berth'),
    owner_id: text,
    labels: members(LABEL_KEYS, text),
    spec: spec(),
    conditions: fc.uniqueArray(condition(), { selector: ({ type }) => type }),
    reports: fc.uniqueArray(report(), { selector: ({ adapter }) => adapter }),
  })
}

function time(): Arbitrary<Date> {
  return fc.integer({ min: -2, max: 3 }).map((offset) => new Date(FIRST_TIME + offset))
}

function members<T>(keys: readonly string[], value: Arbitrary<T>): Arbitrary<Record<string, T>> {
  const entry = fc.tuple(fc.constantFrom(...keys), value)
  return fc.array(entry, { maxLength: 5 }).map((entries) => Object.fromEntries(entries))
}

/** A spec with few keys, so that searches find values of every type. */
function spec(): Arbitrary<JsonObject> {
  const leaf: Arbitrary<JsonValue> = fc.oneof(
    fc.constantFrom(...TEXTS),
    fc.constantFrom(...DOUBLES),
    fc.boolean(),
    fc.constant(null),
  )
  const inner: Arbitrary<JsonValue> = fc.oneof(
    leaf,
    members(SPEC_KEYS, leaf),
    fc.array(leaf, { maxLength: 3 }),
  )
  const value = fc.oneof(leaf, members(SPEC_KEYS, inner), fc.array(inner, { maxLength: 3 }))
  return fc
    .tuple(members(SPEC_KEYS, value), members(['a', 'B', '0'], value))
    .map(([odd, common]) => Object.fromEntries([...Object.entries(odd), ...Object.entries(common)]))
}

function condition(): Arbitrary<ResourceCondition> {
  const stored = fc.constantFrom(...STORED_TIMES)
  const fields = fc.record({
    type: fc.constantFrom(...CONDITIONS),
    status: fc.constantFrom(...STATUSES),
    observed_generation: fc.constantFrom(0, 1, 2, 10, 2_147_483_647),
    created_time: stored,
    last_updated_time: stored,
    last_transition_time: stored,
  })
  const reason = fc.constantFrom(null, ...TEXTS)
  return fc
    .tuple(fields, reason)
    .map(([found, text]) => (text === null ? found : { ...found, reason: text }))
}

function report(): Arbitrary<ReportTime> {
  return fc.record({
    adapter: fc.constantFrom(...ADAPTERS),
    availableGeneration: fc.constantFrom(null, 0, 1, 2, 7),
    lastReportTime: time(),
  })
}

/** The row in the form of `evaluate`, with the times that GET returns. */
export function searchRowOf(row: SearchableRow, requiredAdapters: readonly string[]): SearchRow {
  const scalars = new Map<string, unknown>(Object.entries(row))
  const { conditions, generation, reports } = row
  const shown = reflectTimes({ conditions, generation }, requiredAdapters, reports)
  return {
    scalar: (column) => {
      const value = scalars.get(column)
      const known = typeof value === 'string' || typeof value === 'number' || value instanceof Date
      if (known || value === null) return value
      throw new Error(`no column ${column}`)
    },
    labels: row.labels,
    conditions: new Map(shown.map((listed) => [listed.type, listed])),
    spec: row.spec,
  }
}

/** `{Type: Status}` */
export function statusesOf({ conditions }: SearchableRow): Record<string, ConditionStatus> {
  return Object.fromEntries(conditions.map(({ type, status }) => [type, status]))
}
