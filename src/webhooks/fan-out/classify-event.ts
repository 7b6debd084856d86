import { unreachable } from '../../lib/assert.ts'
import type { WebhookEvent } from '../../store/model/webhook.ts'
import type { SearchedChange } from '../../store/operations/watch/searched-change.ts'
import { classifyChange, type WatchFilter } from '../../store/operations/watch/watch-filter.ts'

/**
 * The event of a change; null if the resource matches neither before nor after. A watch sends
 * `entered` as ADDED and `left` as DELETED.
 */
export function classifyEvent(filter: WatchFilter, searched: SearchedChange): WebhookEvent | null {
  const type = classifyChange(filter, searched)
  const isModification = searched.change.type === 'MODIFIED'
  switch (type) {
    case null:
      return null
    case 'ADDED':
      return isModification ? 'entered' : 'created'
    case 'MODIFIED':
      return 'updated'
    case 'DELETED':
      return isModification ? 'left' : 'deleted'
    default:
      return unreachable(type)
  }
}
