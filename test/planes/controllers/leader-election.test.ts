import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { WriteFence } from '../../../src/store/objects/model/write-fence.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { databaseSessions } from '../../../src/planes/database-sessions.ts'
import { listenForNotifications } from '../../../src/store/changes/listen-for-notifications.ts'
import { isConflict } from '../../../src/planes/controllers/client/api-failures.ts'
import type { CandidateSessions } from '../../../src/planes/controllers/runtime/candidate-sessions.ts'
import type { FleetClient } from '../../../src/planes/controllers/client/fleet-client.ts'
import {
  LEASE_DURATIONS,
  type LeaseDurations,
  startLeaderElection,
} from '../../../src/planes/controllers/runtime/leader-election.ts'
import { recordOf } from '../../../src/planes/controllers/runtime/leader-lease.ts'
import { type Timers, systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { must } from '../../../src/lib/assert.ts'
import { manualTimers } from '../../support/manual-timers.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { FLEET_CLIENTS } from './fleet-clients.ts'
import { MAPS, openPlane } from './plane-fixture.ts'

const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
/** A busy machine must not end a term. */
const DURATIONS = { leaseMs: 60_000, renewDeadlineMs: 40_000, renewMs: 100, retryMs: 100 }

let server: TestServer
let database: Database

beforeAll(async () => {
  server = await startTestServer()
  database = openTestDatabase(server.databaseUrl)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

interface Candidate extends AsyncDisposable {
  /** Null while another candidate leads. */
  readonly term: () => { readonly fence: WriteFence; readonly signal: AbortSignal } | null
  readonly fences: readonly WriteFence[]
}

function compete(
  identity: string,
  lease: string,
  parts: {
    readonly fleet?: FleetClient
    readonly timers?: Timers
    readonly sessions?: CandidateSessions
    readonly durations?: LeaseDurations
  } = {},
): Candidate {
  const { fleet = server.planes.client(), timers = systemTimers, sessions } = parts
  const { durations = DURATIONS } = parts
  let term: { fence: WriteFence; signal: AbortSignal } | null = null
  const fences: WriteFence[] = []
  const election = startLeaderElection({
    client: fleet.plane('root'),
    lease: { namespace: 'kube-system', name: lease },
    identity,
    durations,
    timers,
    random: Math.random,
    ...(sessions && { sessions }),
    onError: (error) => console.error(error),
    lead: async (fence, signal) => {
      term = { fence, signal }
      fences.push(fence)
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      term = null
    },
  })
  return {
    term: () => term,
    fences,
    [Symbol.asyncDispose]: () => election[Symbol.asyncDispose](),
  }
}

/** Timers that stop at a signal, as those of a paused process do. */
function pausable(): Timers & { pause(): void; resume(): void } {
  let isPaused = false
  let held: (() => void)[] = []
  return {
    ...systemTimers,
    schedule: (delayMs, callback) =>
      systemTimers.schedule(delayMs, () => {
        if (isPaused) held.push(callback)
        else callback()
      }),
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      const callbacks = held
      held = []
      for (const callback of callbacks) callback()
    },
  }
}

/** Makes the current term of a lease end a second after its last renewal. */
async function shorten(name: string): Promise<void> {
  const client = server.planes.client().plane('root')
  // A renewal can be in progress.
  await vi.waitFor(
    async () => {
      const lease = await client.get(LEASES, { namespace: 'kube-system', name })
      const spec = { ...Object(lease['spec']), leaseDurationSeconds: 1 }
      await client.update(LEASES, { ...lease, spec })
    },
    { timeout: 60_000 },
  )
}

test('exactly one of several candidates leads, and a release passes the lease on', async () => {
  const candidates = ['a', 'b', 'c'].map((identity) => compete(identity, 'several'))
  const leaders = () => candidates.filter((candidate) => candidate.term() !== null)
  await expect.poll(() => leaders().length).toBe(1)
  const [first] = leaders()
  await must(first, 'a leader')[Symbol.asyncDispose]()
  await expect.poll(() => leaders().length).toBe(1)
  expect(leaders()[0]).not.toBe(first)
  const numbers = candidates.flatMap(({ fences }) => fences.map(({ number }) => number))
  expect(new Set(numbers).size).toBe(numbers.length)
  for (const candidate of candidates) await candidate[Symbol.asyncDispose]()
  const lease = await server.planes
    .client()
    .plane('root')
    .get(LEASES, { namespace: 'kube-system', name: 'several' })
  expect(lease['spec']).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 })
})

test('a leader renews its lease and keeps its number', async () => {
  await using candidate = compete('steady', 'steady')
  await expect.poll(() => candidate.term()).not.toBeNull()
  const client = server.planes.client().plane('root')
  const renewTime = async () => {
    const lease = await client.get(LEASES, { namespace: 'kube-system', name: 'steady' })
    return lease['spec']
  }
  const before = await renewTime()
  await expect.poll(renewTime).not.toEqual(before)
  expect(candidate.fences).toHaveLength(1)
  expect(candidate.term()?.signal.aborted).toBe(false)
})

test('a leader renews after a third of its lease', async () => {
  const timers = manualTimers()
  await using candidate = compete('rare', 'rare', { timers, durations: LEASE_DURATIONS })
  await expect.poll(() => candidate.term()).not.toBeNull()
  const client = server.planes.client().plane('root')
  const renewTime = async () => {
    const lease = await client.get(LEASES, { namespace: 'kube-system', name: 'rare' })
    return Object(lease['spec']).renewTime
  }
  expect(await renewTime()).toBe('2026-01-01T00:00:00.000000Z')
  await timers.advance(5000)
  await expect.poll(renewTime).not.toBe('2026-01-01T00:00:00.000000Z')
  expect(await renewTime()).toBe('2026-01-01T00:00:05.000000Z')
})

