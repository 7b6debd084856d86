import { type ReadResource, textLength } from '../../store/model/resource.ts'
import type { OwnedReport } from './subtree-state.ts'

/** Size of an object and its index entries without its texts, in bytes. */
const OBJECT_BYTES = 1500
/** Size of a condition without its texts, in bytes. */
const CONDITION_BYTES = 800
/** A text is kept as read, and in the serialized item, list and response. */
const TEXT_COPIES = 4

/** The approximate size of a resource in the snapshot cache, in bytes. */
export function sizeOfResource(resource: ReadResource): number {
  return OBJECT_BYTES + TEXT_COPIES * textLength(resource) + sizeOfConditions(resource.conditions)
}

/** The approximate size of a report in the snapshot cache, in bytes. */
export function sizeOfReport({ status: { data, metadata, conditions } }: OwnedReport): number {
  const texts = JSON.stringify(data).length + JSON.stringify(metadata).length
  return OBJECT_BYTES + TEXT_COPIES * texts + sizeOfConditions(conditions)
}

function sizeOfConditions(
  conditions: readonly { readonly reason?: string; readonly message?: string }[],
): number {
  return conditions.reduce((size, { reason = '', message = '' }) => {
    return size + CONDITION_BYTES + TEXT_COPIES * (reason.length + message.length)
  }, 0)
}
