import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { collectionOf, failure, type Suite } from '../suite.ts'
import { groupPath } from '../subjects.ts'

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

/** R14: tables, metadata, YAML and protobuf. */
export function representationRules(suite: Suite): void {
  const { subject, plane } = suite
  const objects = collectionOf(suite)

  describe('representations', () => {
    test('R14: lists and objects as tables', async () => {
      const label = objects.unique('table')
      const name = `${label}-a`
      const { body: created } = await objects.create(name, 'one', { labels: { label } })
      const query = { labelSelector: `label=${label}` }
      const { body: table } = await objects.list(query, TABLE)
      expect(table).toMatchObject({
        kind: 'Table',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
        rows: [
          { object: { kind: 'PartialObjectMetadata', metadata: { uid: created.metadata.uid } } },
        ],
      })
      const columns = table.columnDefinitions.map((column: { name: string }) => column.name)
      expect(columns[0]).toBe('Name')
      expect(columns).toContain('Age')
      expect(table.rows[0].cells).toHaveLength(columns.length)
      expect(table.rows[0].cells[0]).toBe(name)
      expect(table.rows[0].cells[columns.indexOf('Age')]).toMatch(/^\d+s$/)
      const one = await objects.get(name, { accept: TABLE, query: { includeObject: 'Object' } })
      expect(subject.valueOf(one.body.rows[0].object)).toBe('one')
      const none = await objects.list({ ...query, includeObject: 'None' }, TABLE)
      expect(none.body.rows[0].object).toBeNull()
      expect(await objects.list({ includeObject: 'All' }, TABLE)).toMatchObject(
        failure(400, 'BadRequest'),
      )
    })

    test('R14: watches as tables, with columns in the first event', async () => {
      const name = objects.unique()
      await using watch = await objects.watch({ fieldSelector: `metadata.name=${name}` }, TABLE)
      await objects.create(name)
      await objects.merge(name, subject.content('two'))
      const events = [await watch.next(), await watch.next()]
      expect(events).toMatchObject([
        { type: 'ADDED', object: { kind: 'Table', rows: [{ object: { metadata: { name } } }] } },
        { type: 'MODIFIED', object: { kind: 'Table', rows: [{ object: { metadata: { name } } }] } },
      ])
      expect(events[0]?.object.columnDefinitions.length).toBeGreaterThan(1)
      expect(events[1]?.object.columnDefinitions ?? []).toEqual([])
    })

    test('R14: the metadata of objects and lists', async () => {
      const name = objects.unique()
      const { body: created } = await objects.create(name)
      const { body: partial } = await objects.get(name, { accept: METADATA })
      expect(partial).toMatchObject({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { uid: created.metadata.uid },
      })
      expect(subject.valueOf(partial)).toBeUndefined()
      const list = await objects.list({}, METADATA_LIST)
      expect(list.body.kind).toBe('PartialObjectMetadataList')
      expect(list.body.items[0].kind).toBe('PartialObjectMetadata')
      await using watch = await objects.watch({ fieldSelector: `metadata.name=${name}` }, METADATA)
      expect((await watch.next())?.object.kind).toBe('PartialObjectMetadata')
    })

    test.each([
      [TABLE, 'Table', true],
      [METADATA, 'PartialObjectMetadata', false],
    ])('R14: bookmarks have the form of the other events: %s', async (accept, kind, isTable) => {
      const name = objects.unique()
      await using watch = await objects.watch(
        {
          fieldSelector: `metadata.name=${name}`,
          sendInitialEvents: 'true',
          resourceVersionMatch: 'NotOlderThan',
          allowWatchBookmarks: 'true',
          timeoutSeconds: '1',
        },
        accept,
      )
      const events = [await watch.next(), await watch.next()]
      expect(events).toMatchObject([
        { type: 'BOOKMARK', object: { kind, apiVersion: 'meta.k8s.io/v1' } },
        { type: 'BOOKMARK', object: { kind, metadata: { resourceVersion: expect.any(String) } } },
      ])
      const initial = isTable ? events[0]?.object.rows[0].object : events[0]?.object
      expect(initial).toMatchObject({
        kind: 'PartialObjectMetadata',
        metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
      })
    })

    test('R14: nothing acceptable is a 406', async () => {
      expect(await objects.list({}, 'text/plain')).toMatchObject(failure(406, 'NotAcceptable'))
      expect(await objects.list({}, METADATA)).toMatchObject(failure(406, 'NotAcceptable'))
      await using watch = await objects.watch({}, METADATA_LIST)
      expect(watch.status).toBe(406)
      const protobuf = await objects.list({}, 'application/vnd.kubernetes.protobuf')
      expect(protobuf.headers.get('content-type')).toContain('application/json')
    })

    test('R14: YAML in both directions', async () => {
      const name = objects.unique()
      const yaml = `metadata:\n  name: ${name}\n${JSON.stringify(subject.content('one')).slice(1, -1)}`
      const created = await plane().call('POST', objects.path, {
        type: 'application/yaml',
        accept: 'application/yaml',
        body: yaml.replace(/^"(\w+)":/m, '$1: '),
      })
      expect(created.status).toBe(201)
      expect(created.headers.get('content-type')).toContain('application/yaml')
      expect(parse(created.text)).toEqual((await objects.get(name)).body)
      const broken = await plane().call('POST', objects.path, {
        type: 'application/yaml',
        body: 'a: [',
      })
      expect(broken).toMatchObject(failure(400, 'BadRequest'))
    })

    test.runIf(subject.plural === 'configmaps')(
      'R14: protobuf bodies of native kinds',
      async () => {
        const name = objects.unique()
        const created = await plane().call('POST', objects.path, {
          type: 'application/vnd.kubernetes.protobuf',
          body: protobufConfigMap(name, 'one'),
        })
        expect(created).toMatchObject({ status: 201, body: { data: { value: 'one' } } })
        const options = Buffer.concat([
          Buffer.from('k8s\0'),
          field(1, Buffer.concat([field(1, 'v1'), field(2, 'DeleteOptions')])),
          field(2, field(2, field(1, 'another-uid'))),
        ])
        const type = 'application/vnd.kubernetes.protobuf'
        expect(await objects.delete(name, { type, body: options })).toMatchObject(
          failure(409, 'Conflict'),
        )
        const broken = await plane().call('POST', objects.path, { type, body: 'k8s\0\xff' })
        expect(broken).toMatchObject(failure(400, 'BadRequest'))
      },
    )

    test('R38: malformed requests and unknown resources have a Status', async () => {
      const broken = await plane().call('POST', objects.path, { body: '{' })
      expect(broken).toMatchObject(failure(400, 'BadRequest'))
      // test/cmd of Kubernetes sends YAML and expects this beginning.
      const expected = `the object provided is unrecognized (must be of type ${subject.kind})`
      expect(broken.body.message).toContain(expected)
      const options = await plane().call('DELETE', `${objects.path}/absent`, { body: '{' })
      expect(options).toMatchObject(failure(400, 'BadRequest'))
      expect(options.body.message).toContain('(must be of type DeleteOptions)')
      const other = await plane().call('POST', objects.path, { body: 'x', type: 'text/plain' })
      expect(other).toMatchObject(failure(415, 'UnsupportedMediaType'))
      const unknown = await plane().call('GET', `${groupPath(subject)}/namespaces/default/unknowns`)
      expect(unknown).toMatchObject(failure(404, 'NotFound'))
      expect(await objects.get('absent')).toMatchObject({
        ...failure(404, 'NotFound'),
        body: { details: { name: 'absent', kind: subject.plural } },
      })
      const wrongKind = { ...objects.object(objects.unique()), kind: 'Other' }
      const kind = await plane().call('POST', objects.path, { body: wrongKind })
      expect(kind).toMatchObject(failure(400, 'BadRequest'))
      expect((await plane().call('PUT', objects.path, { body: {} })).status).toBe(405)
    })
  })
}

function protobufConfigMap(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, Buffer.concat([field(1, 'v1'), field(2, 'ConfigMap')])),
    field(
      2,
      Buffer.concat([
        field(1, field(1, name)),
        field(2, Buffer.concat([field(1, 'value'), field(2, value)])),
      ]),
    ),
  ])
}

/** A short field with a length. */
function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.of(number * 8 + 2, bytes.length), bytes])
}
