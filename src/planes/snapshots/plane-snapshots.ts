import { FlotillaError } from '../../lib/errors.ts'
import type { CachedConfigurations } from '../../store/objects/configurations/plane-configurations.ts'
import { storedObjectOf } from '../../store/objects/model/changed-object.ts'
import type { CodecOf } from '../../store/objects/model/body-codec.ts'
import type {
  ChangeSubscriber,
  ChangeSubscription,
} from '../../store/objects/model/change-subscriber.ts'
import type { ObjectChange } from '../../store/objects/model/object-change.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import { readPlane } from '../../store/objects/storage/read-plane.ts'
import type { Database } from '../../store/database/database.ts'
import type { NativeResource } from '../model/native-resource.ts'
import type { PlaneAuthorizer } from '../model/access.ts'
import type { ResourceStore } from '../model/resource-store.ts'
import { resourceKey, type ResourceType } from '../model/resource-type.ts'
import type { TypeRegistry } from '../model/type-registry.ts'
import type { UserInfo } from '../model/user-info.ts'
import { storedObject } from '../operations/versioned-object.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** The objects of one resource in a snapshot. */
export interface SnapshotPart {
  readonly group: string
  /** The plural. */
  readonly resource: string
  /** JSON texts of the objects without managed fields, by namespace and name. */
  readonly items: readonly string[]
}

/** The objects of a plane that a user may list. */
export interface PlaneSnapshot {
  readonly revision: bigint
  /** By group and resource. */
  readonly parts: readonly SnapshotPart[]
}

/** Reads the stored objects of planes. */
export interface PlaneSnapshots {
  /** The parts that the user may list; null if the plane was removed. */
  read(selection: PlaneSelection): Promise<PlaneSnapshot | null>
  /** The names of the resources that a plane serves: plurals and `plural.group`. */
  namesOf(plane: string): Promise<ReadonlySet<string>>
  /** Sends the changes of the listed resources after a revision. */
  follow(
    scope: PlaneSelection,
    after: bigint,
    subscriber: SnapshotSubscriber,
  ): Promise<ChangeSubscription>
}

/** Receives changes of a snapshot. Callbacks must not throw. */
export interface SnapshotSubscriber extends Omit<ChangeSubscriber, 'onChanges'> {
  readonly onChange: (change: SnapshotChange) => void
  /** The next change is of objects that the user may no longer list. Called instead of onChange. */
  readonly onDenied: () => void
}

/** The part of a plane that a snapshot shows. */
export interface PlaneSelection {
  readonly plane: string
  readonly user: UserInfo
  /** Plurals or `plural.group`; null for all resources. */
  readonly names: readonly string[] | null
  /** Names that parts outside of the plane have. */
  readonly others: readonly string[]
  /** Whether to include the selected resources without objects. */
  readonly includeEmpty: boolean
}

/** A change of an object that a user may list. */
export interface SnapshotChange {
  readonly type: ObjectChange['type']
  readonly group: string
  readonly resource: string
  /** JSON text of the object without managed fields. */
  readonly object: string
  readonly revision: bigint
}

interface Options {
  readonly database: Database
  readonly codecOf: CodecOf
  readonly types: TypeRegistry
  /** The native resources. Snapshots omit those without objects in storage, such as reviews. */
  readonly resources: readonly NativeResource[]
  /** Resolves when this process has the definitions of the plane at a revision. */
  readonly configurations: Pick<CachedConfigurations, 'waitFor'>
  readonly authorizer: PlaneAuthorizer
  readonly follow: ResourceStore['follow']
  /** The revision of a plane before its first write. */
  readonly startOf: (plane: string) => Promise<bigint>
  /** A monotonic clock in milliseconds; by default the process clock. */
  readonly now?: () => number
}

/** How long the changes of a watch use a permission: the heartbeat at which other watches check theirs. */
const PERMISSION_MS = 15_000
/** How long a snapshot waits for the definition of an object that it contains. */
const TIMEOUT_MS = 10_000

