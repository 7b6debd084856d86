import { badRequest, objectInvalid } from '../errors/failures.ts'
import { forbiddenValue } from '../errors/field-errors.ts'
import type { KubeError } from '../errors/kube-error.ts'
import { flagOf, integerOf } from '../requests/request-options.ts'
import { parseRevision } from '../operations/reads/required-revision.ts'

/** The options of a watch. */
export interface WatchOptions {
  /** Changes after this revision are sent; null to begin with the current objects. */
  readonly from: bigint | 'now' | null
  /** The oldest state that may be sent as the current objects. */
  readonly notOlderThan: bigint
  /** Whether a bookmark marks the end of the current objects. */
  readonly marksInitialEvents: boolean
  readonly bookmarks: boolean
  /** Null for the server's choice. */
  readonly timeoutSeconds: number | null
}

/** Reads the options of a watch. 400 or 422 for combinations that Kubernetes rejects. */
export function watchOptionsOf(query: URLSearchParams): WatchOptions {
  const resourceVersion = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const sendInitialEvents = query.get('sendInitialEvents')
  const wantsInitialEvents = flagOf(query, 'sendInitialEvents')
  if (sendInitialEvents === null && match !== '') {
    throw invalid('resourceVersionMatch is forbidden for watch')
  }
  if (sendInitialEvents !== null && match !== 'NotOlderThan') {
    throw invalid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  }
  if (query.has('continue')) throw badRequest('continue is not allowed for a watch')
  const revision = parseRevision(resourceVersion)
  const isOnward = sendInitialEvents === null ? revision > 0n : !wantsInitialEvents
  const timeoutSeconds = integerOf(query, 'timeoutSeconds')
  const bookmarks = flagOf(query, 'allowWatchBookmarks')
  return {
    from: isOnward ? revision || 'now' : null,
    notOlderThan: isOnward ? 0n : revision,
    marksInitialEvents: bookmarks && wantsInitialEvents,
    bookmarks,
    timeoutSeconds: timeoutSeconds === 0 ? null : timeoutSeconds,
  }
}

function invalid(message: string): KubeError {
  const type = { group: 'meta.k8s.io', kind: 'ListOptions' }
  return objectInvalid(type, '', [forbiddenValue('resourceVersionMatch', message)])
}
