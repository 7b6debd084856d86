import type { Request, Response } from 'express'
import type { Clock } from '../../lib/clock.ts'
import type { Representation } from '../negotiation/negotiate.ts'
import type { Requester, Target } from '../model/object-operations.ts'
import type { RequestBody } from '../requests/read-request-body.ts'

/** A request on a resource after authorization. */
export interface VerbRequest {
  readonly request: Request
  readonly response: Response
  readonly query: URLSearchParams
  readonly target: Target
  readonly requester: Requester
  /** The form of objects in the response. */
  readonly representation: Representation
  readonly clock: Clock
  /** Reads the body, which must have one of the media types; null if it is empty. */
  readonly readBody: (accepts: readonly string[]) => Promise<RequestBody | null>
}
