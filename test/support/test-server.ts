import type pg from 'pg'
import pino, { type Logger } from 'pino'
import type { Config } from '../../src/cmd/config.ts'
import { readConfig } from '../../src/cmd/settings.ts'
import type { AppOptions } from '../../src/hyperfleet/routes/app-options.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import type { Registry } from '../../src/store/registry/registry.ts'
import type { Kind } from '../../src/store/registry/kind.ts'
import { kinds as builtInKinds } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { fleets } from '../../src/fleets/capability.ts'
import type { FleetMembersOf } from '../../src/fleets/members/fleet-members.ts'
import { planes } from '../../src/planes/capability.ts'
import type { Planes } from '../../src/planes/server/seal-planes.ts'
import type { FleetClient } from '../../src/planes/controllers/client/fleet-client.ts'
import type { Feed } from '../../src/store/feed/feed.ts'
import { hyperfleet } from '../../src/hyperfleet/capability.ts'
import type { StatusContext } from '../../src/hyperfleet/statuses/operations/status-context.ts'
import { startFlotilla } from '../../src/cmd/start-flotilla.ts'
import { LONG_TIMEOUTS } from './long-timeouts.ts'
import { type Request, sendRequest, type WholeResponse } from './send-request.ts'
import { createSessions, createTestDatabase } from './test-database.ts'

/** A response. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; null without one. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly body: any
}

interface TestPlanes extends Planes {
  /** Access of controllers to planes and clusters. */
  readonly client: () => FleetClient
  /** The members of fleets; null on a server without fleets. */
  readonly membersOf: FleetMembersOf | null
}

export interface TestServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly healthOrigin: string
  readonly metricsOrigin: string
  readonly databaseUrl: string
  /** Sessions of the test in the database of the server. */
  readonly sessions: pg.Pool
  readonly registry: Registry
  readonly planes: TestPlanes
  /** The changes of resources. */
  readonly feed: Feed
  /** The context of operations, for tests that the order of requests would make random. */
  readonly operations: StatusContext
  /** Sends a request below the base path, `/api/` or `/openapi/flotilla`. An object becomes a JSON body. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestResponse>
  get(path: string): Promise<TestResponse>
  post(path: string, body: unknown): Promise<TestResponse>
  put(path: string, body: unknown): Promise<TestResponse>
  patch(path: string, body: unknown): Promise<TestResponse>
}

interface Options {
  readonly env?: NodeJS.ProcessEnv
  /** Values that have no setting, or other values than the settings have. */
  readonly config?: Partial<Config>
  readonly kinds?: readonly Kind[]
  /** The handlers of the kinds' subresources. */
  readonly subresources?: AppOptions['subresources']
  /** Name of the database server. */
  readonly server?: string
  /** A database that the test owns, instead of a new one. */
  readonly databaseUrl?: string
  /** Receives the server's log. By default, only fatal lines are printed. */
  readonly log?: Logger
  /** The server's clock; the machine's by default. */
  readonly clock?: Clock
}

const TEST_CONFIG = {
  verifyOpenapi: true,
  // Webhooks repeat attempts quickly, but a busy machine must not repeat events.
  outgoingWebhookRetries: [1, 1],
  outgoingWebhookTimeout: 60,
} satisfies Partial<Config>

/** Starts a server on free ports with a new database. It validates requests and responses twice. */
export async function startTestServer(options: Options = {}): Promise<TestServer> {
  const database =
    options.databaseUrl === undefined ? await createTestDatabase(options.server) : null
  const databaseUrl = options.databaseUrl ?? must(database, 'a database').url
  const kinds = options.kinds ?? builtInKinds
  const config = readConfig(kinds, {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    HEALTH_PORT: '0',
    METRICS_PORT: '0',
    // Their leases raise the revision of the root plane.
    ROLE: 'api',
    SANDBOX_RUNTIME: 'off',
    // Programs of sandboxes run beside the server of the test.
    SANDBOX_UNISOLATED: 'true',
    ...LONG_TIMEOUTS,
    ...options.env,
  })
  const log = options.log ?? pino({ level: options.env?.['LOG_LEVEL'] ?? 'fatal' })
  const flotilla = await startFlotilla(
    { ...config, ...TEST_CONFIG, ...options.config },
    {
      log,
      kinds,
      ...(options.subresources && { subresources: options.subresources }),
      ...(options.clock && { clock: options.clock }),
    },
  )
  let sessions: pg.Pool | null = null
  const endSessions = async () => {
    const open = sessions
    // Tests also read the database of a server that has stopped.
    sessions = null
    await open?.end()
  }
  const origin = `http://127.0.0.1:${flotilla.port}`
  const request: TestServer['request'] = async (method, path, body, headers) => {
    const isAbsolute = path.startsWith('/api/') || path.startsWith('/openapi/flotilla')
    const url = isAbsolute ? origin + path : origin + BASE_PATH + path
    return answerOf(await sendRequest(url, { method, ...payload(body, headers) }))
  }
  return {
    origin,
    healthOrigin: `http://127.0.0.1:${flotilla.healthPort}`,
    metricsOrigin: `http://127.0.0.1:${flotilla.metricsPort}`,
    databaseUrl,
    get sessions() {
      return (sessions ??= createSessions(databaseUrl))
    },
    registry: flotilla.registry,
    planes: {
      ...flotilla.portsOf(planes).sealed(),
      client: flotilla.portsOf(planes).client,
      membersOf: flotilla.portsOf(fleets).membersOf,
    },
    feed: flotilla.feed,
    operations: flotilla.portsOf(hyperfleet).operations,
    request,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    put: (path, body) => request('PUT', path, body),
    patch: (path, body) => request('PATCH', path, body),
    [Symbol.asyncDispose]: async () => {
      await flotilla[Symbol.asyncDispose]()
      // A statement that still runs ends with the database.
      await Promise.all([endSessions(), database?.[Symbol.asyncDispose]()])
    },
  }
}

function payload(body: unknown, headers: Readonly<Record<string, string>> | undefined): Request {
  if (body === undefined) return { ...(headers && { headers }) }
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  return { body: text, headers: headers ?? { 'Content-Type': 'application/json' } }
}

function answerOf(response: WholeResponse): TestResponse {
  const isJson = /\bjson|\+json/.test(response.headers.get('content-type') ?? '')
  const isParsed = isJson && response.text !== ''
  return { ...response, body: isParsed ? JSON.parse(response.text) : null }
}
