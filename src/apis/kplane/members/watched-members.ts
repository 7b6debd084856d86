import type { Request, Response } from 'express'

/** A request `GET fleets/{name}/members?watch=true` after its authorization. */
export interface MembersWatch {
  readonly fleet: string
  /** `resourceVersion`, `allowWatchBookmarks`, `timeoutSeconds`, `phase` and others of a watch. */
  readonly query: URLSearchParams
  readonly request: Request
  readonly response: Response
}

/**
 * Sends the members of a fleet and their changes, in the format of Kubernetes. 404 without the
 * Fleet, 410 if the resource version has expired.
 */
export type WatchMembers = (watch: MembersWatch) => Promise<void>
