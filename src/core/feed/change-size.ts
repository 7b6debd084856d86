import type { Change } from '../model/change.ts'
import { textLength } from '../model/resource.ts'

/** About what ids, times and the objects around them take, and what a condition does. */
const SMALL_MEMBERS = 1000
const CONDITION = 400

/** Bytes of changes that are sent to a watch at a time. */
export const PARCEL = 262_144

const sizes = new WeakMap<Change, number>()

/** About how many bytes a change takes in memory: a character of its JSON counts as one byte. */
export function changeSize(change: Change): number {
  const size = sizes.get(change) ?? measure(change)
  sizes.set(change, size)
  return size
}

function measure(change: Change): number {
  if (change.subject === 'status') return SMALL_MEMBERS + JSON.stringify(change.status).length
  const { resource, before } = change
  const conditions = (resource.conditions.length + (before?.conditions.length ?? 0)) * CONDITION
  const old = before && before.spec !== resource.spec ? before.spec.length : 0
  return SMALL_MEMBERS + textLength(resource) + conditions + old
}
