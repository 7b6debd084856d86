import type { Change } from '../../../core/model/change.ts'
import type { TreeChange } from '../../../core/operations/snapshots/follow-tree.ts'
import type { StoredRenderer } from '../wire/renderer.ts'
import type { ReportRenderer } from './render-report.ts'

/** Writes the object of a change as snapshots show it. */
export type ChangeRenderer = (change: TreeChange) => string

/** Makes a renderer that writes each change once, whoever is told of it. */
export function createChangeRenderer(
  resourceText: StoredRenderer,
  reportText: ReportRenderer,
): ChangeRenderer {
  const known = new WeakMap<Change, string>()

  function write({ change, kind }: TreeChange): string {
    if (change.subject === 'resource') return resourceText(change.resource)
    const { resourceId, status, rowVersion } = change
    return reportText({ resourceId, kind, status, rowVersion }).text
  }

  return (told) => {
    const { change } = told
    const text = known.get(change) ?? write(told)
    known.set(change, text)
    return text
  }
}
