import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { AuditLog } from '../audit-log.ts'
import type { AuditedOperation } from '../../http/requests/audited-operation.ts'
import type { AuditEvent, AuditLevel } from '../audit-event.ts'
import {
  auditLevelOf,
  type AuditPolicy,
  deniedLevelOf,
  hasSecrets,
  recordsBodies,
} from '../audit-policy.ts'
import { boundedEvent } from '../bounded-event.ts'
import { authenticatedUser } from '../../access/principal.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { SAFE_METHODS } from '../../lib/safe-methods.ts'
import { findCaller } from '../../http/auth/caller.ts'
import { failureOf } from '../../http/errors/request-failure.ts'
import { routeOf } from '../../http/observability/access-log.ts'
import type { ClientAddress } from '../../http/auth/client-address.ts'
import { requestIdOf } from '../../http/requests/request-id.ts'
import { requestPath } from '../../http/requests/request-path.ts'
import {
  auditedOperationOf,
  auditedResourceOf,
  isOmittedFromAudit,
} from '../../http/requests/audited-request.ts'
import { statusSent } from '../../http/requests/status-sent.ts'
import { captureBodies, type CapturedBodies } from './captured-bodies.ts'

interface Options {
  readonly log: AuditLog
  readonly policy: () => AuditPolicy
  readonly clientAddress: ClientAddress
  readonly clock: Clock
}

const NO_BODIES: CapturedBodies = { request: () => null, response: () => null }

/**
 * Records the requests that the policy selects when their response ends, and requests that are denied,
 * unless the policy omits them explicitly. If the log is full and its policy is to block, writes wait
 * before they begin.
 */
export function auditRequests(options: Options): RequestHandler {
  const { log, clock } = options
  return (request, response, next) => {
    const policy = options.policy()
    if (policy.length === 0) {
      next()
      return
    }
    const started = { time: clock(), at: performance.now() }
    const wanted = recordsBodies(policy)
    const hasBodies = wanted.request || wanted.response
    const bodies = hasBodies ? captureBodies(request, response, wanted) : NO_BODIES
    const source = options.clientAddress(request)
    const isRead = SAFE_METHODS.has(request.method)
    let isAdmitted = false
    response.on('close', () => {
      if (isOmittedFromAudit(response)) return
      const operation = operationOf(request, response)
      const outcome = outcomeOf(response)
      const levelOf = outcome === 'denied' ? deniedLevelOf : auditLevelOf
      const level = levelOf(policy, operation)
      if (level === 'None') return
      const event = boundedEvent({
        ...operation,
        ...requestParts(request, response, operation),
        ...bodiesAt(level, bodies),
        time: started.time,
        id: newId(started.time),
        level,
        sourceAddress: source,
        outcome,
        durationMs: Math.round(performance.now() - started.at),
        dropped: 0,
      })
      // Requests without a valid identity change nothing, and must not fill the queue.
      log.record(event, { mayBeDropped: !isAdmitted || operation.user === '' })
    })
    const begin = (): void => {
      isAdmitted = !isRead
      next()
    }
    const admission = isRead ? null : log.admit()
    if (admission === null) begin()
    else void beginAfter(admission, { response, begin, next })
  }
}

interface Waiting {
  readonly response: Response
  readonly begin: () => void
  readonly next: NextFunction
}

/** A request whose client has left does not begin: its event is recorded already. */
async function beginAfter(
  admission: Promise<void>,
  { response, begin, next }: Waiting,
): Promise<void> {
  try {
    await admission
  } catch (error) {
    next(error)
    return
  }
  if (!response.destroyed) begin()
}

function operationOf(
  request: Request,
  response: Response,
): AuditedOperation & Pick<AuditEvent, 'impersonatedUser' | 'detail'> {
  const caller = findCaller(response)
  const authenticated = caller && authenticatedUser(caller)
  return {
    user: authenticated?.user ?? '',
    groups: authenticated?.groups ?? [],
    verb: request.method.toLowerCase(),
    plane: '',
    group: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    dryRun: false,
    impersonatedUser: caller?.impersonation ? caller.user : '',
    detail: '',
    ...auditedOperationOf(response),
    ...namedResource(response),
  }
}

function namedResource(response: Response): Partial<AuditedOperation> {
  const resource = auditedResourceOf(response)
  return resource === null ? {} : { name: resource.name }
}

function requestParts(
  request: Request,
  response: Response,
  operation: ReturnType<typeof operationOf>,
) {
  const failure = failureOf(response)
  const tenancy = findCaller(response)?.tenancy
  return {
    requestId: requestIdOf(response),
    tenant: tenancy?.type === 'tenant' ? tenancy.tenant : '',
    userAgent: request.headers['user-agent'] ?? '',
    method: request.method,
    path: requestPath(request.originalUrl),
    route: routeOf(response) ?? '',
    resourceId: auditedResourceOf(response)?.id ?? idInPath(operation),
    status: statusSent(response),
    code: failure?.code ?? '',
    // The error of a Secret can quote its values.
    detail: hasSecrets(operation) ? '' : (failure?.error.message ?? operation.detail),
  }
}

/** Paths of the HyperFleet API contain IDs, and those of planes contain names. */
function idInPath({ plane, name }: AuditedOperation): string {
  return plane === '' ? name : ''
}

function outcomeOf(response: Response): AuditEvent['outcome'] {
  if (!response.headersSent) return 'unknown'
  const status = response.statusCode
  if (status === 401 || status === 403 || status === 421) return 'denied'
  // A stream can fail after its status was sent.
  return status < 400 && failureOf(response) === null ? 'succeeded' : 'failed'
}

function bodiesAt(level: AuditLevel, bodies: CapturedBodies) {
  return {
    request: level === 'Metadata' ? null : bodies.request(),
    response: level === 'RequestResponse' ? bodies.response() : null,
  }
}
