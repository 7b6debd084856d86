import { type ReadResource, textLength } from '../model/resource.ts'
import type { OwnedReport } from './subtree-state.ts'

/** What an object takes besides its texts, and what its share in the indexes takes. */
const BYTES_OF_OBJECT = 1500
/** What a condition takes besides its texts. */
const BYTES_OF_CONDITION = 800
/** A text is kept as it was read, as a part of its item, of its list and of the whole answer. */
const COPIES = 4

/** About how much memory a resource takes in a view, in bytes. */
export function sizeOfResource(resource: ReadResource): number {
  return BYTES_OF_OBJECT + COPIES * textLength(resource) + sizeOfConditions(resource.conditions)
}

/** About how much memory a report takes in a view, in bytes. */
export function sizeOfReport({ status: { data, metadata, conditions } }: OwnedReport): number {
  const texts = JSON.stringify(data).length + JSON.stringify(metadata).length
  return BYTES_OF_OBJECT + COPIES * texts + sizeOfConditions(conditions)
}

function sizeOfConditions(
  conditions: readonly { readonly reason?: string; readonly message?: string }[],
): number {
  return conditions.reduce((size, { reason = '', message = '' }) => {
    return size + BYTES_OF_CONDITION + COPIES * (reason.length + message.length)
  }, 0)
}
