import type { ObjectChange } from '../../store/objects/model/object-change.ts'
import type { ObjectSelector } from '../../store/objects/model/object-query.ts'
import { bodyOfChange } from '../../store/objects/model/changed-object.ts'
import { fieldText } from '../../store/objects/selection/field-text.ts'
import { matchesSelector } from '../../store/objects/selection/matches-selector.ts'

/** The namespace and the selector of a watch. */
export interface WatchScope {
  /** Empty for all namespaces. */
  readonly namespace: string
  readonly selector: ObjectSelector
}

/**
 * The type under which a watch sends a change: objects that enter or leave the selector are ADDED
 * and DELETED. Null if the change does not concern the watch.
 */
export function watchedType(
  change: ObjectChange,
  { namespace, selector }: WatchScope,
): ObjectChange['type'] | null {
  if (namespace !== '' && change.namespace !== namespace) return null
  if (selector.labels.length === 0 && selector.fields.length === 0) return change.type
  const isMatch = matchesNow(change, selector)
  if (change.type === 'ADDED') return isMatch ? 'ADDED' : null
  const wasMatch = change.before === null ? isMatch : matchesBefore(change, selector)
  if (change.type === 'DELETED') return wasMatch ? 'DELETED' : null
  if (isMatch) return wasMatch ? 'MODIFIED' : 'ADDED'
  return wasMatch ? 'DELETED' : null
}

function matchesNow(change: ObjectChange, selector: ObjectSelector): boolean {
  const { namespace, name, labels } = change
  const fieldOf = (path: string): string => fieldText(bodyOfChange(change), path)
  return matchesSelector(selector, { namespace, name, labels, fieldOf })
}

function matchesBefore(change: ObjectChange, selector: ObjectSelector): boolean {
  const { namespace, name, before } = change
  const { labels = {}, fields = {} } = before ?? {}
  // Storage records only the selectable fields of the declaration at the time of the change.
  const fieldOf = (path: string): string =>
    Object.hasOwn(fields, path) ? (fields[path] ?? '') : fieldText(bodyOfChange(change), path)
  return matchesSelector(selector, { namespace, name, labels, fieldOf })
}
