import { describe, expect, it } from 'vitest'
import type { PlaneConfiguration } from '../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { TypeRegistry } from '../model/type-registry.ts'
import { compileDefinition } from './compile-definition.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from './custom-resource-definitions.ts'
import { definitionOf, establishedDefinition, versionOf } from './fixtures.ts'
import { createTypeRegistry, DEFINITIONS_RESOURCE } from './type-registry.ts'

const NATIVE = [CUSTOM_RESOURCE_DEFINITIONS.type]
const NATIVES: TypeRegistry = {
  typesOf: () =>
    Promise.resolve({
      types: NATIVE,
      find: (_group, _version, plural) => NATIVE.find((type) => type.plural === plural) ?? null,
      findByKind: (_group, kind) => NATIVE.find((type) => type.kind === kind) ?? null,
    }),
}

/** The configuration of a plane with definitions. */
async function configurationOf(definitions: readonly ApiObject[]): Promise<PlaneConfiguration> {
  const stored = definitions.map((body, index): StoredObject => {
    const name = `d${index}`
    return {
      plane: 'p',
      resource: DEFINITIONS_RESOURCE,
      namespace: '',
      name,
      uid: name,
      revision: 1n,
      body,
      managedFields: [],
    }
  })
  const configuration: PlaneConfiguration = {
    revision: 1n,
    objects: () => stored,
    derive: (_key, _resources, compute) => compute(configuration),
  }
  return configuration
}

/** A plane with definitions. */
function registryOf(definitions: readonly ApiObject[]): TypeRegistry {
  const configurations = {
    of: () => configurationOf(definitions),
    waitFor: () => Promise.resolve(true),
  }
  return createTypeRegistry({
    natives: NATIVES,
    configurations,
    store: { revisionOf: () => Promise.resolve(null) },
  })
}

it('R36: waits for the stored definition of a resource that a request needs', async () => {
  const [none, one] = [[], [establishedDefinition({ versions: [versionOf('v1')] })]]
  const events: string[] = []
  let definitions: readonly ApiObject[] = none
  const registry = createTypeRegistry({
    natives: NATIVES,
    configurations: {
      of: () => configurationOf(definitions),
      waitFor: async (_plane, revision) => {
        events.push(`waits for ${revision}`)
        definitions = one
        return true
      },
    },
    store: {
      revisionOf: async ({ name }) => {
        events.push(`reads ${name}`)
        return name === 'fleets.example.com' ? 7n : null
      },
    },
  })
  const find = async (plural: string, isNeeded = true) => {
    const needed = { group: 'example.com', version: 'v1', plural }
    const types = await registry.typesOf('p', isNeeded ? needed : undefined)
    return types.find('example.com', 'v1', plural)?.kind ?? null
  }
  expect([await find('fleets', false), await find('none'), events]).toEqual([
    null,
    null,
    ['reads none.example.com'],
  ])
  expect(await find('fleets')).toBe('Fleet')
  expect(events.splice(1)).toEqual(['reads fleets.example.com', 'waits for 7'])
  expect(await find('fleets')).toBe('Fleet')
  expect(events).toHaveLength(1)
})

it('R36: reads no definition of the core group, which can have none', async () => {
  const names: string[] = []
  const registry = createTypeRegistry({
    natives: NATIVES,
    configurations: { of: () => configurationOf([]), waitFor: () => Promise.resolve(true) },
    store: {
      revisionOf: ({ name }) => {
        names.push(name)
        return Promise.resolve(null)
      },
    },
  })
  // Clients probe built-in resources that planes do not have.
  await registry.typesOf('p', { group: '', version: 'v1', plural: 'pods' })
  expect(names).toEqual([])
})

describe('createTypeRegistry', () => {
  it('R36: serves the versions of established definitions, the preferred one first', async () => {
    const versions = [
      versionOf('v1beta1'),
      versionOf('v1'),
      versionOf('v2alpha1'),
      versionOf('v2', { served: false }),
      versionOf('other'),
    ]
    const types = await registryOf([establishedDefinition({ versions })]).typesOf('p')
    const fleets = types.find('example.com', 'v1', 'fleets')
    expect(fleets).toMatchObject({
      kind: 'Fleet',
      listKind: 'FleetList',
      singular: 'fleet',
      shortNames: ['fl'],
      namespaced: true,
      storageVersion: 'v1',
      isCustom: true,
    })
    expect(fleets?.versions.map(({ name }) => name)).toEqual([
      'v2',
      'v1',
      'v1beta1',
      'v2alpha1',
      'other',
    ])
    expect(types.find('example.com', 'v2', 'fleets')).toBeNull()
    expect(types.findByKind('example.com', 'Fleet')).toBe(fleets)
    expect(types.types).toEqual([CUSTOM_RESOURCE_DEFINITIONS.type, fleets])
  })

  it('R36: does not serve a definition before its names are accepted', async () => {
    const types = await registryOf([definitionOf()]).typesOf('p')
    expect(types.find('example.com', 'v1', 'fleets')).toBeNull()
    expect(types.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')).not.toBeNull()
  })

  it('R36: compiles subresources, columns, selectable fields and deprecation', () => {
    const version = versionOf('v1', {
      deprecated: true,
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      additionalPrinterColumns: [
        { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
      ],
      selectableFields: [{ jsonPath: '.spec.replicas' }],
    })
    const type = compileDefinition(establishedDefinition({ versions: [version] }))
    expect(type?.versions[0]).toMatchObject({
      deprecationWarning: 'example.com/v1 Fleet is deprecated',
      hasStatus: true,
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      printerColumns: [
        { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
      ],
      selectableFields: ['spec.replicas'],
      schema: { properties: { apiVersion: {}, kind: {}, metadata: { type: 'object' }, spec: {} } },
    })
  })

  it('R36: does not allow creations while a definition is deleted', () => {
    const object = establishedDefinition()
    const conditions = ['Established', 'Terminating'].map((type) => ({ type, status: 'True' }))
    const type = compileDefinition({ ...object, status: { conditions } })
    expect(type?.verbs).not.toContain('create')
    expect(type?.verbs).toContain('patch')
  })

  it('R36: compiles a stored definition once', () => {
    const object = establishedDefinition()
    expect(compileDefinition(object)).toBe(compileDefinition(object))
  })

  it('R36: serves 500 definitions of one plane', async () => {
    const definitions = Array.from({ length: 500 }, (_item, index) =>
      establishedDefinition({
        names: { plural: `fleets${index}`, kind: `Fleet${index}`, singular: '', listKind: '' },
      }),
    )
    const types = await registryOf(definitions).typesOf('p')
    expect(types.types).toHaveLength(501)
    expect(types.find('example.com', 'v1', 'fleets499')?.kind).toBe('Fleet499')
  })
})
