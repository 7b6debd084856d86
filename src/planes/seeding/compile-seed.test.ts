import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { createRoleResources } from '../access/resources/role-resources.ts'
import { ADMISSION_RESOURCES } from '../admission/resources/admission-resources.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from '../definitions/custom-resource-definitions.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { LEASES } from '../native/coordination/leases.ts'
import { NATIVE_RESOURCES } from '../native/native-resources.ts'
import { compileSeed } from './compile-seed.ts'
import { configMap, namespaceOf, widget, WIDGETS } from './fixtures.ts'
import { createSeedContext } from './seed-context.ts'

/** A resource with another store, one of the root plane alone, and one that is never stored. */
const OTHERS: readonly NativeResource[] = [
  {
    type: { ...LEASES.type, group: 'example.org', kind: 'Elsewhere', plural: 'elsewhere' },
    review: (object) => Promise.resolve(object),
  },
  {
    type: { ...LEASES.type, group: 'example.org', kind: 'Rooted', plural: 'rooted' },
    servedIn: (plane) => plane === 'root',
  },
]

const CONTEXT = createSeedContext([
  ...NATIVE_RESOURCES,
  CUSTOM_RESOURCE_DEFINITIONS,
  ...createRoleResources(() => []),
  ...ADMISSION_RESOURCES,
  ...OTHERS,
])

const OPTIONS = { field: 'objects', sample: { name: 'rl-0000', index: 0 } }

async function errorsOf(manifests: readonly JsonValue[]): Promise<readonly string[]> {
  const result = await compileSeed(CONTEXT, manifests, OPTIONS)
  return result.status === 'compiled'
    ? []
    : result.errors.map(({ field, message }) => `${field}: ${message}`)
}

function withMetadata(metadata: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata }
}

