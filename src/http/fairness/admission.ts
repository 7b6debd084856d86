import type { Request, RequestHandler, Response } from 'express'
import type { AdministratorName } from '../../access/administrators.ts'
import type { Caller } from '../../access/principal.ts'
import { chargeWork, turnOf, workFor } from '../../lib/tracing/main-thread.ts'
import { findCaller } from '../auth/caller.ts'
import { identityOf } from '../auth/caller-identity.ts'
import type { ClientAddress } from '../auth/client-address.ts'
import { clientNetwork } from '../auth/client-network.ts'
import type { RateLimits } from '../auth/rate-limits.ts'
import { HttpError } from '../errors/http-error.ts'
import { onStreamed } from '../observability/access-log.ts'
import type { FlowControl } from './flow-control.ts'
import { requestClass } from './request-class.ts'
import { DEFAULT_CLASSES, NoSeat, type Seats } from './seats.ts'

/** Decides when the request of a caller starts. */
export interface Admission {
  /**
   * Counts a request for the rate limits of its caller, and takes seats for it. Null if it may start
   * now. Throws or rejects with `too-many-requests`.
   */
  admit(request: Request, response: Response, caller: Caller | null): Promise<void> | null
  /** Applies the classes that an administrator has configured; null without any. */
  configure(flowControl: FlowControl | null): void
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
  return {
    configure: (next) => {
      flowControl = next
      seats.configure(next?.classes ?? DEFAULT_CLASSES)
    },
    admit: (request, response, caller) => {
      rateLimits.requireAllowed(request, caller)
      const { method, path, headers } = request
      const requestedClass = requestClass({ method, path, caller, exempt: exempt() })
      if (requestedClass === null) return null
      const key = identityOf(caller) ?? clientNetwork(clientAddress(request))
      const flow = flowControl?.flowOf({ request, response, caller, key }) ?? null
      if (flow?.requestClass === null) return null
      const queue = flow?.key ?? key
      const name = flow?.requestClass ?? requestedClass
      const { seat, ready } = seats.take({
        // A class without seats must not delay the requests of its callers in other classes.
        key: flowControl === null ? queue : `${name} ${queue}`,
        requestClass: name,
        bytes: Number(headers['content-length'] ?? 0) || 0,
      })
      response.once('close', () => {
        if (response.writableFinished) seat.release()
        else seat.abandon()
      })
      onStreamed(response, seat.release)
      chargeWork(response, seat)
      const turn = ready === null ? turnOf(response) : null
      return ready === null && turn === null ? null : start(response, ready, turn)
    },
  }
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
  return async (request, response, next) => {
    const ready = admission.admit(request, response, findCaller(response))
    if (ready !== null) await ready
    next()
  }
}

function tooMany(cause: NoSeat): HttpError {
  const seconds = String(cause.retrySeconds)
  const message = `${cause.message}: try again in ${seconds} s`
  return new HttpError('too-many-requests', message, {
    cause,
    headers: { 'Retry-After': seconds },
  })
}
