import { isObject } from '../../../typescript/src/http/json.ts'
import type { KubeObject } from '../kube/kube-object.ts'
import type { TimelineEntry } from './timeline-entry.ts'

/** An event of a plane, as its controllers and clients report it. */
export interface KubeEvent extends KubeObject {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null
  readonly source?: { readonly component?: string }
  readonly reportingComponent?: string
  readonly involvedObject?: unknown
}

/** An event of a plane. */
export function eventEntry(event: KubeEvent, plane: string): TimelineEntry {
  const { metadata, reason = '', message = '', series } = event
  const involved = isObject(event.involvedObject) ? event.involvedObject : {}
  const kind = textOf(involved['kind'])
  const name = textOf(involved['name'])
  const count = series?.count ?? event.count ?? 1
  return {
    key: `event ${plane} ${metadata.uid ?? metadata.name}`,
    log: 'event',
    time: timeOf(event),
    icon: event.type === 'Warning' ? 'alert' : 'dot',
    who: event.source?.component ?? event.reportingComponent ?? '',
    action: `reported ${reason}`,
    subject: { label: `${kind} ${name}`, to: null },
    note: count > 1 ? `${count} times` : '',
    details: message === '' ? [] : [message],
    names: [name, textOf(involved['uid']), kind, reason],
    places: [plane, metadata.namespace ?? ''],
    outcome: null,
  }
}

/** The last occurrence. */
function timeOf({ metadata, series, lastTimestamp, eventTime }: KubeEvent): string {
  return series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
