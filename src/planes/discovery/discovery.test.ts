import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { must } from '../../lib/assert.ts'
import type { ResourceType } from '../model/resource-type.ts'
import { NATIVE_RESOURCES } from '../native/native-resources.ts'
import { nativeType } from '../native/native-type.ts'
import { discoveryOf } from './discovery.ts'
import { matchesEtag } from './serialized-document.ts'
import { rootPaths, versionDocument } from './server-documents.ts'
import { compareVersions } from '../model/version-order.ts'

const NATIVE = { types: NATIVE_RESOURCES.map(({ type }) => type) }

function custom(plural: string, group = 'example.com'): ResourceType {
  const type = nativeType({
    group,
    kind: plural.charAt(0).toUpperCase() + plural.slice(1, -1),
    plural,
    definitions: 'com.example',
    namespaced: true,
    description: '',
    properties: {},
    printerColumns: [],
    hasStatus: true,
  })
  const [version] = type.versions
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  return {
    ...type,
    categories: ['all'],
    versions: ['v1', 'v1beta1'].map((name) => ({ ...must(version, 'a version'), name, scale })),
    isCustom: true,
  }
}

function parsed(document: { readonly body: string } | null) {
  const value: JsonValue = JSON.parse(must(document, 'a document').body)
  if (!isJsonObject(value)) throw new Error('expected an object')
  return value
}

describe('discovery', () => {
  it('lists exactly the served resources', () => {
    const { types } = NATIVE
    const discovery = discoveryOf(NATIVE)
    for (const group of new Set(types.map((type) => type.group))) {
      const { resources } = parsed(discovery.resources(group, 'v1'))
      const names = (Array.isArray(resources) ? resources : []).map(({ name }) => name)
      const expected = types.filter((type) => type.group === group).map(({ plural }) => plural)
      expect(names.filter((name) => !name.includes('/'))).toEqual(expected.toSorted())
    }
    expect(discovery.resources('apps', 'v1')).toBeNull()
    expect(discovery.group('apps')).toBeNull()
  })

  it('describes config maps as a Kubernetes server does', () => {
    const { resources, ...list } = parsed(discoveryOf(NATIVE).resources('', 'v1'))
    expect(list).toEqual({ kind: 'APIResourceList', groupVersion: 'v1' })
    expect(resources).toContainEqual({
      name: 'configmaps',
      singularName: 'configmap',
      namespaced: true,
      kind: 'ConfigMap',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['cm'],
      storageVersionHash: 'qFsyl6wFWjQ=',
    })
    expect(resources).toContainEqual({
      name: 'serviceaccounts/token',
      singularName: '',
      namespaced: true,
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    })
    expect(resources).toContainEqual({
      name: 'namespaces/status',
      singularName: '',
      namespaced: false,
      kind: 'Namespace',
      verbs: ['get', 'patch', 'update'],
    })
  })

  it('sorts groups by priority and name, and versions by stability', () => {
    const types = [custom('foos', 'z.example.com'), custom('bars', 'a.example.com')]
    const discovery = discoveryOf({ types: [...types, ...NATIVE.types] })
    const { groups } = parsed(discovery.groups())
    expect((Array.isArray(groups) ? groups : []).map(({ name }) => name)).toEqual([
      'apiregistration.k8s.io',
      'coordination.k8s.io',
      'a.example.com',
      'z.example.com',
    ])
    expect(parsed(discovery.group('a.example.com'))).toMatchObject({
      preferredVersion: { groupVersion: 'a.example.com/v1', version: 'v1' },
      versions: [{ version: 'v1' }, { version: 'v1beta1' }],
    })
    const names = ['foo', 'v1alpha2', 'v11beta2', 'v2', 'v10', 'v1beta1', 'bar']
    expect(names.toSorted(compareVersions)).toEqual([
      'v10',
      'v2',
      'v11beta2',
      'v1beta1',
      'v1alpha2',
      'bar',
      'foo',
    ])
  })

  it('aggregates all groups with subresources', () => {
    const discovery = discoveryOf({ types: [custom('foos'), ...NATIVE.types] })
    const document = parsed(discovery.aggregated('named', 'v2'))
    expect(document).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
    })
    expect(document['items']).toContainEqual(
      expect.objectContaining({
        metadata: { name: 'example.com', creationTimestamp: null },
        versions: [
          expect.objectContaining({
            version: 'v1',
            freshness: 'Current',
            resources: [
              expect.objectContaining({
                resource: 'foos',
                scope: 'Namespaced',
                categories: ['all'],
                responseKind: { group: 'example.com', version: 'v1', kind: 'Foo' },
                subresources: [
                  {
                    subresource: 'scale',
                    responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                    verbs: ['get', 'patch', 'update'],
                  },
                  expect.objectContaining({ subresource: 'status' }),
                ],
              }),
            ],
          }),
          expect.objectContaining({ version: 'v1beta1' }),
        ],
      }),
    )
    const core = parsed(discovery.aggregated('core', 'v2beta1'))
    expect(core).toMatchObject({ apiVersion: 'apidiscovery.k8s.io/v2beta1' })
    expect(core['items']).toHaveLength(1)
  })

  it('R37: merges the groups of other servers', () => {
    const resources = [
      {
        resource: 'pods',
        responseKind: { group: 'metrics.k8s.io', version: 'v1beta1', kind: 'PodMetrics' },
        scope: 'Namespaced',
        singularResource: 'pod',
        verbs: ['get', 'list'],
      },
    ]
    const version = {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      groupPriority: 100,
      versionPriority: 100,
      resources,
      isCurrent: false,
    }
    const discovery = discoveryOf(NATIVE, [version])
    expect(discovery.aggregated('named', 'v2').body).toContain('"freshness":"Stale"')
    expect(parsed(discovery.resources('metrics.k8s.io', 'v1beta1'))['resources']).toEqual([
      {
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        kind: 'PodMetrics',
        verbs: ['get', 'list'],
      },
    ])
  })

  it('keeps documents until the types change', () => {
    const [first, second] = [discoveryOf(NATIVE), discoveryOf({ types: [...NATIVE.types] })]
    expect(discoveryOf(NATIVE)).toBe(first)
    expect(second).not.toBe(first)
    const { etag } = first.groups()
    expect(second.groups().etag).toBe(etag)
    expect(matchesEtag(`"x", ${etag}`, etag)).toBe(true)
    expect(matchesEtag('"x"', etag)).toBe(false)
    expect(matchesEtag(undefined, etag)).toBe(false)
  })

  it('lists paths and names the version', () => {
    const { paths } = rootPaths(discoveryOf(NATIVE), ['/version'])
    expect(paths).toEqual([
      '/api',
      '/api/v1',
      '/apis',
      '/apis/apiregistration.k8s.io',
      '/apis/apiregistration.k8s.io/v1',
      '/apis/coordination.k8s.io',
      '/apis/coordination.k8s.io/v1',
      '/version',
    ])
    const build = {
      name: 'flotilla',
      commit: '',
      date: '',
      runtime: 'node',
      platform: 'linux/amd64',
    }
    expect(versionDocument(build)).toMatchObject({ gitVersion: 'v1.35.0+flotilla', minor: '35' })
  })
})
