import { describe, expect, test } from 'vitest'
import { collectionOf, failure, JSON_PATCH, revisionOf, type Suite } from '../suite.ts'

/** R1 to R6: identity, names, system fields, generation and no-op writes. */
export function objectRules(suite: Suite): void {
  const { subject, plane } = suite
  const objects = collectionOf(suite)

  describe('objects', () => {
    test('R1: an object that is created again has a new uid, and its uid is a precondition', async () => {
      const name = objects.unique()
      const first = (await objects.create(name)).body
      expect(await objects.create(name)).toMatchObject(failure(409, 'AlreadyExists'))
      await objects.delete(name)
      const second = (await objects.create(name)).body
      expect(second.metadata.uid).not.toBe(first.metadata.uid)
      const stale = { ...first, metadata: { ...first.metadata, resourceVersion: '' } }
      expect(await objects.put(name, stale)).toMatchObject(failure(409, 'Conflict'))
    })

    test('R2: generateName appends a suffix', async () => {
      const generated = async () =>
        (await objects.create('', 'one', { name: undefined, generateName: 'gen-' })).body
      const [first, second] = [await generated(), await generated()]
      expect(first.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/)
      expect(second.metadata.name).not.toBe(first.metadata.name)
      expect(await objects.create('', 'one', { name: undefined })).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('name or generateName is required') },
      })
    })

    test.each([
      [{ name: 'Upper' }, 'metadata.name'],
      [{ labels: { 'a b': 'c' } }, 'metadata.labels'],
      [{ labels: { a: '-' } }, 'metadata.labels'],
      [{ annotations: { 'a b': 'c' } }, 'metadata.annotations'],
      [{ annotations: { a: 'x'.repeat(256 * 1024) } }, 'metadata.annotations'],
      [{ finalizers: ['no slash allowed here'] }, 'metadata.finalizers'],
    ])('R3: rejects metadata that violates the rules of names (%#)', async (metadata, field) => {
      const response = await objects.create(objects.unique(), 'one', metadata)
      expect(response).toMatchObject(failure(422, 'Invalid'))
      const fields = response.body.details.causes.map((cause: { field: string }) => cause.field)
      expect(fields.some((one: string) => one.startsWith(field))).toBe(true)
    })

    test('R3: rejects U+0000, long objects and long bodies', async () => {
      const annotations = { note: 'a\0b' }
      expect((await objects.create(objects.unique(), 'one', { annotations })).status).toBe(422)
      const { status } = await objects.create(objects.unique(), 'x'.repeat(2 * 1024 * 1024))
      expect([413, 422]).toContain(status)
      const long = await objects.create(objects.unique(), 'x'.repeat(4 * 1024 * 1024))
      expect(long).toMatchObject(failure(413, 'RequestEntityTooLarge'))
    })

    test('R4: generation rises with the content, never with metadata', async () => {
      const name = objects.unique()
      const { body: created } = await objects.create(name)
      const { body: labelled } = await objects.merge(name, { metadata: { labels: { a: 'b' } } })
      const { body: changed } = await objects.merge(name, subject.content('two'))
      const generations = [created, labelled, changed].map(({ metadata }) => metadata.generation)
      expect(generations).toEqual(
        subject.hasGeneration ? [1, 1, 2] : [undefined, undefined, undefined],
      )
    })

    test('R5: system fields of input are ignored', async () => {
      const name = objects.unique()
      const { body } = await objects.create(name, 'one', {
        uid: '00000000-0000-0000-0000-000000000001',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        generation: 77,
        selfLink: '/x',
      })
      expect(body.metadata.uid).not.toBe('00000000-0000-0000-0000-000000000001')
      expect(Date.parse(body.metadata.creationTimestamp)).toBeGreaterThan(Date.parse('2020-01-01'))
      expect(body.metadata.deletionTimestamp).toBeUndefined()
      const kept = await objects.merge(name, {
        metadata: { creationTimestamp: null, deletionTimestamp: '2001-01-01T00:00:00Z' },
      })
      expect(kept.body.metadata.creationTimestamp).toBe(body.metadata.creationTimestamp)
      expect(kept.body.metadata.deletionTimestamp).toBeUndefined()
      const other = await plane().call('POST', objects.path, {
        body: objects.object(objects.unique(), 'one', { namespace: 'other' }),
      })
      expect(other).toMatchObject(failure(400, 'BadRequest'))
    })

    test('R6: writes without a change keep the revision and cause no event', async () => {
      const name = objects.unique()
      const { body: created } = await objects.create(name)
      await using watch = await objects.watch({
        resourceVersion: created.metadata.resourceVersion,
        fieldSelector: `metadata.name=${name}`,
      })
      const same = [
        await objects.put(name, created),
        await objects.merge(name, subject.content('one')),
        await plane().call('PATCH', `${objects.path}/${name}`, { body: [], type: JSON_PATCH }),
      ]
      for (const { status, body } of same) {
        expect(status).toBe(200)
        expect(revisionOf(body)).toBe(revisionOf(created))
      }
      const { body: changed } = await objects.merge(name, subject.content('two'))
      expect(revisionOf(changed)).toBeGreaterThan(revisionOf(created))
      const event = await watch.next()
      expect(event).toMatchObject({ type: 'MODIFIED' })
      expect(event?.object.metadata.resourceVersion).toBe(changed.metadata.resourceVersion)
    })
  })
}