/** Creates the reader of snapshots. Objects that every plane has from the start are omitted. */
export function createPlaneSnapshots(options: Options): PlaneSnapshots {
  const { database, types } = options
  return {
    namesOf: async (plane) => {
      const served = (await types.typesOf(plane)).types
      return new Set(served.flatMap((type) => [type.plural, resourceKey(type)]))
    },
    follow: async (selection, after, { onChange, onDenied, ...subscriber }) => {
      const { plane, names } = selection
      const served = (await types.typesOf(plane)).types
      const byKey = new Map(served.map((type) => [resourceKey(type), type]))
      const rights = createListRights(options, selection, PERMISSION_MS)
      const send = async (change: ObjectChange): Promise<void> => {
        const type = byKey.get(change.resource) ?? (await typeOfNew(options, change))
        if (!type || !isNamed(type, names)) return
        if (!(await rights(type, change.namespace))) return
        const { revision } = change
        const { group, plural: resource } = type
        onChange({ type: change.type, group, resource, object: changedText(change), revision })
      }
      const onError = (error: unknown): void => {
        if (error instanceof FlotillaError && error.reason === 'forbidden') onDenied()
        else subscriber.onLost()
      }
      let last: Promise<void> = Promise.resolve()
      return options.follow({ plane, resource: '' }, after, {
        ...subscriber,
        onChanges: (changes) => {
          for (const change of changes) {
            last = last.then(() => send(change)).catch(onError)
          }
        },
      })
    },
    read: async (selection) => {
      const { plane, names, others, includeEmpty } = selection
      const content = await readPlane(database, plane)
      if (content === 'removed') return null
      const byResource = groupByResource(content?.objects ?? [])
      const revision = content?.revision ?? (await options.startOf(plane))
      const served = await typesAt(options, { plane, revision, resources: byResource.keys() })
      const named = served.filter((type) => isNamed(type, names))
      const rights = createListRights(options, selection)
      const parts: SnapshotPart[] = []
      for (const type of named) {
        const objects = byResource.get(resourceKey(type)) ?? []
        const listed = await listable(rights, type, objects)
        const isEmpty = listed.length === 0
        if (isEmpty && !(includeEmpty && (await isShownEmpty(options, type, rights)))) continue
        const { group, plural: resource } = type
        parts.push({ group, resource, items: listed.map((object) => textOf(options, object)) })
      }
      if (includeEmpty) parts.push(...unservedParts(selectedOnly(names, others), served))
      return { revision, parts: parts.toSorted(byGroupAndName) }
    },
  }
}

/** Whether a type can appear without objects. The user must be able to see that there are none. */
async function isShownEmpty(
  { resources }: Options,
  type: ResourceType,
  rights: ListRights,
): Promise<boolean> {
  const native = resources.find((resource) => resource.type === type)
  const isStored = native?.store === undefined && native?.review === undefined
  return isStored && (await rights(type, ''))
}

function selectedOnly(
  names: readonly string[] | null,
  others: readonly string[],
): readonly string[] {
  return (names ?? []).filter((name) => !others.includes(name))
}

/** The selected resources that the plane does not serve. */
function unservedParts(
  names: readonly string[],
  served: readonly ResourceType[],
): readonly SnapshotPart[] {
  const known = new Set(served.flatMap((type) => [type.plural, resourceKey(type)]))
  return names
    .filter((name) => !known.has(name))
    .map((name) => {
      const [resource = '', ...group] = name.split('.')
      return { group: group.join('.'), resource, items: [] }
    })
}

function groupByResource(
  objects: readonly StoredObject[],
): ReadonlyMap<string, readonly StoredObject[]> {
  const groups = new Map<string, StoredObject[]>()
  for (const object of objects) {
    const group = groups.get(object.resource)
    if (group) group.push(object)
    else groups.set(object.resource, [object])
  }
  return groups
}

function isNamed(type: ResourceType, names: readonly string[] | null): boolean {
  return names === null || names.includes(type.plural) || names.includes(resourceKey(type))
}

