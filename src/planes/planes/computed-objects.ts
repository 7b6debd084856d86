import { createHash } from 'node:crypto'
import type { ComputedObjects, ComputedPlane } from '../../store/objects/computed-objects.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import { must } from '../../lib/assert.ts'
import type { PlaneRecord } from '../http/plane-directory.ts'
import type { NativeResource, PlaneIdentity } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import { bodyOf } from '../operations/versioned-object.ts'

/** Planes whose computed objects stay in memory. */
const MAX_CACHED = 1000

interface Options {
  readonly resources: readonly NativeResource[]
  readonly recordOf: (plane: string) => Promise<PlaneRecord>
  /** The plane's first revision. */
  readonly startOf: (plane: string) => Promise<bigint>
}

const NONE: readonly StoredObject[] = []

interface InitialObjects {
  readonly objectsOf: ComputedObjects
  /** Computes the objects of all planes again when they are next used. */
  readonly forget: () => void
}

/** Computes the initial objects of planes and keeps those of the recently used ones. */
export function createComputedObjects({ resources, recordOf, startOf }: Options): InitialObjects {
  const computing = new Map(
    resources
      .filter(({ initialObjects }) => initialObjects !== undefined)
      .map((resource) => [resourceKey(resource.type), resource]),
  )
  const cache = new Map<string, ComputedPlane>()

  async function compute(plane: string): Promise<ComputedPlane> {
    const { createdTime } = await recordOf(plane)
    const identity = identityOf(plane, createdTime)
    const revision = await startOf(plane)
    const computed = computedPlane(computing, (resource) => objectsOf(resource, identity, revision))
    cache.set(plane, computed)
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    return computed
  }

  return {
    objectsOf: (plane) => cache.get(plane) ?? compute(plane),
    forget: () => cache.clear(),
  }
}

/** Computes the objects of a resource when they are first used. */
function computedPlane(
  resources: ReadonlyMap<string, NativeResource>,
  compute: (resource: NativeResource) => readonly StoredObject[],
): ComputedPlane {
  const objects = new Map<string, readonly StoredObject[]>()
  return (key) => {
    const resource = resources.get(key)
    if (!resource) return NONE
    const computed = objects.get(key) ?? compute(resource)
    objects.set(key, computed)
    return computed
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
