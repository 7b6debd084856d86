import type { ApiRequest } from '../http/request.ts'
import { isObject, type UnknownObject } from '../http/json.ts'
import type { WatchEvent } from '../watch/watch-event.ts'
import type { WatchedList, WatchOptions } from '../watch/follow.ts'

/** Options of watches of resources. */
export interface ResourceWatchOptions extends WatchOptions {
  /** A TSL expression: only matching resources are sent. */
  readonly search?: string | undefined
  /** A list of fields, such as `name,status`: the objects have only these and `id`. */
  readonly fields?: string | undefined
  /** The shard that a system watches. Systems of a sharded installation must name one. */
  readonly shard?: string | undefined
}

/** A list of the HyperFleet API as the source of a watch. */
export function watchedResources<T>(
  path: string,
  query: NonNullable<ApiRequest['query']>,
  signal: AbortSignal | undefined,
): WatchedList<T> {
  return {
    requestFor: (resourceVersion) => ({
      method: 'GET',
      path,
      query: { ...query, watch: true, resourceVersion: resourceVersion || undefined },
      signal,
      retry: 'always',
    }),
    read: readEvent<T>,
  }
}

function readEvent<T>(line: UnknownObject): WatchEvent<T> | null {
  const { type, object, resource_version: version } = line
  if (typeof version !== 'string') return null
  if (type === 'BOOKMARK') return { type, resourceVersion: version }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return null
  return isItem<T>(object) ? { type, object, resourceVersion: version } : null
}

/** The document of the server defines the type of the items of a list. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function isItem<T>(object: unknown): object is T {
  return isObject(object)
}