describe('compileSeed', () => {
  it('accepts native objects, namespaces with content, definitions and their instances', async () => {
    const manifests = [
      widget('a', { size: 1 }, 'team'),
      configMap('b', { key: '${name}' }, 'team'),
      WIDGETS,
      namespaceOf('team'),
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: '${index}' } },
    ]
    expect(await errorsOf(manifests)).toEqual([])
    expect(await errorsOf([])).toEqual([])
  })

  it.each([
    [['text'], ['objects[0]: Invalid value: "text": must be a manifest']],
    [
      [{}],
      [
        'objects[0].apiVersion: Required value',
        'objects[0].kind: Required value',
        'objects[0].metadata.name: Required value',
      ],
    ],
    [
      [withMetadata({ generateName: 'a-' })],
      [
        'objects[0].metadata.generateName: Forbidden: set name: it may contain ${name} or ${index}',
        'objects[0].metadata.name: Required value',
      ],
    ],
    [
      [withMetadata({ name: 'a', uid: 'b' })],
      ['objects[0].metadata.uid: Forbidden: it is assigned when a member is created'],
    ],
    [
      [withMetadata({ name: 'a', resourceVersion: '1' })],
      ['objects[0].metadata.resourceVersion: Forbidden: it is assigned when a member is created'],
    ],
    [[withMetadata({ name: 7 })], ['objects[0].metadata.name: Invalid value: 7: must be a string']],
    [
      [{ ...withMetadata({ name: 'a' }), kind: '${name}' }],
      ['objects[0].kind: Invalid value: "${name}": must not have placeholders'],
    ],
  ])('rejects the manifest %j', async (manifests, errors) => {
    expect(await errorsOf(manifests)).toEqual(errors)
  })

  it('rejects owner references, because the uids of a template are unknown', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: 'c' }]
    expect(await errorsOf([withMetadata({ name: 'a', ownerReferences })])).toEqual([
      'objects[0].metadata.ownerReferences: Forbidden: uids are assigned when a member is created, so owners cannot be named here',
    ])
  })

  it.each([
    ['v1', 'Pod'],
    ['apps/v1', 'Deployment'],
    ['v1', 'List'],
    ['example.org/v1', 'Rooted'],
  ])('rejects a kind that planes do not serve: %s %s', async (apiVersion, kind) => {
    const [error = '', ...others] = await errorsOf([{ apiVersion, kind, metadata: { name: 'a' } }])
    expect(error).toBe(
      `objects[0].kind: Invalid value: "${kind}": planes do not serve this kind in ${apiVersion}: they have no workloads, and custom resources need a CustomResourceDefinition in the same list`,
    )
    expect(others).toEqual([])
  })

  it('rejects kinds that are not stored in planes, and versions that are not served', async () => {
    const metadata = { name: 'a' }
    expect(
      await errorsOf([
        { apiVersion: 'example.org/v1', kind: 'Elsewhere', metadata },
        { apiVersion: 'rbac.authorization.k8s.io/v1beta1', kind: 'ClusterRole', metadata },
      ]),
    ).toEqual([
      'objects[0].kind: Invalid value: "Elsewhere": is not part of the content of a plane',
      'objects[1].apiVersion: Invalid value: "rbac.authorization.k8s.io/v1beta1": planes serve ClusterRole in v1',
    ])
  })

  it('reports the violations of schemas, rules and strategies with their paths', async () => {
    expect(
      await errorsOf([
        WIDGETS,
        configMap('A_b', { ok: 'x' }),
        { ...configMap('b', { 'a b': 'x' }), extra: 1 },
        widget('c', { size: 'x' }),
        widget('d', { size: 11 }),
        widget('e', { label: 'name ${name} is too long' }),
        { ...namespaceOf('f'), metadata: { name: 'f', namespace: 'default' } },
      ]),
    ).toEqual([
      expect.stringMatching(/^objects\[1\]\.metadata\.name: Invalid value: "A_b": a lowercase/),
      'objects[2].extra: Forbidden: unknown field',
      expect.stringMatching(/^objects\[2\]\.data\[a b\]: Invalid value/),
      expect.stringMatching(
        /^objects\[3\]\.spec\.size: Invalid value: "string": .*must be of type/,
      ),
      expect.stringMatching(/^objects\[3\]: Invalid value: null: some validation rules/),
      expect.stringMatching(/^objects\[4\]\.spec: Invalid value: .*too large/),
      expect.stringMatching(/^objects\[5\]\.spec\.label: Too long/),
      expect.stringMatching(/^objects\[5\]: Invalid value: null: some validation rules/),
      'objects[6].metadata.namespace: Forbidden: not allowed on this type',
    ])
  })

  it('reports an invalid definition once, without errors about its instances', async () => {
    const broken = { ...WIDGETS, metadata: { name: 'gadgets.example.com' } }
    expect(await errorsOf([broken, widget('a', {})])).toEqual([
      expect.stringMatching(/^objects\[0\]\.metadata\.name: Invalid value/),
    ])
  })

  it('rejects definitions with the same names, and those with placeholders', async () => {
    const spec = { ...(WIDGETS['spec'] as JsonObject) }
    const twin = {
      ...WIDGETS,
      metadata: { name: 'gizmos.example.com' },
      spec: { ...spec, names: { plural: 'gizmos', kind: 'Widget' } },
    }
    expect(await errorsOf([WIDGETS, twin])).toEqual([
      'objects[1].spec.names: Invalid value: "gizmos": another definition of the list has one of these names',
    ])
    const variable = {
      ...WIDGETS,
      metadata: { name: 'widgets.example.com', labels: { a: '${name}' } },
    }
    expect(await errorsOf([variable])).toEqual([
      'objects[0]: Forbidden: definitions must not have placeholders: all members serve the same kinds',
    ])
  })

  it('rejects duplicates, initial objects, and objects in missing namespaces', async () => {
    expect(
      await errorsOf([
        configMap('a', {}),
        configMap('a', {}, 'default'),
        namespaceOf('kube-system'),
        configMap('b', {}, 'missing'),
        configMap('c', {}, 'kube-system'),
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
      ]),
    ).toEqual([
      'objects[1].metadata.name: Duplicate value: "a"',
      'objects[2].metadata.name: Invalid value: "kube-system": every plane has this object from the start',
      'objects[3].metadata.namespace: Invalid value: "missing": the list has no such namespace, and planes have none from the start',
      'objects[5].metadata.name: Invalid value: "default": every plane has this object from the start',
    ])
  })

  it('rejects more than 1 MiB, and more than 1 000 objects', async () => {
    const large = configMap('a', { a: 'x'.repeat(600_000) })
    expect(await errorsOf([large, { ...large, metadata: { name: 'b' } }])).toEqual([
      'objects: Too long: may not be more than 1048576 bytes',
    ])
    const many = Array.from({ length: 1001 }, (_, index) => configMap(`a${index}`, {}))
    expect(await errorsOf(many)).toEqual(['objects: Too many: 1001: must have at most 1000 items'])
  })

  it('rejects versions that only a webhook converts', async () => {
    const spec = WIDGETS['spec'] as JsonObject
    const [version] = spec['versions'] as readonly JsonObject[]
    const converted = {
      ...WIDGETS,
      spec: {
        ...spec,
        versions: [version ?? {}, { ...version, name: 'v2', storage: false }],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { url: 'https://example.com/convert' },
          },
        },
      },
    }
    const later = { ...widget('a', {}), apiVersion: 'example.com/v2' }
    expect(await errorsOf([converted, widget('b', {}), later])).toEqual([
      'objects[2].apiVersion: Invalid value: "example.com/v2": must have the storage version v1: a webhook converts the others',
    ])
  })
})
