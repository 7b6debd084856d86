import type { KubeObject } from '../kube/kube-object.ts'
import type { TimelineEntry } from './timeline-entry.ts'

/** The last write of each field manager, newest first: planes keep no older ones. */
export function managedEntries({ metadata, kind = '' }: KubeObject): readonly TimelineEntry[] {
  const { name, uid = '', namespace = '', managedFields = [] } = metadata
  return managedFields
    .flatMap(({ time, manager = '', operation = '', subresource = '', fieldsV1 }, index) => {
      if (time === undefined) return []
      const fields = Object.keys(fieldsV1 ?? {}).map((field) => field.replace(/^f:/, ''))
      const entry: TimelineEntry = {
        key: `managed ${index}`,
        log: 'change',
        time,
        icon: 'edit',
        who: manager,
        action: `${operation === 'Apply' ? 'applied' : 'wrote'} ${fields.join(', ')}`,
        subject: { label: `${kind} ${name}`, to: null },
        note: subresource === '' ? '' : `through ${subresource}`,
        details: [],
        names: [name, uid, kind],
        places: [namespace],
        outcome: 'succeeded',
      }
      return [entry]
    })
    .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
}
