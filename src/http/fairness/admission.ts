import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { AdministratorName } from '../../access/administrators.ts'
import type { Caller } from '../../access/principal.ts'
import type { Wait } from '../../lib/async/wait.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { chargeWork, turnOf, workFor } from '../../lib/tracing/main-thread.ts'
import { findCaller } from '../auth/caller.ts'
import { identityOf } from '../auth/caller-identity.ts'
import type { ClientAddress } from '../auth/client-address.ts'
import { clientNetwork } from '../auth/client-network.ts'
import type { RateLimits } from '../auth/rate-limits.ts'
import { HttpError } from '../errors/http-error.ts'
import { onStreamed } from '../observability/access-log.ts'
import type { Flow, FlowControl } from './flow-control.ts'
import { requestClass } from './request-class.ts'
import { NoSeat, type Seat } from './seated-request.ts'
import { DEFAULT_CLASSES, type Seats } from './seats.ts'

/** Decides when the request of a caller starts. */
export interface Admission {
  /**
   * Counts a request for the rate limits of its caller, and takes seats for it. Null if it may start
   * now. Throws or rejects with `too-many-requests`.
   */
  admit(request: Request, response: Response, caller: Caller | null): Promise<void> | null
  /**
   * Moves an admitted request to the class of the user that its caller acts as, if an administrator
   * has configured one. So a caller without seats gets none by acting as another user.
   */
  admitAs(request: Request, response: Response, acting: Acting): Promise<void> | null
  /** Applies the classes that an administrator has configured; null without any. */
  configure(flowControl: FlowControl | null): void
}

/** A caller and itself as another user. */
interface Acting {
  readonly caller: Caller
  readonly acting: Caller
}

/** How a request was admitted. */
export interface Admitted extends Flow {
  /** Null for requests that need none. */
  readonly seat: Seat | null
}

const ADMITTED = 'admitted'

/** How the request was admitted the last time; null before. */
export function admittedOf({ locals }: Response): Admitted | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the admission writes it
  return (locals[ADMITTED] as Admitted | undefined) ?? null
}

/** Names the members, because a spread of a flow costs as much as the whole seat of a short request. */
function setAdmitted({ locals }: Response, flow: Flow, seat: Seat | null): void {
  const { schema, requestClass: name, key } = flow
  locals[ADMITTED] = { schema, requestClass: name, key, seat } satisfies Admitted
}

interface Options {
  readonly rateLimits: RateLimits
  readonly seats: Seats
  readonly clientAddress: ClientAddress
  /** The callers without rate limits. Read for each request, because a reload can change them. */
  readonly exempt: () => readonly AdministratorName[]
}

export function createAdmission({ rateLimits, seats, clientAddress, exempt }: Options): Admission {
  let flowControl: FlowControl | null = null
  /** The class and the queue of a request by its path, by flow schemas, and by its caller. */
  function flowOf(
    request: Request,
    response: Response,
    { caller, acting }: Readonly<Record<keyof Acting, Caller | null>>,
  ): Flow {
    const { method, path } = request
    const requestedClass = requestClass({ method, path, caller, exempt: exempt() })
    if (requestedClass === null) return NO_SEAT
    const key = identityOf(caller) ?? clientNetwork(clientAddress(request))
    const actingKey = acting === caller ? key : `${key} as ${acting?.user}`
    const flow = flowControl?.flowOf({ request, response, caller: acting, key: actingKey })
    return flow ?? { schema: null, requestClass: requestedClass, key }
  }

  function occupy(request: Request, response: Response, flow: Flow): Promise<void> | null {
    const { requestClass: name, key } = flow
    if (name === null) {
      setAdmitted(response, flow, null)
      return null
    }
    const { seat, ready } = seats.take({
      // A class without seats must not delay the requests of its callers in other classes.
      key: flowControl === null ? key : `${name} ${key}`,
      requestClass: name,
      bytes: Number(request.headers['content-length'] ?? 0) || 0,
    })
    setAdmitted(response, flow, seat)
    holdSeat(response, seat)
    const turn = ready === null ? turnOf(response) : null
    return ready === null && turn === null ? null : start(response, ready, turn)
  }

  return {
    configure: (next) => {
      flowControl = next
      seats.configure(next?.classes ?? DEFAULT_CLASSES)
    },
    admit: (request, response, caller) => {
      rateLimits.requireAllowed(request, caller)
      return occupy(request, response, flowOf(request, response, { caller, acting: caller }))
    },
    admitAs: (request, response, users) => {
      if (flowControl === null) return null
      const flow = flowOf(request, response, users)
      const old = admittedOf(response)
      if (old?.requestClass === flow.requestClass && old.key === flow.key) {
        setAdmitted(response, flow, old.seat)
        return null
      }
      old?.seat?.release()
      return occupy(request, response, flow)
    },
  }
}

const NO_SEAT: Flow = { schema: null, requestClass: null, key: '' }

/**
 * Gives the seat back when the response ends or its stream begins. The client may have disconnected
 * during the look-ups before.
 */
function holdSeat(response: Response, seat: Seat): void {
  if (response.closed) {
    seat.abandon()
    return
  }
  response.on('close', () => {
    if (response.writableFinished) seat.release()
    else seat.abandon()
  })
  onStreamed(response, () => seat.release())
  chargeWork(response, seat)
}

/** Everything that waits for a state calls it. The request continues with seats. */
export function waitOf(response: Response): Wait {
  return (until) => waitWithoutSeats(response, until)
}

/** Throws if the client has disconnected, because the rest of the request would have no seats. */
async function waitWithoutSeats<T>(response: Response, until: () => Promise<T>): Promise<T> {
  const seat = admittedOf(response)?.seat
  seat?.rest()
  let value: T
  try {
    value = await until()
  } finally {
    await start(response, seat?.resume() ?? null, turnOf(response))
  }
  if (response.closed) throw new FlotillaError('unavailable', 'The client has disconnected')
  return value
}

async function start(
  response: Response,
  ready: Promise<void> | null,
  turn: Promise<void> | null,
): Promise<void> {
  try {
    await ready
  } catch (error) {
    throw error instanceof NoSeat ? tooMany(error) : error
  }
  await (turn ?? turnOf(response))
  workFor(response)
}

/** The stage after authentication. */
export function admit(admission: Admission): RequestHandler {
  return (request, response, next) => {
    const ready = admission.admit(request, response, findCaller(response))
    if (ready !== null) return continueAfter(ready, next)
    // Most requests start now, and pay for no promise.
    next()
    return undefined
  }
}

async function continueAfter(ready: Promise<void>, next: NextFunction): Promise<void> {
  await ready
  next()
}

function tooMany(cause: NoSeat): HttpError {
  const seconds = String(cause.retrySeconds)
  const message = `${cause.message}: try again in ${seconds} s`
  return new HttpError('too-many-requests', message, {
    cause,
    headers: { 'Retry-After': seconds },
  })
}
