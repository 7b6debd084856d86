import type { AuditEvent } from '../../../typescript/src/index.ts'
import type { IconName } from '../design/icon.tsx'
import { objectParams } from '../planes/plane-address.ts'
import type { TimelineEntry } from './timeline-entry.ts'

interface Words {
  readonly icon: IconName
  readonly done: string
  readonly tried: string
}

const WORDS: Readonly<Record<string, Words>> = {
  create: { icon: 'plus', done: 'created', tried: 'create' },
  update: { icon: 'edit', done: 'updated', tried: 'update' },
  patch: { icon: 'edit', done: 'patched', tried: 'patch' },
  delete: { icon: 'trash', done: 'deleted', tried: 'delete' },
  deletecollection: { icon: 'trash', done: 'deleted several', tried: 'delete several' },
  forcedelete: { icon: 'trash', done: 'force-deleted', tried: 'force-delete' },
}

/** An event of the audit log. Resources of kinds with the plurals have a page. */
export function auditEntry(event: AuditEvent, plurals: readonly string[]): TimelineEntry {
  const { id, time, user, impersonated_user: impersonated, outcome, verb } = event
  const { plane, resource, subresource, name, namespace, source_address: address } = event
  const isGap = outcome === 'lost'
  const notes = [
    ...(subresource === '' ? [] : [`through ${subresource}`]),
    ...(address === '' ? [] : [`from ${address}`]),
  ]
  return {
    key: `audit ${id}`,
    log: 'audit',
    time,
    icon: isGap ? 'alert' : (WORDS[verb]?.icon ?? 'key'),
    who: impersonated === undefined ? user : `${user} as ${impersonated}`,
    action: isGap ? `The audit log lacks ${event.dropped ?? 0} events here` : actionOf(event),
    subject: resource === '' ? null : { label: labelOf(event), to: pageOf(event, plurals) },
    note: notes.join(', '),
    details: detailsOf(event),
    names: [name, event.resource_id, resource, verb],
    places: [plane, namespace, address],
    outcome,
  }
}

/** The verb in the past, or the request line if no route has the path. */
function actionOf({ outcome, verb, resource, method, path }: AuditEvent): string {
  const isDone = outcome === 'succeeded'
  if (resource === '') return `${isDone ? 'requested' : 'tried'} ${method} ${path}`
  const { done, tried } = WORDS[verb] ?? { done: `used ${verb} on`, tried: `use ${verb} on` }
  return isDone ? done : `tried to ${tried}`
}

/** Such as `clusters lisbon`, or `configmaps default/settings in the plane 2A`. */
function labelOf({ resource, namespace, name, plane }: AuditEvent): string {
  const path = [namespace, name].filter((segment) => segment !== '').join('/')
  const object = path === '' ? resource : `${resource} ${path}`
  if (plane === '') return object
  return `${object} in ${plane === 'root' ? 'the root plane' : `the plane ${plane}`}`
}

function pageOf(event: AuditEvent, plurals: readonly string[]): string | null {
  const { plane, name, resource, resource_id: id, outcome } = event
  if (plane !== '') return name === '' ? null : objectPage(event)
  const isKnown = id !== '' && outcome === 'succeeded' && plurals.includes(resource)
  return isKnown ? `/resources/${resource}/${encodeURIComponent(id)}` : null
}

/** The version of the API is only in the path of the request. */
const VERSION = /\/(?:api|apis\/[^/]+)\/(v\d[^/]*)\//

function objectPage({ plane, path, api_group: group, resource, namespace, name }: AuditEvent) {
  const version = VERSION.exec(path)?.[1]
  if (version === undefined) return null
  const params = objectParams(plane, { group, version, plural: resource }, { namespace, name })
  const segments = [params.plane, params.group, params.version, params.plural]
  return `/planes/${[...segments, params.namespace, params.name].map(encodeURIComponent).join('/')}`
}

function detailsOf({ outcome, detail, dry_run: dryRun, status }: AuditEvent): readonly string[] {
  const isError = outcome === 'denied' || outcome === 'failed'
  return [
    ...(isError ? [`${status}: ${detail}`] : []),
    ...(!isError && detail !== '' ? [detail] : []),
    ...(dryRun === undefined ? [] : ['dry run: nothing was changed']),
  ]
}
