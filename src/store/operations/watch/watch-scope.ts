import type { Change } from '../../model/change.ts'
import { NO_TENANT, type TenantScope } from '../../../access/tenant.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Target } from '../read/read-resource.ts'

/** The scope of a watch, from its path. */
export type WatchScope =
  | {
      readonly subject: 'resources'
      readonly tenant: TenantScope
      readonly kind: RegisteredKind
      /** The parent's ID from the path; null for the resources of all parents. */
      readonly ownerId: string | null
    }
  | {
      readonly subject: 'all-resources'
      readonly tenant: TenantScope
      /** The watched kind; null for all kinds. */
      readonly kind: RegisteredKind | null
    }
  | { readonly subject: 'statuses'; readonly target: Target }

const ALL = 'resources'

/** The topic of a watch: it receives only changes with this topic. */
export function topicOf(scope: WatchScope): string {
  switch (scope.subject) {
    case 'resources': {
      const { tenant, kind, ownerId } = scope
      const topic = ownerId === null ? topicOfKind(kind.kind) : topicOfOwner(kind.kind, ownerId)
      return inTenant(tenant, topic)
    }
    case 'all-resources':
      return inTenant(scope.tenant, scope.kind === null ? ALL : topicOfKind(scope.kind.kind))
    case 'statuses':
      return topicOfStatuses(scope.target.id)
  }
}

/** The topics of a change. */
export function topicsOf(change: Change): readonly string[] {
  if (change.subject === 'status') return [topicOfStatuses(change.resourceId)]
  const { tenant, kind, ownerId } = change.resource
  const topics = [ALL, topicOfKind(kind), topicOfOwner(kind, ownerId)]
  if (tenant === NO_TENANT) return topics
  return [...topics, ...topics.map((topic) => inTenant(tenant, topic))]
}

/**
 * Whether a watch of the topic must begin again: its tenant has moved to another database, so the
 * removal here is not a deletion. Watches of all tenants see it as a deletion from their scope.
 */
export function hasMovedAway(change: Change, topic: string): boolean {
  return change.isMove === true && change.type === 'DELETED' && topic.startsWith('{')
}

/** A topic within a tenant. Encoded tenants begin with a brace, as no other topic does. */
function inTenant(tenant: TenantScope, topic: string): string {
  return tenant === null ? topic : `${tenant} ${topic}`
}

function topicOfKind(kind: string): string {
  return `kind ${kind}`
}

/** Names of kinds have no space. */
function topicOfOwner(kind: string, ownerId: string): string {
  return `owner ${kind} ${ownerId}`
}

function topicOfStatuses(resourceId: string): string {
  return `statuses ${resourceId}`
}
