import type { Change } from '../model/change.ts'
import { textLength } from '../model/resource.ts'

/** Approximate size of the ids, times and objects of a change, and of a condition. */
const FIXED_BYTES = 1000
const CONDITION_BYTES = 400

/** Size of the chunks in which changes are sent to a watch. */
export const CHUNK_BYTES = 262_144

const sizes = new WeakMap<Change, number>()

/**
 * The approximate size of a change in memory, in bytes. A character of its JSON counts as one byte.
 */
export function changeSize(change: Change): number {
  const size = sizes.get(change) ?? measure(change)
  sizes.set(change, size)
  return size
}

function measure(change: Change): number {
  if (change.subject === 'status') return FIXED_BYTES + JSON.stringify(change.status).length
  const { resource, before } = change
  const conditions =
    (resource.conditions.length + (before?.conditions.length ?? 0)) * CONDITION_BYTES
  const old = before && before.spec !== resource.spec ? before.spec.length : 0
  return FIXED_BYTES + textLength(resource) + conditions + old
}
