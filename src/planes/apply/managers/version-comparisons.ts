import type { Steps } from '../../../lib/async/steps.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { type Comparison, compareObjects } from '../typed/compare-objects.ts'
import { type FieldWrite, trackedPart, typeInVersion } from './field-write.ts'
import { trackedObject } from './tracked-fields.ts'

/** The changes of a write in the terms of an API version; null if the version is unknown. */
export type ChangesIn = (apiVersion: string) => Steps<Comparison | null>

/** Compares the tracked fields of two objects, once for each API version. */
export function changesOf(write: FieldWrite, before: JsonObject, after: JsonObject): ChangesIn {
  const part = trackedPart(write)
  const [old, young] = [trackedObject(before, part), trackedObject(after, part)]
  const comparisons = new Map<string, Comparison | null>()
  return function* inVersion(apiVersion) {
    const known = comparisons.get(apiVersion)
    if (known !== undefined) return known
    const type = typeInVersion(write, apiVersion)
    const comparison = type === null ? null : yield* compareObjects(type, old, young)
    comparisons.set(apiVersion, comparison)
    return comparison
  }
}

/** Whether nothing differs. */
export function isUnchanged({ added, modified, removed }: Comparison): boolean {
  return added.size + modified.size + removed.size === 0
}
