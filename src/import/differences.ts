import { isDeepStrictEqual } from 'node:util'
import { FIELD_LIST } from '../store/model/resource-fields.ts'
import type { StatusRecord } from '../store/model/status-record.ts'
import type { Imported } from './imported-resource.ts'

/** The names of the values in which the target differs from the source. */
export function differencesOf(expected: Imported, found: Imported): readonly string[] {
  const fields = FIELD_LIST.filter(
    ({ name }) =>
      name !== 'version' && !isDeepStrictEqual(expected.resource[name], found.resource[name]),
  ).map(({ column }) => column)
  return [...fields, ...reportDifferences(expected.records, found.records)]
}

function reportDifferences(
  expected: readonly StatusRecord[],
  found: readonly StatusRecord[],
): readonly string[] {
  const others = new Map(found.map((record) => [record.adapter, record]))
  const changed = expected
    .filter((record) => !isDeepStrictEqual(record, others.get(record.adapter)))
    .map(({ adapter }) => `report of ${adapter}`)
  const wanted = new Set(expected.map(({ adapter }) => adapter))
  const added = found.filter(({ adapter }) => !wanted.has(adapter))
  return [...changed, ...added.map(({ adapter }) => `report of ${adapter}`)]
}
