import { describe, expect, it } from 'vitest'
import type { ObjectChange } from '../../../store/objects/model/object-change.ts'
import type { ObjectQuery } from '../../../store/objects/model/object-query.ts'
import type { ObjectWrite } from '../../../store/objects/model/object-write.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { ResourceStore } from '../../model/resource-store.ts'
import { fromCoreEvent, toCoreEvent } from './convert-event.ts'
import { EVENT_COLUMNS } from './event-columns.ts'
import { groupedEventStore } from './grouped-event-store.ts'
import { changedEventErrors, coreEventErrors, newEventErrors } from './validate-event.ts'

const INVOLVED = { kind: 'ConfigMap', name: 'a', namespace: 'team' }
const CORE: ApiObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'a.1', namespace: 'team' },
  involvedObject: INVOLVED,
  message: ' Created ',
  reason: 'Created',
  type: 'Normal',
  source: { component: 'controller' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:01:00Z',
  count: 2,
}
const GROUPED = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: CORE.metadata,
  regarding: INVOLVED,
  note: ' Created ',
  reason: 'Created',
  type: 'Normal',
  deprecatedSource: { component: 'controller' },
  deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
  deprecatedLastTimestamp: '2026-01-01T00:01:00Z',
  deprecatedCount: 2,
}

describe('events', () => {
  it('have two forms', () => {
    expect(fromCoreEvent(CORE)).toEqual(GROUPED)
    expect(toCoreEvent(fromCoreEvent(CORE))).toEqual(CORE)
  })

  it('show their age, object and message', () => {
    const now = new Date('2026-01-01T00:02:00Z')
    const cells = EVENT_COLUMNS.map(({ name, cell, priority = 0 }) => [
      name,
      priority,
      cell?.(CORE, now),
    ])
    expect(cells).toEqual([
      ['Last Seen', 0, '60s'],
      ['Type', 0, 'Normal'],
      ['Reason', 0, 'Created'],
      ['Object', 0, 'configmap/a'],
      ['Subobject', 1, ''],
      ['Source', 1, 'controller'],
      ['Message', 0, 'Created'],
      ['First Seen', 1, '2m'],
      ['Count', 1, '2'],
      ['Name', 1, undefined],
    ])
  })

  it('belong to the namespace of their object', () => {
    expect(coreEventErrors(CORE)).toEqual([])
    const other = { ...CORE, metadata: { ...CORE.metadata, namespace: 'x' } }
    expect(coreEventErrors(other)).toMatchObject([{ field: 'involvedObject.namespace' }])
    expect(coreEventErrors({ ...CORE, involvedObject: { kind: 'Namespace' } })).toHaveLength(1)
  })

  it('need a reporter if they have a time in microseconds', () => {
    const event = { ...CORE, eventTime: '2026-01-01T00:00:00.000001Z' }
    expect(coreEventErrors(event).map(({ field }) => field)).toEqual([
      'reportingComponent',
      'reportingInstance',
      'action',
      'reportingComponent',
      'reportingComponent',
    ])
    expect(newEventErrors(CORE).map(({ field }) => field)).toEqual([
      'eventTime',
      'firstTimestamp',
      'lastTimestamp',
      'count',
      'source',
    ])
  })

  it('change only their series', () => {
    const series = { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' }
    expect(changedEventErrors({ ...CORE, series }, CORE)).toEqual([])
    expect(changedEventErrors({ ...CORE, series: { count: 1 } }, CORE)).toHaveLength(2)
    expect(changedEventErrors({ ...CORE, reason: 'x' }, CORE)).toMatchObject([{ field: 'reason' }])
  })
})

describe('the store of grouped events', () => {
  const key = { plane: 'root', resource: 'events', namespace: 'team', name: 'a.1' }
  const before = { labels: {}, fields: { 'involvedObject.name': 'a', reason: 'x' } }

  it('converts keys, queries, writes and changes', async () => {
    const writes: ObjectWrite[] = []
    const queries: ObjectQuery[] = []
    const object = { ...key, uid: 'u', revision: 1n, body: CORE, managedFields: [] }
    const change: ObjectChange = {
      ...key,
      sequence: 1n,
      revision: 2n,
      type: 'MODIFIED',
      uid: 'u',
      body: JSON.stringify(CORE),
      managedFields: '[]',
      labels: {},
      before,
    }
    const core: ResourceStore = {
      read: (asked) => Promise.resolve(asked.resource === 'events' ? object : null),
      list: (query) => {
        queries.push(query)
        return Promise.resolve({ objects: [object], revision: 1n, remaining: null, hasMore: false })
      },
      write: (write) => {
        writes.push(write)
        return Promise.resolve({ status: 'written', revision: 2n, object })
      },
      follow: (_scope, _after, subscriber) => {
        subscriber.onChanges([change])
        return Promise.resolve({ revision: 2n, [Symbol.dispose]: () => undefined })
      },
    }
    const store = groupedEventStore(core)
    const grouped = { ...key, resource: 'events.events.k8s.io' }
    const shown = { ...object, ...grouped, body: GROUPED }
    expect(await store.read(grouped)).toEqual(shown)

    const selector = {
      labels: [],
      fields: [{ operator: 'equals', field: 'regarding.name', value: 'a' }],
    } as const
    const page = await store.list({ ...grouped, selector, limit: null, after: null })
    expect(page.objects).toEqual([shown])
    expect(queries[0]).toMatchObject({
      resource: 'events',
      selector: { fields: [{ field: 'involvedObject.name' }] },
    })

    const user = { name: 'a', uid: '', groups: [], extra: {} }
    const renamed = { labels: {}, fields: { 'regarding.name': 'a', reason: 'x' } }
    const update = { type: 'update', key: grouped, uid: 'u', body: GROUPED } as const
    const outcome = await store.write(
      { ...update, managedFields: [], revision: 1n, before: renamed },
      user,
    )
    expect(outcome).toMatchObject({ object: shown })
    expect(writes[0]).toMatchObject({ key, body: CORE, before })

    const changes: ObjectChange[] = []
    await store.follow(grouped, 1n, {
      onChanges: (received) => changes.push(...received),
      onLost: () => undefined,
      ready: () => Promise.resolve(),
    })
    expect(changes).toMatchObject([{ resource: 'events.events.k8s.io', before: renamed }])
    expect(JSON.parse(changes[0]?.body ?? '')).toEqual(GROUPED)
  })
})
