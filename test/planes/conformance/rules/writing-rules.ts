import { describe, expect, test } from 'vitest'
import {
  APPLY,
  collectionOf,
  failure,
  JSON_PATCH,
  revisionOf,
  STRATEGIC,
  type Suite,
} from '../suite.ts'

/** R20 to R25: patches, apply, dry run, field validation and subresources. */
export function writingRules(suite: Suite): void {
  const { subject, plane } = suite
  const objects = collectionOf(suite)
  const at = (name: string) => `${objects.path}/${name}`

  function apply(name: string, body: unknown, query: Readonly<Record<string, string>>) {
    return plane().call('PATCH', at(name), { type: APPLY, body, query })
  }

  describe('writing', () => {
    test('R20: json, merge and strategic merge patches', async () => {
      const name = objects.unique()
      await objects.create(name, 'one', { labels: { a: 'b' } })
      const patched = await plane().call('PATCH', at(name), {
        type: JSON_PATCH,
        body: [
          { op: 'test', path: '/metadata/labels/a', value: 'b' },
          { op: 'add', path: '/metadata/labels/c', value: 'd' },
        ],
      })
      expect(patched.body.metadata.labels).toEqual({ a: 'b', c: 'd' })
      const merged = await objects.merge(name, { metadata: { labels: { a: null } } })
      expect(merged.body.metadata.labels).toEqual({ c: 'd' })
      const strategic = await plane().call('PATCH', at(name), {
        type: STRATEGIC,
        body: { metadata: { labels: { e: 'f' } } },
      })
      if (subject.isCustom) expect(strategic).toMatchObject(failure(415, 'UnsupportedMediaType'))
      else expect(strategic.body.metadata.labels).toEqual({ c: 'd', e: 'f' })
      const failed = await plane().call('PATCH', at(name), {
        type: JSON_PATCH,
        body: [{ op: 'test', path: '/metadata/labels/c', value: 'x' }],
      })
      expect(failed).toMatchObject(failure(422, 'Invalid'))
      const type = 'application/unknown-patch+json'
      expect(await plane().call('PATCH', at(name), { type, body: {} })).toMatchObject(
        failure(415, 'UnsupportedMediaType'),
      )
      expect(await objects.merge('absent', {})).toMatchObject(failure(404, 'NotFound'))
    })

    test('R21: apply creates, owns fields, reports conflicts and removes fields that it no longer lists', async () => {
      const name = objects.unique()
      const mine = objects.object(name, 'one', { labels: { mine: 'x' } })
      const created = await apply(name, mine, { fieldManager: 'first' })
      expect(created.status).toBe(201)
      expect(created.body.metadata.managedFields).toMatchObject([
        { manager: 'first', operation: 'Apply', fieldsType: 'FieldsV1' },
      ])
      const same = await apply(name, mine, { fieldManager: 'first' })
      expect(same.status).toBe(200)
      expect(revisionOf(same.body)).toBe(revisionOf(created.body))
      const theirs = objects.object(name, 'two')
      const conflict = await apply(name, theirs, { fieldManager: 'second' })
      expect(conflict).toMatchObject(failure(409, 'Conflict'))
      expect(conflict.body.message).toContain('conflict with "first"')
      expect(conflict.body.details.causes).toMatchObject([
        { reason: 'FieldManagerConflict', field: expect.stringMatching(/^\./) },
      ])
      const forced = await apply(name, theirs, { fieldManager: 'second', force: 'true' })
      expect(subject.valueOf(forced.body)).toBe('two')
      const less = objects.object(name, 'two', {})
      const removed = await apply(name, less, { fieldManager: 'first' })
      expect(removed.body.metadata.labels).toBeUndefined()
      expect(await apply(name, mine, {})).toMatchObject(failure(422, 'Invalid'))
    })

    test('R21: updates take ownership, and status has separate entries', async () => {
      const name = objects.unique()
      await apply(name, objects.object(name, 'one'), { fieldManager: 'applier' })
      const { body } = await objects.merge(name, subject.content('two'), {
        query: { fieldManager: 'updater' },
      })
      const entries = body.metadata.managedFields.map(
        ({ manager, operation }: { manager: string; operation: string }) => [manager, operation],
      )
      expect(entries).toContainEqual(['updater', 'Update'])
      const conflict = await apply(name, objects.object(name, 'three'), {
        fieldManager: 'applier',
      })
      expect(conflict.body.message).toContain('conflict with "updater"')
    })

    test('R22: a dry run returns the result and stores nothing', async () => {
      const query = { dryRun: 'All' }
      const name = objects.unique()
      const dry = await plane().call('POST', objects.path, { body: objects.object(name), query })
      expect(dry).toMatchObject({ status: 201, body: { metadata: { name } } })
      expect((await objects.get(name)).status).toBe(404)
      const { body: created } = await objects.create(name)
      const patched = await objects.merge(name, subject.content('two'), { query })
      expect(subject.valueOf(patched.body)).toBe('two')
      expect((await objects.delete(name, { query })).status).toBe(200)
      expect((await objects.get(name)).body).toEqual(created)
      const invalid = await objects.merge(name, { metadata: { labels: { a: '-' } } }, { query })
      expect(invalid).toMatchObject(failure(422, 'Invalid'))
      const unknown = await objects.delete(name, { query: { dryRun: 'Some' } })
      expect([400, 422]).toContain(unknown.status)
    })

    test('R23: unknown and duplicate fields by fieldValidation', async () => {
      const body = { ...objects.object(objects.unique()), unknownField: 1 }
      const send = (fieldValidation: string, sent: unknown) =>
        plane().call('POST', objects.path, {
          body: sent,
          query: { fieldValidation, dryRun: 'All' },
        })
      const strict = await send('Strict', body)
      expect(strict).toMatchObject(failure(400, 'BadRequest'))
      expect(strict.body.message).toContain('unknown field "unknownField"')
      const warned = await send('Warn', body)
      expect(warned.status).toBe(201)
      expect(warned.headers.get('warning')).toContain('unknown field')
      expect(warned.body.unknownField).toBeUndefined()
      const ignored = await send('Ignore', body)
      expect(ignored.headers.get('warning')).toBeNull()
      const duplicate = JSON.stringify(objects.object('x')).replace('{', '{"kind":"Other",')
      const duplicated = await send('Strict', duplicate)
      expect(duplicated).toMatchObject(failure(400, 'BadRequest'))
      expect(duplicated.body.message).toContain('duplicate field "kind"')
      expect([400, 422]).toContain((await send('Loose', body)).status)
    })

    test.runIf(subject.isCustom)(
      'R24: status and the rest change through separate paths',
      async () => {
        const name = objects.unique()
        const status = { conditions: [{ type: 'Ready', status: 'True' }] }
        const created = await plane().call('POST', objects.path, {
          body: { ...objects.object(name), status },
        })
        expect(created.body.status).toBeUndefined()
        const updated = await plane().call('PUT', `${at(name)}/status`, {
          body: { ...created.body, ...subject.content('two'), status },
        })
        expect(updated.body.status).toEqual(status)
        expect(subject.valueOf(updated.body)).toBe('one')
        expect(updated.body.metadata.generation).toBe(1)
        const changed = await objects.merge(name, { ...subject.content('two'), status: null })
        expect(changed.body.status).toEqual(status)
        expect(changed.body.metadata.generation).toBe(2)
        const read = await plane().call('GET', `${at(name)}/status`)
        expect(read.body).toEqual(changed.body)
      },
    )

    test('R24: unknown subresources are a 404', async () => {
      const name = objects.unique()
      await objects.create(name)
      expect((await plane().call('GET', `${at(name)}/unknown`)).status).toBe(404)
    })

    test.runIf(subject.isCustom)('R25: defaults are set before validation', async () => {
      const { body } = await objects.create(objects.unique())
      expect(body.spec.size).toBe(1)
    })

    test('R25: writing an object as it was read changes nothing', async () => {
      const name = objects.unique()
      await objects.create(name)
      const { body: read } = await objects.get(name)
      const { body: written } = await objects.put(name, read)
      expect(written).toEqual(read)
    })
  })
}
