import type { Change } from '../../model/change.ts'
import { NO_TENANT, type TenantScope } from '../../model/tenant.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Target } from '../read/read-resource.ts'

/** What a watch is about, as its path says. */
export type WatchScope =
  | {
      readonly subject: 'resources'
      readonly tenant: TenantScope
      readonly kind: RegisteredKind
      /** Id of the parent that the path names; null for the resources of all. */
      readonly ownerId: string | null
    }
  | {
      readonly subject: 'all-resources'
      readonly tenant: TenantScope
      /** The one kind that is watched; null for all kinds. */
      readonly kind: RegisteredKind | null
    }
  | { readonly subject: 'statuses'; readonly target: Target }

const ALL = 'resources'

/** Names what a watch is about: a change concerns it only under this name. */
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

/** The names of everything that a change concerns. */
export function topicsOf(change: Change): readonly string[] {
  if (change.subject === 'status') return [topicOfStatuses(change.resourceId)]
  const { tenant, kind, ownerId } = change.resource
  const topics = [ALL, topicOfKind(kind), topicOfOwner(kind, ownerId)]
  if (tenant === NO_TENANT) return topics
  return [...topics, ...topics.map((topic) => inTenant(tenant, topic))]
}

/** A topic of one tenant; encoded tenants begin with a brace, which no other topic does. */
function inTenant(tenant: TenantScope, topic: string): string {
  return tenant === null ? topic : `${tenant} ${topic}`
}

function topicOfKind(kind: string): string {
  return `kind ${kind}`
}

/** Kinds have no blank. */
function topicOfOwner(kind: string, ownerId: string): string {
  return `owner ${kind} ${ownerId}`
}

function topicOfStatuses(resourceId: string): string {
  return `statuses ${resourceId}`
}
