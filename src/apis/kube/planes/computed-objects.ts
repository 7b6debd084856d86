import { createHash } from 'node:crypto'
import type { StoredObject } from '../../../core/objects/model/stored-object.ts'
import { must } from '../../../lib/assert.ts'
import type { PlaneRecord } from '../http/plane-directory.ts'
import type { NativeResource, PlaneIdentity } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import { bodyOf } from '../operations/versioned-object.ts'

/** Planes whose computed objects stay in memory. */
const MAX_CACHED = 1000

/** The objects of a resource that exist in a plane without being stored, by namespace and name. */
export type ComputedObjects = (
  plane: string,
  resource: string,
) => Promise<readonly StoredObject[]> | readonly StoredObject[]

interface Options {
  readonly resources: readonly NativeResource[]
  readonly recordOf: (plane: string) => Promise<PlaneRecord>
  /** The plane's first revision. */
  readonly startOf: (plane: string) => Promise<bigint>
}

type ByResource = ReadonlyMap<string, readonly StoredObject[]>

const NONE: readonly StoredObject[] = []

/** Computes the initial objects of planes and keeps those of the recently used ones. */
export function createComputedObjects({ resources, recordOf, startOf }: Options): ComputedObjects {
  const computing = resources.filter(({ initialObjects }) => initialObjects !== undefined)
  const computed = new Set(computing.map(({ type }) => resourceKey(type)))
  const cache = new Map<string, ByResource>()

  async function compute(plane: string): Promise<ByResource> {
    const { createdTime } = await recordOf(plane)
    const identity = identityOf(plane, createdTime)
    const revision = await startOf(plane)
    const objects: ByResource = new Map(
      computing.map((resource) => [
        resourceKey(resource.type),
        objectsOf(resource, identity, revision),
      ]),
    )
    cache.set(plane, objects)
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    return objects
  }

  return (plane, resource) => {
    if (!computed.has(resource)) return NONE
    const cached = cache.get(plane)
    if (cached) return cached.get(resource) ?? NONE
    return compute(plane).then((objects) => objects.get(resource) ?? NONE)
  }
}

function identityOf(plane: string, createdTime: Date): PlaneIdentity {
  return { plane, createdTime, uidOf: (seed) => uidFrom(`${plane}/${seed}`) }
}

/** A version 8 UUID of the text's hash. */
function uidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function objectsOf(
  { type, initialObjects }: NativeResource,
  identity: PlaneIdentity,
  revision: bigint,
): readonly StoredObject[] {
  const objects = initialObjects?.(identity) ?? []
  return objects
    .map((object): StoredObject => {
      const { uid, name, namespace = '', managedFields = [] } = object.metadata
      return {
        plane: identity.plane,
        resource: resourceKey(type),
        namespace,
        name: must(name, 'a name'),
        uid: must(uid, 'a uid'),
        revision,
        body: bodyOf(object),
        managedFields,
        isComputed: true,
      }
    })
    .toSorted((first, second) => order(first, second))
}

function order(first: StoredObject, second: StoredObject): number {
  const one = `${first.namespace}\0${first.name}`
  const other = `${second.namespace}\0${second.name}`
  return one < other ? -1 : one > other ? 1 : 0
}
