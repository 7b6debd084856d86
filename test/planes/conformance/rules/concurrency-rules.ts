import { describe, expect, test } from 'vitest'
import { collectionOf, failure, JSON_PATCH, type Suite } from '../suite.ts'

/** R7 to R9: optimistic concurrency. */
export function concurrencyRules(suite: Suite): void {
  const { subject, plane } = suite
  const objects = collectionOf(suite)

  describe('concurrency', () => {
    test('R7: a stale resourceVersion in PUT or PATCH is a conflict', async () => {
      const name = objects.unique()
      const { body: old } = await objects.create(name)
      await objects.merge(name, subject.content('two'))
      expect(await objects.put(name, { ...old, ...subject.content('three') })).toMatchObject(
        failure(409, 'Conflict'),
      )
      const { resourceVersion } = old.metadata
      const stale = { metadata: { resourceVersion }, ...subject.content('three') }
      expect(await objects.merge(name, stale)).toMatchObject(failure(409, 'Conflict'))
      const test409 = await plane().call('PATCH', `${objects.path}/${name}`, {
        type: JSON_PATCH,
        body: [{ op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion }],
      })
      expect(test409).toMatchObject(failure(409, 'Conflict'))
      expect(subject.valueOf((await objects.get(name)).body)).toBe('two')
    })

    test('R8: a PUT without resourceVersion is unconditional', async () => {
      const name = objects.unique()
      await objects.create(name)
      await objects.merge(name, subject.content('two'))
      const { status, body } = await objects.put(name, objects.object(name, 'three'))
      expect(status).toBe(200)
      expect(subject.valueOf(body)).toBe('three')
    })

    test('R8: concurrent patches without resourceVersion all apply', async () => {
      const name = objects.unique()
      await objects.create(name)
      const keys = ['a', 'b', 'c', 'd', 'e']
      const responses = await Promise.all(
        keys.map((key) => objects.merge(name, { metadata: { labels: { [key]: 'x' } } })),
      )
      expect(responses.map(({ status }) => status)).toEqual(keys.map(() => 200))
      const { body } = await objects.get(name)
      expect(Object.keys(body.metadata.labels).toSorted()).toEqual(keys)
    })

    test('R7: no update is lost in a race of writers that retry conflicts', async () => {
      const name = objects.unique()
      await objects.create(name, '0')
      const increment = async (): Promise<void> => {
        for (;;) {
          const { body } = await objects.get(name)
          const value = String(Number(subject.valueOf(body)) + 1)
          const { status } = await objects.put(name, { ...body, ...subject.content(value) })
          if (status === 200) return
          expect(status).toBe(409)
        }
      }
      await Promise.all(Array.from({ length: 6 }, increment))
      expect(subject.valueOf((await objects.get(name)).body)).toBe('6')
    })

    test('R9: preconditions of a deletion', async () => {
      const name = objects.unique()
      const { body } = await objects.create(name)
      const { uid, resourceVersion } = body.metadata
      const preconditions = [
        { uid: '00000000-0000-0000-0000-000000000001' },
        { uid, resourceVersion: '1' },
      ]
      for (const one of preconditions) {
        const response = await objects.delete(name, { body: { preconditions: one } })
        expect(response).toMatchObject(failure(409, 'Conflict'))
      }
      const removed = await objects.delete(name, {
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          preconditions: { uid, resourceVersion },
        },
      })
      expect(removed.status).toBe(200)
      expect(await objects.get(name)).toMatchObject(failure(404, 'NotFound'))
    })
  })
}
