import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { FlotillaError } from '../../lib/errors.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'
import {
  isPoolBusy,
  isSerializationFailure,
  isStatementTimeout,
  translateDatabaseError,
} from './translate-database-error.ts'

/** How a server responds to a message. */
type Behaviour = { readonly state: string; readonly fatal?: boolean } | 'hang up' | 'say nothing'

/** Servers close before the pools that wait for their responses. */
const closers: (() => PromiseLike<unknown>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

const READY = message('Z', Buffer.from('I'))
const AUTHENTICATED = Buffer.concat([message('R', Buffer.alloc(4)), READY])

function failure(state: string): Buffer {
  const fields = {
    S: 'ERROR',
    V: 'ERROR',
    C: state,
    M: 'words of the database',
    n: 'resources_name',
    t: 'resources',
  }
  const body = Object.entries(fields).map(([key, value]) => `${key}${value}\0`)
  return message('E', Buffer.from(`${body.join('')}\0`))
}

/** A server that accepts every connection and responds to every statement the same way. */
async function serverThat(
  behaviour: Behaviour,
  onConnect: Behaviour | null = null,
): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    let started = false
    socket.on('error', () => undefined)
    socket.on('data', () => {
      const now = started ? behaviour : onConnect
      started = true
      if (now === null) socket.write(AUTHENTICATED)
      else if (now === 'hang up') socket.destroy()
      else if (now !== 'say nothing') {
        socket.write(Buffer.concat([failure(now.state), READY]))
        if (now.fatal === true) socket.end()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return `postgresql://flotilla:x@127.0.0.1:${port}/flotilla`
}

/** Longer than a busy machine needs to connect. */
const CONNECT_TIMEOUT_MS = 20_000
/** For the cases in which no connection can be made. */
const SHORT_TIMEOUT_MS = 200

function databaseAt(url: string, connectTimeoutMs = CONNECT_TIMEOUT_MS): Database {
  const database = openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: 100,
    connectTimeoutMs,
    observe: () => undefined,
    onIdleError: () => undefined,
  })
  closers.push(() => database[Symbol.asyncDispose]())
  return database
}

/** The ways in which statements reach PostgreSQL. */
const clients = {
  pg: (database: Database): Promise<unknown> =>
    database.execute({ name: 'one', text: 'select 1' }, []),
  prisma: (database: Database): Promise<unknown> => database.prisma.resource.findFirst(),
  'a raw query of prisma': (database: Database): Promise<unknown> =>
    database.prisma.$queryRaw`select 1`,
  'a transaction of prisma': (database: Database): Promise<unknown> =>
    database.prisma.$transaction((transaction) => transaction.resource.findFirst()),
}

async function failureOf(
  url: string,
  run: (database: Database) => Promise<unknown>,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
): Promise<unknown> {
  const outcome = await run(databaseAt(url, connectTimeoutMs)).then(
    () => null,
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(Error)
  return outcome
}

function codeOf(error: unknown): string | null {
  const translated = translateDatabaseError(error)
  return translated instanceof FlotillaError ? translated.reason : null
}

describe.each(Object.entries(clients))('an error of %s', (_name, run) => {
  test.each(['57P01', '57P02', '57P03', '08006', '53300', '53100', '25006'])(
    'with SQLSTATE %s is an unavailable database',
    async (state) => {
      const error = await failureOf(await serverThat({ state }), run)
      expect(codeOf(error)).toBe('unavailable')
      expect(isStatementTimeout(error)).toBe(false)
    },
  )

  test.each(['57P03', '53300', '28P01', '3D000'])(
    'that rejects the connection with %s is an unavailable database',
    async (state) => {
      const error = await failureOf(await serverThat('say nothing', { state, fatal: true }), run)
      expect(codeOf(error)).toBe('unavailable')
    },
  )

  test.each([
    ['closes the connection of a statement', 'hang up', null],
    ['closes a new connection', 'hang up', 'hang up'],
    ['never responds', 'say nothing', 'say nothing'],
  ] as const)(
    'from a server that %s is an unavailable database',
    async (_case, behaviour, onConnect) => {
      const url = await serverThat(behaviour, onConnect)
      expect(codeOf(await failureOf(url, run, SHORT_TIMEOUT_MS))).toBe('unavailable')
    },
  )

  test('without a listening server is an unavailable database', async () => {
    expect(codeOf(await failureOf('postgresql://x:x@127.0.0.1:1/x', run))).toBe('unavailable')
    expect(codeOf(await failureOf('postgresql://x:x@localhost:1/x', run))).toBe('unavailable')
    expect(codeOf(await failureOf('postgresql://x:x@/x?host=/nowhere', run))).toBe('unavailable')
    expect(codeOf(await failureOf('postgresql://x:x@no-such-host.invalid/x', run))).toBe(
      'unavailable',
    )
  })

  test('without a free connection in the pool is an unavailable database', async () => {
    const database = databaseAt(await serverThat('say nothing'), 1000)
    void run(database).catch(() => undefined)
    const error: unknown = await run(database).catch((reason: unknown) => reason)
    expect(codeOf(error)).toBe('unavailable')
    expect(isPoolBusy(error)).toBe(true)
    expect(translateDatabaseError(error)).toMatchObject({
      message: 'No connection to the database became free in time: try again later',
    })
  })

  test('after the pool was closed is an unavailable database', async () => {
    const database = databaseAt(await serverThat('say nothing'))
    await database.pool.end()
    closers.pop()
    expect(codeOf(await run(database).catch((reason: unknown) => reason))).toBe('unavailable')
  })

  test('after the statement timeout is recognized', async () => {
    const error = await failureOf(await serverThat({ state: '57014' }), run)
    expect(isStatementTimeout(error)).toBe(true)
    expect(translateDatabaseError(error)).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('did not answer in time'),
    })
  })

  test.each(['40001', '40P01'])('after a collision (%s) is recognized', async (state) => {
    const error = await failureOf(await serverThat({ state }), run)
    expect(isSerializationFailure(error)).toBe(true)
    expect(isStatementTimeout(error)).toBe(false)
    expect(codeOf(error)).toBe('unavailable')
  })

  test.each(['42601', '22021', '23503', '23505', 'P0001', 'XX000'])(
    'with SQLSTATE %s stays unchanged',
    async (state) => {
      const error = await failureOf(await serverThat({ state }), run)
      expect(translateDatabaseError(error)).toBe(error)
      expect(isSerializationFailure(error)).toBe(false)
    },
  )
})

test('an error after a server stops responding is an unavailable database', async () => {
  // The pool abandons a statement 5 s after its timeout, so all clients run in parallel.
  const url = await serverThat('say nothing')
  const errors = await Promise.all(Object.values(clients).map((run) => failureOf(url, run)))
  expect(errors.map(codeOf)).toEqual(errors.map(() => 'unavailable'))
})

test('a translated error does not contain the message of the database', async () => {
  for (const state of ['57P01', '57014', '40001']) {
    const error = translateDatabaseError(await failureOf(await serverThat({ state }), clients.pg))
    expect(String(error)).not.toContain('words of the database')
  }
})

test('other errors are returned unchanged', () => {
  const circular: { cause?: unknown } = {}
  circular.cause = circular
  const expected = new FlotillaError('conflict', 'kept', { cause: { code: '57P01' } })
  for (const error of [expected, new Error('a bug'), null, undefined, 'text', circular]) {
    expect(translateDatabaseError(error)).toBe(error)
    expect(isStatementTimeout(error)).toBe(false)
  }
})
