import { describe, expect, it } from 'vitest'
import { must } from '../../lib/assert.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import type { ObjectContent } from '../../store/objects/model/object-write.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from '../definitions/custom-resource-definitions.ts'
import { compileDefinition } from '../definitions/compile-definition.ts'
import { NATIVE_RESOURCES } from '../native/native-resources.ts'
import { compileSeed } from './compile-seed.ts'
import { configMap, namespaceOf, widget, WIDGETS } from './fixtures.ts'
import { instantiateSeed } from './instantiate-seed.ts'
import { createSeedContext } from './seed-context.ts'

const CONTEXT = createSeedContext([...NATIVE_RESOURCES, CUSTOM_RESOURCE_DEFINITIONS])
const MEMBER = {
  plane: 'c1',
  createdTime: new Date('2026-01-01T00:00:07.500Z'),
  name: 'rl-0007',
  index: 7,
}

async function compiled(manifests: readonly JsonValue[]) {
  const options = { field: 'objects', sample: { name: 'rl-0000', index: 0 } }
  const result = await compileSeed(CONTEXT, manifests, options)
  if (result.status === 'invalid') throw new Error(JSON.stringify(result.errors))
  return result.seed
}

async function contentsOf(
  manifests: readonly JsonValue[],
  member = MEMBER,
): Promise<readonly ObjectContent[]> {
  const instance = await instantiateSeed(await compiled(manifests), member)
  if (instance.status === 'invalid') throw new Error(JSON.stringify(instance.errors))
  return instance.seed.contents
}

const CREATED = '2026-01-01T00:00:07Z'

describe('instantiateSeed', () => {
  it.each([
    ['without placeholders', 'text', 'text'],
    ['with placeholders', '${name}-${index}', 'rl-0007-7'],
  ])(
    'creates the object of a manifest %s as an API request of the manager fleet',
    async (...row) => {
      const [, template, value] = row
      const [content] = await contentsOf([configMap('a', { key: template })])
      expect(content).toEqual({
        key: { plane: 'c1', resource: 'configmaps', namespace: 'default', name: 'a' },
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        body: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: 'a',
            namespace: 'default',
            uid: content?.uid,
            creationTimestamp: CREATED,
          },
          data: { key: value },
        },
        managedFields: [
          {
            manager: 'fleet',
            operation: 'Update',
            apiVersion: 'v1',
            time: CREATED,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { '.': {}, 'f:key': {} } },
          },
        ],
      })
    },
  )

  it('gives the plane its first revision, and each object of each member another uid', async () => {
    const seed = await compiled([configMap('a', {}), configMap('b', {})])
    const members = await Promise.all(
      [MEMBER, { ...MEMBER, plane: 'c2' }].map((member) => instantiateSeed(seed, member)),
    )
    const seeds = members.map((instance) =>
      must(instance.status === 'seeded' ? instance.seed : null, 'a seed'),
    )
    expect(seeds.map(({ plane }) => plane)).toEqual(['c1', 'c2'])
    expect(seeds[0]?.start).toBe((BigInt(Date.parse(CREATED)) / 1000n) << 20n)
    const uids = seeds.flatMap(({ contents }) => contents.map(({ uid }) => uid))
    expect(new Set(uids).size).toBe(4)
  })

  it('orders namespaces and definitions first, and adds the accounts of namespaces', async () => {
    const account = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: 'given' },
    }
    const contents = await contentsOf([
      widget('a', {}, 'team'),
      WIDGETS,
      account,
      namespaceOf('team'),
      namespaceOf('given'),
    ])
    expect(contents.map(({ key }) => [key.resource, key.namespace, key.name])).toEqual([
      ['namespaces', '', 'team'],
      ['namespaces', '', 'given'],
      ['customresourcedefinitions.apiextensions.k8s.io', '', 'widgets.example.com'],
      ['widgets.example.com', 'team', 'a'],
      ['serviceaccounts', 'given', 'default'],
      ['serviceaccounts', 'team', 'default'],
    ])
    expect(contents[0]?.body).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'team' }, creationTimestamp: CREATED },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
    expect(contents[5]?.body).toMatchObject({
      metadata: { creationTimestamp: CREATED, uid: contents[5]?.uid },
    })
  })

  it('establishes definitions, and sets the defaults of their instances', async () => {
    const [definition, instance] = await contentsOf([WIDGETS, widget('a', {})])
    expect(definition?.body['status']).toMatchObject({
      acceptedNames: { plural: 'widgets', kind: 'Widget', shortNames: ['wg'] },
      storedVersions: ['v1'],
      conditions: [
        { type: 'NamesAccepted', status: 'True', lastTransitionTime: CREATED },
        { type: 'Established', status: 'True', lastTransitionTime: CREATED },
      ],
    })
    expect(compileDefinition(definition?.body ?? {})?.plural).toBe('widgets')
    expect(instance?.body).toMatchObject({ metadata: { generation: 1 }, spec: { size: 3 } })
  })

  it('stores the plain text of secrets as their data', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }
    const [content] = await contentsOf([{ ...secret, stringData: { a: '${name}' } }])
    expect(content?.body).toMatchObject({ data: { a: btoa('rl-0007') }, type: 'Opaque' })
  })

  it('replaces placeholders in names and namespaces', async () => {
    const contents = await contentsOf([
      namespaceOf('${name}'),
      configMap('${name}-${index}', {}, '${name}'),
    ])
    expect(contents.map(({ key }) => `${key.namespace}/${key.name}`)).toEqual([
      '/rl-0007',
      'rl-0007/rl-0007-7',
      'rl-0007/default',
    ])
  })

  it('reports the violations of one member', async () => {
    const seed = await compiled([
      WIDGETS,
      widget('a', { label: '${name}' }),
      configMap('x-${index}', {}),
      configMap('x-5', {}),
    ])
    expect(
      await instantiateSeed(seed, { ...MEMBER, name: 'a-name-that-is-too-long' }),
    ).toMatchObject({
      status: 'invalid',
      errors: [{ field: 'objects[1].spec.label' }, { field: 'objects[1]' }],
    })
    expect(await instantiateSeed(seed, { ...MEMBER, index: 5 })).toMatchObject({
      status: 'invalid',
      errors: [{ field: 'objects[3].metadata.name', reason: 'FieldValueDuplicate' }],
    })
    expect(await instantiateSeed(seed, MEMBER)).toMatchObject({ status: 'seeded' })
  })

  it('gives the objects of a reset plane the time of the reset', async () => {
    const seed = await compiled([configMap('a', {})])
    const now = new Date('2026-02-02T00:00:00Z')
    expect(await instantiateSeed(seed, { ...MEMBER, now })).toMatchObject({
      seed: { contents: [{ body: { metadata: { creationTimestamp: '2026-02-02T00:00:00Z' } } }] },
    })
  })
})
