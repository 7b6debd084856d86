import { useState } from 'react'
import type { KubeObject } from '../../kube/kube-object.ts'
import { managedEntries } from '../../timeline/managed-entries.ts'
import { is } from '../../timeline/timeline-filter.ts'
import { TimelinePanel } from '../../timeline/timeline-panel.tsx'
import { EMPTY, ofOne } from '../../timeline/timeline-source.ts'
import { useAudit } from '../../timeline/use-audit.ts'
import { useEvents } from '../../timeline/use-events.ts'
import { usePlaneLabel } from '../plane-label.ts'
import type { ObjectTarget } from './object-requests.ts'

/** No index of the audit log has the names of objects, so that the search is bounded by time. */
const AUDIT_DAYS = 7
const DAY_MS = 86_400_000
/** The namespace of events about objects without one. */
const CLUSTER_NAMESPACE = 'default'

interface ObjectTimelineProps {
  readonly target: ObjectTarget
  /** The kind, such as `ConfigMap`. */
  readonly kind: string
  /** Null if there is none of the name, such as after its deletion. */
  readonly object: KubeObject | null
}

/** The last writes, the events and the audit log of the objects with a name, also of deleted ones. */
export function ObjectTimeline({ target, kind, object }: ObjectTimelineProps) {
  const { plane, namespace, name } = target
  const { clusterId, name: clusterName } = usePlaneLabel(plane)
  const id = clusterId ?? plane
  const [since] = useState(() => new Date(Date.now() - AUDIT_DAYS * DAY_MS).toISOString())
  const events = useEvents({
    plane,
    namespace: namespace === '' ? CLUSTER_NAMESPACE : namespace,
    selector: `involvedObject.kind=${kind},involvedObject.name=${name}`,
  })
  const audit = useAudit({
    search: [
      is('plane', id),
      is('api_group', target.kind.group),
      is('resource', target.kind.plural),
      is('namespace', namespace),
      is('name', name),
      `time >= '${since}'`,
    ].join(' and '),
    isIndexed: false,
    plane: plane === 'root' ? undefined : { id, name: clusterName },
    end: `This page reads the audit log of ${AUDIT_DAYS} days.`,
  })
  const writes = { ...EMPTY, entries: object === null ? [] : managedEntries(object) }
  return (
    <TimelinePanel
      filter={{ what: name, where: id }}
      sources={[ofOne(writes), ofOne(events), ofOne(audit)]}
    />
  )
}
