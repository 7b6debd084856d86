import type { CreationResult, RemovalResult } from '../../../src/fleets/members/fleet-members.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/lib/json/json.ts'
import { textOf } from '../../../src/lib/json/json-fields.ts'

const CREATION_RESULTS: readonly CreationResult['result'][] = [
  'created',
  'adopted',
  'conflict',
  'failed',
]
const REMOVAL_RESULTS: readonly RemovalResult['result'][] = ['removed', 'claimed', 'gone']

/** Parses the response to a creation of members. */
export function parseCreationResults({ items }: JsonObject): readonly CreationResult[] {
  return objectsOf(items).flatMap(({ name, result, message }) => {
    const known = CREATION_RESULTS.find((each) => each === result)
    return known === undefined
      ? []
      : [{ name: textOf(name), result: known, message: textOf(message) }]
  })
}

/** Parses the response to a removal of members. */
export function parseRemovalResults({ items }: JsonObject): readonly RemovalResult[] {
  return objectsOf(items).flatMap(({ id, result }) => {
    const known = REMOVAL_RESULTS.find((each) => each === result)
    return known === undefined ? [] : [{ id: textOf(id), result: known }]
  })
}

/** The objects of a list; an empty list for anything else. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
