import type { Overview } from '../generated/hyperfleet.ts'
import { apiPath } from '../http/api-path.ts'
import { isObject, type UnknownObject } from '../http/json.ts'
import type { WatchedList } from '../watch/follow.ts'
import type { WatchEvent } from '../watch/watch-event.ts'

/** The overview as the source of a watch. Each event has all of it, so a watch never resumes. */
export function watchedOverview(signal: AbortSignal | undefined): WatchedList<Overview> {
  return {
    requestFor: () => ({
      method: 'GET',
      path: apiPath('overview'),
      query: { watch: true },
      signal,
      retry: 'always',
    }),
    read: readEvent,
  }
}

function readEvent(line: UnknownObject): WatchEvent<Overview> | null {
  const { type, object, resource_version: resourceVersion } = line
  if (typeof resourceVersion !== 'string') return null
  if (type === 'BOOKMARK') return { type, resourceVersion }
  return type === 'MODIFIED' && isOverview(object) ? { type, object, resourceVersion } : null
}

function isOverview(object: unknown): object is Overview {
  return isObject(object) && object['kind'] === 'Overview'
}
