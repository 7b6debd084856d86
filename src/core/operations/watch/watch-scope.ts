import type { Change } from '../../model/change.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Target } from '../read-resource.ts'

/** What a watch is about, as its path says. */
export type WatchScope =
  | {
      readonly subject: 'resources'
      readonly kind: RegisteredKind
      /** Id of the parent that the path names; null for the resources of all. */
      readonly ownerId: string | null
    }
  /** Those of one kind, or (null) of all. */
  | { readonly subject: 'all-resources'; readonly kind: RegisteredKind | null }
  | { readonly subject: 'statuses'; readonly target: Target }

const ALL = 'resources'

/** Names what a watch is about: a change concerns it only under this name. */
export function topicOf(scope: WatchScope): string {
  switch (scope.subject) {
    case 'resources':
      return scope.ownerId === null
        ? topicOfKind(scope.kind.kind)
        : topicOfOwner(scope.kind.kind, scope.ownerId)
    case 'all-resources':
      return scope.kind === null ? ALL : topicOfKind(scope.kind.kind)
    case 'statuses':
      return topicOfStatuses(scope.target.id)
  }
}

/** The names of everything that a change concerns. */
export function topicsOf(change: Change): readonly string[] {
  if (change.subject === 'status') return [topicOfStatuses(change.resourceId)]
  const { kind, ownerId } = change.resource
  return [ALL, topicOfKind(kind), topicOfOwner(kind, ownerId)]
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
