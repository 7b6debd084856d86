import { FlotillaError } from '../../lib/errors.ts'
import { tenantMoving } from '../model/tenant-moving.ts'

/** SQLSTATEs of a server that cannot be used now, by code or class (the first two characters). */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set([
  '08', // connection exception
  '28', // invalid authorization: no connection was made
  '53', // insufficient resources: connections, memory, disk
  '25P03', // this process was paused during a transaction
  '25006', // read-only transaction: this server has become a standby
  '3D000', // no such database: no connection was made
  '57P01', // shutdown by an administrator
  '57P02', // crash
  '57P03', // starting up or shutting down
  '57P04', // the database was dropped
  '57P05', // idle session ended
])

/** Error codes of Node's sockets and DNS lookups. */
const UNAVAILABLE_SOCKET: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // no such Unix socket
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** The names of Prisma's driver adapter for these failures, if it drops their codes. */
const UNAVAILABLE_KINDS: ReadonlySet<string> = new Set([
  'AuthenticationFailed',
  'ConnectionClosed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
])

/** Prisma's code: no connection of its pool was free. */
const NO_FREE_CONNECTION = 'P2024'

/**
 * Prisma's codes: no connection was free, or a transaction could not start or exceeded its timeout.
 */
const UNAVAILABLE_PRISMA: ReadonlySet<string> = new Set([NO_FREE_CONNECTION, 'P2028'])

/** Every connection of the pool stayed busy. */
const POOL_BUSY = 'timeout exceeded when trying to connect'
/** A new connection did not become ready, perhaps because this process was busy. */
const NOT_READY = 'timeout expired'

/**
 * Messages of pg and pg-pool errors without a code. Only this file compares messages;
 * it depends on the pinned versions, and tests make the libraries produce each message.
 */
const UNAVAILABLE_MESSAGES: readonly string[] = [
  POOL_BUSY,
  NOT_READY,
  'Query read timeout', // the server went silent
  'Connection terminated', // also "... unexpectedly" and "... due to connection timeout"
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]

/** PgBouncer uses one SQLSTATE for all of its errors. */
const REJECTED_PARAMETER = 'unsupported startup parameter'

/** The reasons why writes fail although the database responds, by SQLSTATE. */
const WRITE_PROBLEMS = { '53100': 'disk full', '25006': 'read-only' } as const

export type WriteProblem = (typeof WRITE_PROBLEMS)[keyof typeof WRITE_PROBLEMS]

const WRITE_PROBLEM_DETAILS: Readonly<Record<WriteProblem, string>> = {
  'disk full': 'The database has no disk space left: try again later',
  'read-only': 'The database is read-only at the moment: try again later',
}

const STATEMENT_TIMEOUT = '57014'
/** Raised by the triggers of a shard: another shard serves the tenant, or it is being moved. */
const INACTIVE_TENANT = '40T01'
/** Raised by the triggers of an import that follows its source. */
const CLOSED_FOR_WRITES = '40T02'
/** Raised by the triggers that count the rows of tenants. Its message is for callers. */
const LIMIT_REACHED = '40T03'
const COLLISIONS: ReadonlySet<string> = new Set(['40001', '40P01', 'P2034'])

/** The depth to which causes are followed: Prisma wraps an error of pg three times. */
const MAX_DEPTH = 6

/**
 * Translates a database error to `unavailable` if the database is unreachable, rejects writes, did
 * not respond in time, or aborted colliding writes. Returns other errors unchanged.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof FlotillaError) return error
  const problem = writeProblemOf(error)
  if (problem !== null) {
    return new FlotillaError('unavailable', WRITE_PROBLEM_DETAILS[problem], { cause: error })
  }
  if (isOverloaded(error)) {
    const detail = 'No connection to the database became free in time: try again later'
    return new FlotillaError('unavailable', detail, { cause: error })
  }
  if (isUnavailable(error)) {
    return new FlotillaError('unavailable', 'The database cannot be reached: try again later', {
      cause: error,
    })
  }
  if (isStatementTimeout(error)) {
    return new FlotillaError(
      'unavailable',
      'The database did not answer in time: try again later',
      {
        cause: error,
      },
    )
  }
  if (codesOf(error).includes(INACTIVE_TENANT)) return tenantMoving(error)
  const limit = chainOf(error).find((link) => link['code'] === LIMIT_REACHED)
  if (limit) return new FlotillaError('limit-reached', String(limit['message']), { cause: error })
  if (codesOf(error).includes(CLOSED_FOR_WRITES)) {
    return new FlotillaError(
      'state-conflict',
      'This installation follows another one, which is the only writer until the import is finished',
      { cause: error },
    )
  }
  if (isSerializationFailure(error)) {
    return new FlotillaError('unavailable', 'Concurrent writes collided: try again', {
      cause: error,
    })
  }
  return error
}

/** The reason why a write failed, or null if it is not one of WRITE_PROBLEMS. */
export function writeProblemOf(error: unknown): WriteProblem | null {
  for (const code of codesOf(error)) {
    if (code === '53100' || code === '25006') return WRITE_PROBLEMS[code]
  }
  return null
}

