import { FlotillaError } from '../../../lib/errors.ts'

/** SQLSTATEs of a server that is there and cannot be used now, by code or by class (two characters). */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set([
  '08', // connection exception
  '28', // invalid authorization: no connection was made
  '53', // insufficient resources: connections, memory, disk
  '25006', // read-only transaction: this server has become a standby
  '3D000', // no such database: no connection was made
  '57P01', // shutdown by an administrator
  '57P02', // crash
  '57P03', // starting up or shutting down
  '57P04', // the database was dropped
  '57P05', // idle session ended
])

/** Codes of node's sockets and name look-ups. */
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

/** How Prisma's driver adapter names the same failures, where it drops their codes. */
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

/** Prisma's own: no connection came free; a transaction could not start, or outlived its time. */
const UNAVAILABLE_PRISMA: ReadonlySet<string> = new Set(['P2024', 'P2028'])

/**
 * What pg and pg-pool say where their errors have no code: the one place that reads messages. The
 * pinned versions are part of this list; the tests make the libraries produce each of these.
 */
const UNAVAILABLE_MESSAGES: readonly string[] = [
  'timeout exceeded when trying to connect', // every connection of the pool stayed busy
  'timeout expired', // a new connection did not become ready
  'Query read timeout', // the server went silent
  'Connection terminated', // also "... unexpectedly" and "... due to connection timeout"
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]

/** Why a database that answers takes no writes, by SQLSTATE. */
const WRITE_PROBLEMS = { '53100': 'disk full', '25006': 'read-only' } as const

export type WriteProblem = (typeof WRITE_PROBLEMS)[keyof typeof WRITE_PROBLEMS]

const WRITE_PROBLEM_DETAILS: Readonly<Record<WriteProblem, string>> = {
  'disk full': 'The database has no disk space left: try again later',
  'read-only': 'The database takes no writes at the moment: try again later',
}

const STATEMENT_TIMEOUT = '57014'
const COLLISIONS: ReadonlySet<string> = new Set(['40001', '40P01', 'P2034'])

/** How deep causes are followed: Prisma wraps an error of pg three times. */
const MAX_DEPTH = 6

/**
 * A failure of the database in the caller's terms: `unavailable` if the database cannot be reached, takes
 * no writes, did not answer in time, or gave up between colliding writes. Everything else comes back
 * as it is.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof FlotillaError) return error
  const problem = writeProblemOf(error)
  if (problem !== null) {
    return new FlotillaError('unavailable', WRITE_PROBLEM_DETAILS[problem], { cause: error })
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
  if (isSerializationFailure(error)) {
    return new FlotillaError('unavailable', 'Concurrent writes collided: try again', {
      cause: error,
    })
  }
  return error
}

/** Why the database took no write; null if the failure has another reason. */
export function writeProblemOf(error: unknown): WriteProblem | null {
  for (const code of codesOf(error)) {
    if (code === '53100' || code === '25006') return WRITE_PROBLEMS[code]
  }
  return null
}

/** Whether PostgreSQL ended the statement because it ran over the statement timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return codesOf(error).includes(STATEMENT_TIMEOUT)
}

/** Whether the write lost against a concurrent one and may be tried again. */
export function isSerializationFailure(error: unknown): boolean {
  return codesOf(error).some((code) => COLLISIONS.has(code))
}

/**
 * Whether PostgreSQL refused the statement itself: its data, a constraint, a collision or a limit.
 * Nothing of it was kept. After any other failure, such as a broken connection, it may be.
 */
export function wasRolledBack(error: unknown): boolean {
  return codesOf(error).some((code) => /^(22|23|40|54)[0-9A-Z]{3}$/.test(code))
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

/** The codes of an error and of all that it wraps. */
export function codesOf(error: unknown): string[] {
  return chainOf(error).flatMap((link) =>
    [link['code'], link['originalCode']].filter((code) => typeof code === 'string'),
  )
}

/** The error and what it wraps: causes, Prisma's `meta.driverAdapterError`, joined errors. */
function chainOf(error: unknown, depth = 0): Record<string, unknown>[] {
  if (!isRecord(error) || depth > MAX_DEPTH) return []
  const meta = error['meta']
  const joined: readonly unknown[] = Array.isArray(error['errors']) ? error['errors'] : []
  const wrapped = [error['cause'], isRecord(meta) ? meta['driverAdapterError'] : null, ...joined]
  return [error, ...wrapped.flatMap((inner) => chainOf(inner, depth + 1))]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
