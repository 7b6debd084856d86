import type { Request, Response } from 'express'
import type { Caller } from '../../access/principal.ts'

/** The limits of a class of requests. */
export interface ClassLimits {
  /** Seats that other classes cannot take. */
  readonly seats: number
  /** The most seats of its requests together, with idle seats of others. */
  readonly maxSeats: number
  /** Whether requests that find no seat are rejected instead of waiting. */
  readonly rejects: boolean
  /** The most requests of one queue that wait. */
  readonly maxWaiting: number
}

/** A request before it takes seats. */
export interface FlowRequest {
  readonly request: Request
  readonly response: Response
  /** Null on public paths. */
  readonly caller: Caller | null
  /** Differs between callers. */
  readonly key: string
}

/** The class and the queue of a request. */
export interface Flow {
  /** The name of the flow schema; null if none chose the class. */
  readonly schema: string | null
  /** Null for requests that need no seat. */
  readonly requestClass: string | null
  /** The queue. */
  readonly key: string
}

/** The classes that an administrator has configured. */
export interface FlowControl {
  /** By name, with those that every server has. */
  readonly classes: ReadonlyMap<string, ClassLimits>
  /** Null leaves the request in the class of its caller. */
  readonly flowOf: (request: FlowRequest) => Flow | null
}
