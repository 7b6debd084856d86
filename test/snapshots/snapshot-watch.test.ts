import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newName } from '../support/fixtures.ts'
import { fullReport, JSON_TYPE, reportAll } from '../support/lifecycle.ts'
import { createTree, latestSnapshotOf, withoutReportTimes } from './snapshot-requests.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'
import { openWatch, type WatchedEvent } from '../watch/watch-client.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair[Symbol.asyncDispose]())

interface Delta extends WatchedEvent {
  readonly resource?: string
}

/** The snapshot in the first event, with all later events applied, by part. */
function applied(events: readonly Delta[]): Record<string, unknown[]> {
  const parts = new Map<string, Map<string, unknown>>()
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  const keyOf = (item: any): string => item.id ?? `${item.owner_references.id} ${item.adapter}`
  const part = (name: string) => {
    const items = parts.get(name) ?? new Map<string, unknown>()
    parts.set(name, items)
    return items
  }
  for (const { type, resource = '', object } of events) {
    if (type === 'SNAPSHOT') {
      for (const { resource: name, items } of object.resources) {
        for (const item of items) part(name).set(keyOf(item), item)
      }
    } else if (type === 'DELETED') part(resource).delete(keyOf(object))
    else if (type !== 'BOOKMARK') part(resource).set(keyOf(object), object)
  }
  const entries = [...parts].map(([name, items]): [string, unknown[]] => [
    name,
    [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item),
  ])
  return Object.fromEntries(entries.filter(([, items]) => items.length > 0))
}

/** The parts of a snapshot in the same form. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
function partsOf(body: any): Record<string, unknown[]> {
  const parts: { resource: string; items: unknown[] }[] = body.resources
  return Object.fromEntries(parts.map(({ resource, items }) => [resource, items]))
}

describe('a watched snapshot', () => {
  test('begins with the snapshot, to which later events apply', async () => {
    const [here, there] = pair.servers
    const tree = await createTree(here, newName(), ['pool-a', 'pool-b'])
    using watch = await openWatch(there, `/clusters/${tree.id}/snapshot?watch=true`)
    expect(watch.status).toBe(200)
    expect(watch.headers['x-snapshot-cluster']).toBe(tree.id)
    const first = await watch.until(({ type }) => type === 'SNAPSHOT')
    expect(watch.events[0]).toBe(first)
    expect(first.object.resourceVersion).toBe(first.resource_version)

    await here.patch(tree.item, { labels: { a: 'b' } })
    const { body: pool } = await there.post(`${tree.item}/nodepools`, {
      kind: 'NodePool',
      name: 'pool-c',
      spec: {},
    })
    await reportAll(here, `/nodepools/${pool.id}`, ['dns'], (adapter) => fullReport(adapter, 1))
    await here.request('DELETE', `/nodepools/${tree.poolIds[0]}`)
    const force = `/nodepools/${tree.poolIds[0]}/force-delete`
    await here.request('POST', force, { reason: 'x' }, JSON_TYPE)
    await there.patch(tree.item, { labels: { last: 'yes' } })
    await watch.until(({ object }) => object.labels?.last === 'yes')

    const { body } = await latestSnapshotOf(there, tree.id)
    expect(withoutReportTimes(applied(watch.events))).toEqual(withoutReportTimes(partsOf(body)))
    const revisions = watch.events.map(({ resource_version: token }) => Number(token.split('.')[1]))
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
  })

  test('sends the requested parts, also as server-sent events', async () => {
    const [here] = pair.servers
    const tree = await createTree(here, newName(), ['pool-a'])
    using watch = await openWatch(
      here,
      `/clusters/${tree.id}/snapshot?watch=true&resource=nodepools`,
      { Accept: 'text/event-stream' },
    )
    expect(watch.headers['content-type']).toBe('text/event-stream')
    await here.patch(tree.item, { labels: { a: 'b' } })
    await here.patch(`/nodepools/${tree.poolIds[0]}`, { labels: { a: 'b' } })
    const event = await watch.until(({ type }) => type === 'MODIFIED')
    expect(event).toMatchObject({ resource: 'nodepools', id: event.resource_version })
    expect(watch.changes()).toHaveLength(2)
  })

  test('ends when the cluster is removed', async () => {
    const [here] = pair.servers
    const tree = await createTree(here, newName(), ['pool-a'])
    using watch = await openWatch(here, `/clusters/${tree.id}/snapshot?watch=true`)
    await here.request('DELETE', tree.item)
    await here.request('POST', `${tree.item}/force-delete`, { reason: 'x' }, JSON_TYPE)
    expect(await watch.ended).toBe('whole')
    const gone = watch.changes().filter(({ type }) => type === 'DELETED')
    expect(gone.filter(({ object }) => object.id !== undefined)).toHaveLength(2)
  })

  test('is 404 for a missing cluster, and only headers for HEAD', async () => {
    const [here] = pair.servers
    const answer = await here.get('/clusters/nowhere/snapshot?watch=true')
    expect(answer).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
    const tree = await createTree(here, newName(), [])
    const head = await here.request('HEAD', `/clusters/${tree.id}/snapshot?watch=true`)
    expect(head).toMatchObject({ status: 200, text: '' })
    const target = `${here.origin}/clusters/${tree.id}/control-plane/snapshot?watch=true`
    expect((await fetch(target, { method: 'HEAD' })).status).toBe(200)
  })
})