/** Whether PostgreSQL canceled the statement after the statement timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return codesOf(error).includes(STATEMENT_TIMEOUT)
}

/** Whether no connection of the pool became free in time, which says nothing about the server. */
export function isPoolBusy(error: unknown): boolean {
  return chainOf(error).some(({ message }) => message === POOL_BUSY)
}

/** Whether the write collided with a concurrent one and may be retried. */
export function isSerializationFailure(error: unknown): boolean {
  return codesOf(error).some((code) => COLLISIONS.has(code))
}

/**
 * Whether the statement certainly had no effect: PostgreSQL rejected its data, a constraint failed,
 * it collided, or it exceeded a limit. After other failures, such as a broken connection, it may
 * have been committed.
 */
export function wasRolledBack(error: unknown): boolean {
  return codesOf(error).some((code) => /^(22|23|40|54)[0-9A-Z]{3}$/.test(code))
}

/** Whether PgBouncer rejected a connection because of a parameter that it cannot pass on. */
export function rejectsStartupParameter(error: unknown): boolean {
  return chainOf(error).some(
    ({ message }) => typeof message === 'string' && message.startsWith(REJECTED_PARAMETER),
  )
}

/**
 * Whether a connection was not free or not ready in time. The database may be unreachable, or this
 * server too busy.
 */
function isOverloaded(error: unknown): boolean {
  return (
    codesOf(error).includes(NO_FREE_CONNECTION) ||
    chainOf(error).some(({ message }) => message === POOL_BUSY || message === NOT_READY)
  )
}

function isUnavailable(error: unknown): boolean {
  return (
    codesOf(error).some(isUnavailableCode) ||
    chainOf(error).some(
      ({ kind, message }) => isUnavailableKind(kind) || isUnavailableMessage(message),
    )
  )
}

function isUnavailableCode(code: string): boolean {
  return (
    UNAVAILABLE_STATES.has(code) ||
    UNAVAILABLE_SOCKET.has(code) ||
    UNAVAILABLE_PRISMA.has(code) ||
    (/^[0-9A-Z]{5}$/.test(code) && UNAVAILABLE_STATES.has(code.slice(0, 2)))
  )
}

function isUnavailableKind(kind: unknown): boolean {
  return typeof kind === 'string' && UNAVAILABLE_KINDS.has(kind)
}

function isUnavailableMessage(message: unknown): boolean {
  if (typeof message !== 'string') return false
  return UNAVAILABLE_MESSAGES.some((known) => message.startsWith(known))
}

/** The codes of an error and of all errors that it wraps. */
export function codesOf(error: unknown): string[] {
  return chainOf(error).flatMap((link) =>
    [link['code'], link['originalCode']].filter((code) => typeof code === 'string'),
  )
}

/** The error and the wrapped errors: `cause`, Prisma's `meta.driverAdapterError`, and `errors`. */
function chainOf(error: unknown, depth = 0): Record<string, unknown>[] {
  if (!isRecord(error) || depth > MAX_DEPTH) return []
  const meta = error['meta']
  const aggregated: readonly unknown[] = Array.isArray(error['errors']) ? error['errors'] : []
  const wrapped = [
    error['cause'],
    isRecord(meta) ? meta['driverAdapterError'] : null,
    ...aggregated,
  ]
  return [error, ...wrapped.flatMap((inner) => chainOf(inner, depth + 1))]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
