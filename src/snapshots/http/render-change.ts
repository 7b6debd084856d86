import type { Change } from '../../store/model/change.ts'
import type { TreeChange } from '../follow-tree.ts'
import type { StoredSerializer } from '../../hyperfleet/wire/representation.ts'
import type { ReportRenderer } from './render-report.ts'

/** Serializes the object of a change for snapshot streams. */
export type ChangeRenderer = (change: TreeChange) => string

/** Serializes each change once for all streams. */
export function createChangeRenderer(
  resourceText: StoredSerializer,
  reportText: ReportRenderer,
): ChangeRenderer {
  const known = new WeakMap<Change, string>()

  function write({ change, kind }: TreeChange): string {
    if (change.subject === 'resource') return resourceText(change.resource)
    const { resourceId, status, rowVersion } = change
    return reportText({ resourceId, kind, status, rowVersion }).text
  }

  return (treeChange) => {
    const { change } = treeChange
    const text = known.get(change) ?? write(treeChange)
    known.set(change, text)
    return text
  }
}
