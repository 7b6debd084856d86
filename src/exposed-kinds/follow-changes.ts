import { isInScope, type TenantScope } from '../access/tenant.ts'
import type { Change, ResourceChange } from '../store/model/change.ts'
import type {
  ChangeSubscriber,
  ChangeSubscription,
} from '../store/objects/model/change-subscriber.ts'
import type { ObjectChange } from '../store/objects/model/object-change.ts'
import type { Broadcaster } from '../store/feed/broadcaster.ts'
import { type Exposure, exposedObject, parsed } from './exposed-object.ts'

interface Scope extends Exposure {
  readonly tenant: TenantScope
  /** ID of the parent, or NO_OWNER. */
  readonly ownerId: string
}

/** Sends the changes of a kind after a revision of the log as changes of objects. */
export async function followChanges(
  broadcaster: Broadcaster,
  { scope, after }: { readonly scope: Scope; readonly after: bigint },
  subscriber: ChangeSubscriber,
): Promise<ChangeSubscription> {
  const following = await broadcaster.followRevision(after, {
    onChanges: (changes) => {
      const exposed = changes.flatMap((change) => exposedChange(scope, change))
      if (exposed.length > 0) subscriber.onChanges(exposed)
    },
    onLost: subscriber.onLost,
    ready: subscriber.ready,
  })
  return {
    get revision() {
      return following.resourceVersion.revision
    },
    [Symbol.dispose]: () => following[Symbol.dispose](),
  }
}

/** Changes are converted once for all watches. */
const CONVERTED = new WeakMap<Change, ObjectChange>()

function exposedChange(scope: Scope, change: Change): readonly ObjectChange[] {
  if (change.subject !== 'resource') return []
  const { resource } = change
  if (resource.kind !== scope.kind.kind || resource.ownerId !== scope.ownerId) return []
  if (!isInScope(scope.tenant, resource.tenant)) return []
  const converted = CONVERTED.get(change) ?? toObjectChange(scope, change)
  CONVERTED.set(change, converted)
  return [converted]
}

function toObjectChange(scope: Scope, { revision, type, resource, before }: ResourceChange) {
  const { body, ...object } = exposedObject(scope, resource, revision)
  return {
    ...object,
    sequence: revision,
    type,
    body: JSON.stringify(body),
    managedFields: '[]',
    labels: labelsOf(resource.labels),
    before: before && { labels: labelsOf(before.labels), fields: {} },
  } satisfies ObjectChange
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parsed(text)).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    ),
  )
}
