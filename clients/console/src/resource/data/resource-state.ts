import type { WatchEvent } from '../../../../typescript/src/watch/watch-event.ts'
import type { KindResource } from './kind-resource.ts'

/** The content of the page of a resource, kept current by the watch. */
export interface ResourceState {
  readonly resource: KindResource
  /** Whether the resource has been removed since the page was opened. */
  readonly isRemoved: boolean
  /** The first children by name. */
  readonly children: readonly KindResource[]
  readonly childCount: number
  /** The watch starts after this version. */
  readonly resourceVersion: string
}

/** Applies events of a watch of the resource and its children. Repeated events have no effect. */
export function applyEvents(
  state: ResourceState,
  events: readonly WatchEvent<KindResource>[],
): ResourceState {
  return events.reduce(applyEvent, state)
}

function applyEvent(state: ResourceState, event: WatchEvent<KindResource>): ResourceState {
  if (event.type === 'BOOKMARK' || event.type === 'RESET') return state
  const { object } = event
  if (object.id === state.resource.id) {
    return { ...state, resource: object, isRemoved: event.type === 'DELETED' }
  }
  const others = state.children.filter(({ id }) => id !== object.id)
  const wasShown = others.length < state.children.length
  if (event.type === 'DELETED') {
    return { ...state, children: others, childCount: Math.max(others.length, state.childCount - 1) }
  }
  const children = [...others, object].toSorted((one, other) => one.name.localeCompare(other.name))
  const isNew = event.type === 'ADDED' && !wasShown
  return {
    ...state,
    children,
    childCount: Math.max(children.length, state.childCount + Number(isNew)),
  }
}
