import { describe, expect, test } from 'vitest'
import { collectionOf, failure, namesOf, type Suite } from '../suite.ts'

const FINALIZER = 'example.com/cleanup'

/** R26 to R29: finalizers, propagation, collections and namespaces. */
export function deletingRules(suite: Suite): void {
  const { subject, plane } = suite
  const objects = collectionOf(suite)

  describe('deleting', () => {
    test('R26: finalizers delay the removal until the last one is gone', async () => {
      const name = objects.unique()
      const { body: created } = await objects.create(name, 'one', { finalizers: [FINALIZER] })
      const { body: marked } = await objects.delete(name)
      expect(marked.metadata).toMatchObject({
        uid: created.metadata.uid,
        deletionTimestamp: expect.any(String),
        finalizers: [FINALIZER],
      })
      expect(await objects.create(name)).toMatchObject(failure(409, 'AlreadyExists'))
      const added = await objects.merge(name, {
        metadata: { finalizers: [FINALIZER, 'example.com/x'] },
      })
      expect([403, 422]).toContain(added.status)
      const again = await objects.delete(name)
      expect(again.body.metadata.deletionTimestamp).toBe(marked.metadata.deletionTimestamp)
      await using watch = await objects.watch({
        resourceVersion: marked.metadata.resourceVersion,
        fieldSelector: `metadata.name=${name}`,
      })
      const released = await objects.merge(name, { metadata: { finalizers: null } })
      expect(released.status).toBe(200)
      expect((await objects.get(name)).status).toBe(404)
      expect((await watch.next())?.type).toBe('DELETED')
    })

    test('R26: the status of a removal names the object', async () => {
      const name = objects.unique()
      const { body: created } = await objects.create(name)
      const { body } = await objects.delete(name)
      expect(body).toMatchObject({
        kind: 'Status',
        status: 'Success',
        details: { name, kind: subject.plural, uid: created.metadata.uid },
      })
      expect(await objects.delete(name)).toMatchObject(failure(404, 'NotFound'))
    })

    test.each([
      ['Foreground', 'foregroundDeletion'],
      ['Orphan', 'orphan'],
    ])('R27: propagationPolicy=%s adds the finalizer %s', async (propagationPolicy, finalizer) => {
      const name = objects.unique()
      await objects.create(name, 'one', { finalizers: [FINALIZER] })
      const { body } = await objects.delete(name, { body: { propagationPolicy } })
      expect(body.metadata.finalizers).toEqual(expect.arrayContaining([FINALIZER, finalizer]))
      await objects.merge(name, { metadata: { finalizers: null } })
    })

    test('R27: an unknown policy is rejected', async () => {
      const name = objects.unique()
      await objects.create(name)
      const { status } = await objects.delete(name, { query: { propagationPolicy: 'Later' } })
      expect([400, 422]).toContain(status)
    })

    test('R28: deletecollection deletes what the selector matches', async () => {
      const label = objects.unique('many')
      for (const name of ['a', 'b', 'c']) {
        await objects.create(`${label}-${name}`, 'one', { labels: { many: label } })
      }
      await objects.create(`${label}-kept`)
      await objects.merge(`${label}-b`, { metadata: { finalizers: [FINALIZER] } })
      const query = { labelSelector: `many=${label}` }
      const { status } = await plane().call('DELETE', objects.path, { query })
      expect(status).toBe(200)
      expect(namesOf(await objects.list(query))).toEqual([`${label}-b`])
      expect((await objects.get(`${label}-kept`)).status).toBe(200)
      await objects.merge(`${label}-b`, { metadata: { finalizers: null } })
    })

    test('R29: a missing namespace is a 404, a namespace that is deleted rejects creates', async () => {
      const absent = objects.path.replace(suite.namespace, 'absent')
      const created = await plane().call('POST', absent, { body: objects.object('x') })
      expect(created).toMatchObject(failure(404, 'NotFound'))
      expect(created.body.details).toMatchObject({ kind: 'namespaces', name: 'absent' })
    })
  })
}
