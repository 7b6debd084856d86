import type { PendingResource } from '../waiting/pending-resource.ts'
import type { AppliedItem } from './apply-documents.ts'

/** The resources among applied objects, to wait for them. */
export function pendingOf(items: readonly AppliedItem[]): readonly PendingResource[] {
  return items.flatMap(({ target, object, applied }) => {
    const id = applied.object['id']
    return target === null || typeof id !== 'string' ? [] : [{ target, id, label: object.label }]
  })
}