test.each(FLEET_CLIENTS)(
  'the writes of a paused leader fail after another one has taken over: $name',
  async ({ name, open }) => {
    const plane = await openPlane(server)
    const lease = `paused-${name.replaceAll(/[^a-z]/gi, '').toLowerCase()}`
    const timers = pausable()
    const fleet = open(server, [plane.client.plane])
    await using first = compete('first', lease, { fleet, timers })
    await expect.poll(() => first.term()).not.toBeNull()
    const fence = must(first.fences[0], 'a fence')
    const stale = fleet.fencedBy(fence).plane(plane.client.plane)
    const map = (each: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: each },
    })
    const created = await stale.create(MAPS, map('before'))
    timers.pause()
    await shorten(lease)
    await using second = compete('second', lease)
    await expect.poll(() => second.term()).not.toBeNull()
    expect(second.fences[0]?.number).toBe(fence.number + 1)
    // The first leader has not noticed.
    expect(first.term()?.signal.aborted).toBe(false)
    const writes = [
      stale.create(MAPS, map('late')),
      stale.update(MAPS, { ...created, data: { late: 'yes' } }),
      stale.delete(MAPS, { namespace: 'default', name: 'before' }),
    ]
    const results = await Promise.allSettled(writes)
    for (const result of results) {
      expect(result.status === 'rejected' && isConflict(result.reason)).toBe(true)
    }
    expect(await plane.mapNames()).toEqual(['before'])
    const current = fleet.fencedBy(must(second.fences[0], 'a fence')).plane(plane.client.plane)
    await current.create(MAPS, map('after'))
    timers.resume()
    await expect.poll(() => first.term()).toBeNull()
  },
)

/** Empty before the first claim. */
async function holderOfLease(name: string): Promise<string> {
  const key = { namespace: 'kube-system', name }
  const lease = await server.planes
    .client()
    .plane('root')
    .get(LEASES, key)
    .catch(() => null)
  return lease === null ? '' : recordOf(lease).holder
}

/** The sessions of a process that connects to listen for changes. */
function openSessions() {
  const listener = listenForNotifications(database, {
    channel: 'flotilla_objects',
    onNotification: () => undefined,
    onConnect: () => undefined,
  })
  return { listener, ...databaseSessions(database, listener) }
}

test('a candidate takes over when the session of the leader ends, and not before', async () => {
  const [leading, waiting] = [openSessions(), openSessions()]
  // As if its process had ended, the leader renews nothing and does not notice the end.
  const timers = pausable()
  const ended = new AbortController().signal
  const current = async () => {
    // The server that starts has no session when it claims the lease.
    const session = first.term() && (await leading.current())
    return session && { ...session, ended }
  }
  const first: Candidate = compete('first', 'ended', { timers, sessions: { ...leading, current } })
  await expect.poll(() => holderOfLease('ended')).toMatch(/^first_session-/)
  expect(first.fences).toHaveLength(1)
  timers.pause()
  const answers: boolean[] = []
  await using second = compete('second', 'ended', {
    sessions: {
      ...waiting,
      hasEnded: async (name) => {
        answers.push(await waiting.hasEnded(name))
        return answers.at(-1) === true
      },
    },
  })
  await expect.poll(() => answers.length).toBeGreaterThan(1)
  expect(answers).not.toContain(true)
  expect(second.term()).toBeNull()
  await leading.listener[Symbol.asyncDispose]()
  // The lease lasts for a minute.
  await expect.poll(() => second.fences.length, { timeout: 20_000 }).toBe(1)
  expect(second.fences[0]?.number).toBe((first.fences[0]?.number ?? 0) + 1)
  timers.resume()
  await first[Symbol.asyncDispose]()
  await waiting.listener[Symbol.asyncDispose]()
})

test('a leader stops when PostgreSQL ends its session, and leads again in the next one', async () => {
  const sessions = openSessions()
  await using candidate = compete('cut', 'cut', { sessions })
  await expect.poll(() => holderOfLease('cut')).toMatch(/^cut_session-/)
  expect(candidate.fences).toHaveLength(1)
  const { signal } = must(candidate.term(), 'a term')
  const { name } = must(await sessions.listener.session(), 'a session')
  await database.query(
    'end_session',
    sql`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and pid <> pg_backend_pid()
        and classid = ${Number.parseInt(name.slice(0, 8), 16)}::bigint::oid
        and objid = ${Number.parseInt(name.slice(8), 16)}::bigint::oid`,
  )
  await expect.poll(() => signal.aborted).toBe(true)
  await expect.poll(() => candidate.fences.length, { timeout: 20_000 }).toBe(2)
  expect(candidate.fences[1]?.number).toBeGreaterThan(candidate.fences[0]?.number ?? 0)
  await sessions.listener[Symbol.asyncDispose]()
})

test('a fence of a deleted lease is not valid for its successor', async () => {
  const plane = await openPlane(server)
  const fleet = server.planes.client()
  await using candidate = compete('again', 'recreated')
  await expect.poll(() => candidate.fences.length).toBe(1)
  const fence = must(candidate.fences[0], 'a fence')
  await fleet.plane('root').delete(LEASES, { namespace: 'kube-system', name: 'recreated' })
  await expect.poll(() => candidate.fences.length).toBe(2)
  expect(candidate.fences[1]?.number).toBe(fence.number)
  const stale = fleet.fencedBy(fence).plane(plane.client.plane)
  const error = await stale
    .create(MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'late' },
    })
    .catch((reason) => reason)
  expect(isConflict(error)).toBe(true)
})
