import { describe, expect, test } from 'vitest'
import { collectionOf, failure, revisionOf, type Suite } from '../suite.ts'

/** R16 to R19: events, starting points, expiry and bookmarks. */
export function watchingRules(suite: Suite): void {
  const { subject } = suite
  const objects = collectionOf(suite)

  describe('watching', () => {
    test('R16: sends ADDED, MODIFIED and DELETED in the order of their revisions', async () => {
      const name = objects.unique()
      const { body: list } = await objects.list()
      await using watch = await objects.watch({
        resourceVersion: list.metadata.resourceVersion,
        fieldSelector: `metadata.name=${name}`,
      })
      const { body: created } = await objects.create(name)
      const { body: changed } = await objects.merge(name, subject.content('two'))
      await objects.delete(name)
      const events = [await watch.next(), await watch.next(), await watch.next()]
      expect(events.map((event) => event?.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
      expect(events[0]?.object).toEqual(created)
      expect(events[1]?.object).toEqual(changed)
      expect(subject.valueOf(events[2]?.object)).toBe('two')
      expect(revisionOf(events[2]?.object)).toBeGreaterThan(revisionOf(changed))
    })

    test('R16: entering and leaving a selector are ADDED and DELETED', async () => {
      const name = objects.unique()
      const watched = objects.unique('sel')
      await objects.create(name)
      const { body: list } = await objects.list()
      await using watch = await objects.watch({
        resourceVersion: list.metadata.resourceVersion,
        labelSelector: `watched in (${watched})`,
      })
      await objects.merge(name, { metadata: { labels: { watched } } })
      await objects.merge(name, subject.content('two'))
      await objects.merge(name, { metadata: { labels: { watched: null } } })
      await objects.merge(name, { metadata: { labels: { watched } } })
      await objects.delete(name)
      const events = []
      for (let count = 0; count < 5; count += 1) events.push(await watch.next())
      expect(events.map((event) => event?.type)).toEqual([
        'ADDED',
        'MODIFIED',
        'DELETED',
        'ADDED',
        'DELETED',
      ])
    })

    test.runIf(subject.isCustom)('R16: entering and leaving a field selector', async () => {
      const name = objects.unique()
      await objects.create(name, 'one')
      const { body: list } = await objects.list()
      await using watch = await objects.watch({
        resourceVersion: list.metadata.resourceVersion,
        fieldSelector: `spec.value=two-${name}`,
      })
      await objects.merge(name, subject.content(`two-${name}`))
      await objects.merge(name, subject.content('three'))
      expect([(await watch.next())?.type, (await watch.next())?.type]).toEqual(['ADDED', 'DELETED'])
    })

    test.each([{}, { resourceVersion: '0' }])(
      'R17: without a resource version, sends the current state and then changes: %j',
      async (query) => {
        const name = objects.unique()
        await objects.create(name)
        await using watch = await objects.watch({
          ...query,
          fieldSelector: `metadata.name=${name}`,
        })
        expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name } } })
        await objects.merge(name, subject.content('two'))
        expect((await watch.next())?.type).toBe('MODIFIED')
      },
    )

    test('R17: sendInitialEvents ends with the annotated bookmark', async () => {
      const label = objects.unique('init')
      for (const name of ['a', 'b', 'c']) {
        await objects.create(`${label}-${name}`, 'one', { labels: { init: label } })
      }
      await using watch = await objects.watch({
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
        labelSelector: `init=${label}`,
      })
      const events = await watch.until(({ type }) => type === 'BOOKMARK')
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ADDED', 'BOOKMARK'])
      expect(events.at(-1)?.object).toMatchObject({
        kind: subject.kind,
        metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
      })
      const { body } = await objects.create(`${label}-d`, 'one', { labels: { init: label } })
      const added = await watch.next()
      expect(added?.object.metadata.resourceVersion).toBe(body.metadata.resourceVersion)
      expect(revisionOf(events.at(-1)?.object)).toBeLessThan(revisionOf(body))
    })

    test('R17: sends no bookmark that the client did not allow', async () => {
      await using watch = await objects.watch({
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        fieldSelector: 'metadata.name=none',
        timeoutSeconds: '1',
      })
      expect(await watch.next()).toBeNull()
    })

    test('R17: sendInitialEvents=false sends only later changes', async () => {
      const name = objects.unique()
      await objects.create(name)
      await using watch = await objects.watch({
        sendInitialEvents: 'false',
        resourceVersionMatch: 'NotOlderThan',
        fieldSelector: `metadata.name=${name}`,
      })
      await objects.merge(name, subject.content('two'))
      expect((await watch.next())?.type).toBe('MODIFIED')
    })

    test('R18: a resource version before the history is Expired, one from the future waits', async () => {
      await using old = await objects.watch({ resourceVersion: '1' })
      if (old.status === 200) {
        expect(await old.next()).toMatchObject({
          type: 'ERROR',
          object: { kind: 'Status', code: 410, reason: 'Expired' },
        })
      } else expect(old.status).toBe(410)
      const { body: list } = await objects.list()
      const resourceVersion = String(revisionOf(list) + 1_000_000n)
      await using future = await objects.watch({ resourceVersion })
      if (future.status === 200) {
        expect(await future.next()).toMatchObject({ type: 'ERROR', object: { code: 504 } })
      } else expect(future.status).toBe(504)
    })

    test.each([
      { resourceVersion: 'x' },
      { sendInitialEvents: 'true' },
      { resourceVersionMatch: 'Exact' },
      { labelSelector: 'a like b' },
      { fieldSelector: 'spec.unknown=1' },
    ])('R18: rejects invalid options of a watch: %j', async (query) => {
      await using watch = await objects.watch({ resourceVersion: '', ...query })
      expect([400, 422]).toContain(watch.status)
    })

    test('R19: a watch ends after timeoutSeconds with a bookmark of the newest revision', async () => {
      const { body: list } = await objects.list()
      const name = objects.unique()
      const { body } = await objects.create(name)
      const { resourceVersion } = list.metadata
      // Other watches have the change, however long the log takes, so the quiet one knows its revision.
      const fieldSelector = `metadata.name=${name}`
      await using changes = await objects.watch({ resourceVersion, fieldSelector })
      expect((await changes.next())?.type).toBe('ADDED')
      await using watch = await objects.watch({
        resourceVersion,
        timeoutSeconds: '3',
        allowWatchBookmarks: 'true',
        fieldSelector: 'metadata.name=none',
      })
      const events = []
      for (let event = await watch.next(); event !== null; event = await watch.next()) {
        events.push(event)
      }
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['BOOKMARK']))
      expect(revisionOf(events.at(-1)?.object)).toBeGreaterThanOrEqual(revisionOf(body))
    })

    test('R19: a watch of one object by path', async () => {
      const name = objects.unique()
      const other = objects.unique()
      await objects.create(name)
      await objects.create(other)
      await using watch = await suite.plane().watch(`${objects.path}/${name}`)
      await objects.merge(other, subject.content('two'))
      await objects.merge(name, subject.content('two'))
      const events = [await watch.next(), await watch.next()]
      expect(events).toMatchObject([
        { type: 'ADDED', object: { metadata: { name } } },
        { type: 'MODIFIED', object: { metadata: { name } } },
      ])
    })

    test('R16: a namespace sees only its objects, and all namespaces together see all', async () => {
      const { plane, namespace } = suite
      const name = objects.unique()
      const all = objects.path.replace(`/namespaces/${namespace}`, '')
      await using everywhere = await plane().watch(all, {
        fieldSelector: `metadata.name=${name}`,
      })
      await using elsewhere = await plane().watch(objects.path.replace(namespace, 'kube-public'), {
        fieldSelector: `metadata.name=${name}`,
        timeoutSeconds: '1',
      })
      await objects.create(name)
      expect(await everywhere.next()).toMatchObject({
        type: 'ADDED',
        object: { metadata: { name } },
      })
      expect(await elsewhere.next()).toBeNull()
    })
  })

  test('R38: a watch of an unknown resource is a 404', async () => {
    await using watch = await suite.plane().watch(`${objects.path}x`)
    expect(watch.status).toBe(failure(404, 'NotFound').status)
  })
}
