import { isObject, type UnknownObject } from '../http/json.ts'
import type { ApiRequest } from '../http/request.ts'
import type { WatchedList } from './follow.ts'
import type { WatchEvent } from './watch-event.ts'

/** A list of the Kubernetes-style API as the source of a watch. */
export function watchedObjects<T>(
  path: string,
  query: NonNullable<ApiRequest['query']>,
  signal: AbortSignal | undefined,
): WatchedList<T> {
  return {
    requestFor: (resourceVersion) => ({
      method: 'GET',
      path,
      query: {
        ...query,
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: resourceVersion || undefined,
      },
      signal,
      retry: 'always',
    }),
    read: readEvent<T>,
  }
}

function readEvent<T>({ type, object }: UnknownObject): WatchEvent<T> | null {
  const resourceVersion = versionOf(object)
  if (type === 'BOOKMARK') return { type, resourceVersion }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return null
  return isItem<T>(object) ? { type, object, resourceVersion } : null
}

/** Empty for objects without a version, after which a watch cannot resume. */
function versionOf(object: unknown): string {
  const metadata = isObject(object) ? object['metadata'] : null
  const version = isObject(metadata) ? metadata['resourceVersion'] : null
  return typeof version === 'string' ? version : ''
}

/** The document of the server defines the type of the items of a list. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function isItem<T>(object: unknown): object is T {
  return isObject(object)
}
