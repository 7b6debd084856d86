import type {
  PlaneConfiguration,
  PlaneConfigurations,
} from '../../store/objects/model/plane-configuration.ts'
import type { ObjectKey } from '../../store/objects/model/stored-object.ts'
import type { ResourceType } from '../model/resource-type.ts'
import type { PlaneTypes, TypeRegistry } from '../model/type-registry.ts'
import { compileDefinition } from './compile-definition.ts'

/** The key of definitions in storage. */
export const DEFINITIONS_RESOURCE = 'customresourcedefinitions.apiextensions.k8s.io'

/** The usual delay is milliseconds. If the log stalls for longer, the resource is unknown. */
const TIMEOUT_MS = 10_000

interface Options {
  /** The native types of planes. */
  readonly natives: TypeRegistry
  readonly configurations: PlaneConfigurations & {
    waitFor(plane: string, revision: bigint, timeoutMs: number): Promise<boolean>
  }
  readonly store: {
    /** The revision of a stored object; null without one. */
    revisionOf(key: ObjectKey): Promise<bigint | null>
  }
}

/** Finds the native types of planes and those of their definitions. */
export function createTypeRegistry({ natives, configurations, store }: Options): TypeRegistry {
  const derived = Symbol('types')
  const currentTypes = async (plane: string): Promise<PlaneTypes> => {
    const [native, configuration] = await Promise.all([
      natives.typesOf(plane),
      configurations.of(plane),
    ])
    return configuration.derive(derived, [DEFINITIONS_RESOURCE], (current) => {
      return withDefinitions(native, current)
    })
  }
  return {
    typesOf: async (plane, needed) => {
      const types = await currentTypes(plane)
      // Definitions have a group, and clients probe for resources of the core group.
      if (!needed || needed.group === '') return types
      if (types.find(needed.group, needed.version, needed.plural)) return types
      const name = `${needed.plural}.${needed.group}`
      const key = { plane, resource: DEFINITIONS_RESOURCE, namespace: '', name }
      const revision = await store.revisionOf(key)
      if (revision === null) return types
      await configurations.waitFor(plane, revision, TIMEOUT_MS)
      return currentTypes(plane)
    },
  }
}

function withDefinitions(native: PlaneTypes, configuration: PlaneConfiguration): PlaneTypes {
  const definitions = configuration.objects(DEFINITIONS_RESOURCE)
  if (definitions.length === 0) return native
  const custom = definitions
    .map(({ body }) => compileDefinition(body))
    .filter((type) => type !== null)
    .filter(({ group, plural }) => !hasResource(native, group, plural))
  return planeTypes([...native.types, ...custom])
}

/** Definitions of built-in kinds have no effect, whatever versions they declare. */
function hasResource({ types }: PlaneTypes, group: string, plural: string): boolean {
  return types.some((type) => type.group === group && type.plural === plural)
}

/** Finds types by name. The first type with a name is found. */
function planeTypes(types: readonly ResourceType[]): PlaneTypes {
  const byPlural = new Map<string, ResourceType>()
  const byKind = new Map<string, ResourceType>()
  for (const type of types) {
    for (const { name, served } of type.versions) {
      if (served) addFirst(byPlural, `${type.group}/${name}/${type.plural}`, type)
    }
    addFirst(byKind, `${type.group}/${type.kind}`, type)
  }
  return {
    types,
    find: (group, version, plural) => byPlural.get(`${group}/${version}/${plural}`) ?? null,
    findByKind: (group, kind) => byKind.get(`${group}/${kind}`) ?? null,
  }
}

function addFirst(map: Map<string, ResourceType>, key: string, type: ResourceType): void {
  if (!map.has(key)) map.set(key, type)
}
