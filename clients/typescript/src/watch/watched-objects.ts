import { isObject, type UnknownObject } from '../http/json.ts'
import type { ApiRequest } from '../http/request.ts'
import type { WatchedList } from './follow.ts'
import type { WatchEvent } from './watch-event.ts'

/**
 * A list of the Kubernetes-style API as the source of a watch. The existing objects come with
 * versions too, but a watch that resumed after one of them would omit the ones after it. Their
 * versions are therefore withheld until the first bookmark.
 */
export function watchedObjects<T>(
  path: string,
  { query, headers, signal }: Pick<ApiRequest, 'query' | 'headers' | 'signal'>,
): WatchedList<T> {
  let canResume = false
  return {
    requestFor: (resourceVersion) => {
      canResume = resourceVersion !== ''
      const start = canResume ? { resourceVersion } : {}
      const all = { ...query, watch: true, allowWatchBookmarks: true, ...start }
      return { method: 'GET', path, query: all, headers, signal, retry: 'always' }
    },
    read: (line) => {
      const event = readEvent<T>(line)
      canResume ||= event?.type === 'BOOKMARK' && event.resourceVersion !== ''
      return event === null || canResume ? event : { ...event, resourceVersion: '' }
    },
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
