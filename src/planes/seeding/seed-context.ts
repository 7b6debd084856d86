import type { Converter } from '../model/converter.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { apiVersionOf, resourceKey, type ResourceType } from '../model/resource-type.ts'
import { conversionOf } from '../definitions/compile-definition.ts'

/** The native resources of the planes that are seeded. */
export interface SeedContext {
  /** By their key in storage. */
  readonly natives: ReadonlyMap<string, NativeResource>
  readonly convert: Converter
  /** The objects that every plane has from the start, as `placeText` writes them. */
  readonly initialPlaces: ReadonlySet<string>
}

/** A plane that never exists: seeds are compiled before their planes are created. */
const NO_PLANE = 'plane'
const IDENTITY = { plane: NO_PLANE, createdTime: new Date(0), uidOf: () => '' }

/** The context of seeds for planes that serve these resources. */
export function createSeedContext(resources: readonly NativeResource[]): SeedContext {
  const served = resources.filter(({ servedIn }) => servedIn?.(NO_PLANE) ?? true)
  return {
    natives: new Map(served.map((resource) => [resourceKey(resource.type), resource])),
    convert: renameVersion,
    initialPlaces: new Set(served.flatMap(initialPlacesOf)),
  }
}

/** Identifies an object in a plane. */
export interface Place {
  readonly resource: string
  /** Empty for objects without a namespace. */
  readonly namespace: string
  readonly name: string
}

/** A text that is equal for equal places. */
export function placeText({ resource, namespace, name }: Place): string {
  return `${resource}/${namespace}/${name}`
}

function initialPlacesOf({ type, initialObjects }: NativeResource): readonly string[] {
  const objects = initialObjects?.(IDENTITY) ?? []
  return objects.map(({ metadata: { namespace = '', name = '' } }) =>
    placeText({ resource: resourceKey(type), namespace, name }),
  )
}

/** Versions without a webhook differ only in their name. */
const renameVersion: Converter = (objects, { type, version }) =>
  Promise.resolve(
    objects.map((object) => ({ ...object, apiVersion: apiVersionOf(type.group, version) })),
  )

/** Whether a webhook converts the objects of the type. Seeds call no webhooks. */
export function needsWebhook(type: ResourceType, version: string): boolean {
  return version !== type.storageVersion && conversionOf(type).webhook !== null
}