/** Whether a user may list a type in a namespace. Rejects with `forbidden` if it no longer may. */
type ListRights = (type: ResourceType, namespace: string) => Promise<boolean>

interface ListDecision {
  readonly allowed: Promise<boolean>
  readonly until: number
}

/**
 * A permission is decided again after some time. A denial remains: the snapshot has no objects that
 * later changes could refer to.
 */
function createListRights(
  { authorizer, now = () => performance.now() }: Options,
  { plane, user }: Pick<PlaneSelection, 'plane' | 'user'>,
  permissionMs = Infinity,
): ListRights {
  const decided = new Map<string, ListDecision>()
  const decide = async (type: ResourceType, namespace: string): Promise<boolean> => {
    const { group, plural, storageVersion: version } = type
    const resource = { group, version, plural, subresource: '', namespace, name: '' }
    const attributes = { plane, user, verb: 'list', resource, path: '' }
    return (await authorizer.authorize(attributes)).allowed
  }
  const renew = async (type: ResourceType, namespace: string): Promise<boolean> => {
    if (await decide(type, namespace)) return true
    throw new FlotillaError('forbidden', `the user may no longer list ${resourceKey(type)}`)
  }
  const allows = async (type: ResourceType, namespace: string): Promise<boolean> => {
    const key = `${resourceKey(type)} ${namespace}`
    const last = decided.get(key)
    const isLasting = last && (now() < last.until || !(await last.allowed))
    if (isLasting) return last.allowed
    const allowed = last ? renew(type, namespace) : decide(type, namespace)
    decided.set(key, { allowed, until: now() + permissionMs })
    return allowed
  }
  return async (type, namespace) => {
    return (await allows(type, '')) || (namespace !== '' && (await allows(type, namespace)))
  }
}

async function listable(
  rights: ListRights,
  type: ResourceType,
  objects: readonly StoredObject[],
): Promise<readonly StoredObject[]> {
  const listed: StoredObject[] = []
  for (const object of objects) if (await rights(type, object.namespace)) listed.push(object)
  return listed
}

/** The type of a resource that was defined after the watch began; null if it has no definition. */
async function typeOfNew(
  options: Options,
  { plane, resource, revision }: ObjectChange,
): Promise<ResourceType | null> {
  const served = await typesAt(options, { plane, revision, resources: [resource] })
  return served.find((type) => resourceKey(type) === resource) ?? null
}

interface Needed {
  readonly plane: string
  readonly revision: bigint
  /** The keys of resources with objects at this revision. */
  readonly resources: Iterable<string>
}

/**
 * The served types of a plane, including those of resources that have objects. Another server may
 * have defined such a resource a moment ago, and its objects must not be missing. Objects of a removed
 * definition wait for their deletion and have no type.
 */
async function typesAt(
  { types, configurations }: Options,
  { plane, revision, resources }: Needed,
): Promise<readonly ResourceType[]> {
  const served = (await types.typesOf(plane)).types
  const keys = new Set(served.map(resourceKey))
  if ([...resources].every((resource) => keys.has(resource))) return served
  if (await configurations.waitFor(plane, revision, TIMEOUT_MS)) {
    return (await types.typesOf(plane)).types
  }
  throw new FlotillaError('timeout', `the definitions of plane '${plane}' are late: try again`)
}

function changedText(change: ObjectChange): string {
  return jsonText(storedObject({ ...storedObjectOf(change), managedFields: [] }))
}

function textOf({ codecOf }: Options, stored: StoredObject): string {
  const codec = codecOf(stored.resource)
  const object = codec === null ? stored : { ...stored, body: codec.decode(stored, stored.body) }
  return jsonText(storedObject({ ...object, managedFields: [] }))
}

function byGroupAndName(first: SnapshotPart, second: SnapshotPart): number {
  const one = `${first.group}/${first.resource}`
  const other = `${second.group}/${second.resource}`
  return one < other ? -1 : one > other ? 1 : 0
}
