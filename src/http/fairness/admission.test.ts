import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, UNIDENTIFIED } from '../../access/principal.ts'
import { createRateLimits } from '../auth/rate-limits.ts'
import { setStreamed } from '../observability/access-log.ts'
import { serveApp, type TestServer } from '../server/fixtures.ts'
import { admit, type Admission, createAdmission, waitOf } from './admission.ts'
import { DEFAULT_CLASSES, Seats } from './seats.ts'

const CALLER: Caller = {
  ...UNIDENTIFIED,
  tenancy: { type: 'none' },
  isFromGateway: false,
}
const BOMBER = '10.0.0.1'

let seats: Seats
let admission: Admission
let server: TestServer
let finish: () => void = () => undefined
/** Resolves when a request waits in its route. */
let held: Promise<void>
let onHeld: () => void = () => undefined
/** The requests that have not ended their wait. */
let waits = 0

beforeAll(async () => {
  seats = new Seats({ now: () => 0, wasBusy: () => true })
  const clientAddress = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) =>
    String(headers['x-address'])
  const limits = { rateLimitReads: 0, rateLimitWrites: 0, rateLimitBurstSeconds: 1 }
  const rateLimits = createRateLimits({
    settings: () => ({ ...limits, rateLimitExempt: [] }),
    clientAddress,
    onLimited: () => undefined,
  })
  admission = createAdmission({ rateLimits, seats, clientAddress, exempt: () => [] })
  server = await serveApp((app) => {
    app.use(admit(admission))
    app.get('/as/:user', async (request, response, next) => {
      const acting = { ...CALLER, user: request.params.user }
      await admission.admitAs(request, response, { caller: CALLER, acting })
      next()
    })
    app.get('/left/:user', async (request, response, next) => {
      const closed = once(response, 'close')
      onHeld()
      await closed
      const acting = { ...CALLER, user: request.params.user }
      await admission.admitAs(request, response, { caller: CALLER, acting })
      finish()
      next()
    })
    app.get('/hold', (_request, response) => {
      finish = () => void response.send('held')
      onHeld()
    })
    app.get('/wait', async (_request, response) => {
      waits += 1
      try {
        await waitOf(response)(() => {
          onHeld()
          return new Promise<void>((resolve) => {
            finish = resolve
          })
        })
      } finally {
        waits -= 1
      }
      response.send('reached')
    })
    app.get('/stream', (_request, response) => {
      setStreamed(response)
      finish = () => void response.end()
      response.write('begun')
    })
    app.use((_request, response) => void response.send('served'))
  })
})
afterAll(() => server[Symbol.asyncDispose]())

function send(address: string, path = '/'): Promise<Response> {
  return fetch(server.url + path, { headers: { 'X-Address': address } })
}

/** Makes the requests of the bomber cost this, by which one of them takes all its seats. */
function makeExpensive(milliseconds: number): void {
  const { seat } = seats.take({ key: BOMBER, requestClass: 'users', bytes: 0 })
  seat.pay(milliseconds)
  seat.release()
}

function hold(): Promise<Response> {
  held = new Promise((resolve) => {
    onHeld = resolve
  })
  return send(BOMBER, '/hold')
}

test('rejects what a caller sends beyond its queue, and serves others and probes', async () => {
  makeExpensive(140_000)
  const first = hold()
  await held
  const second = send(BOMBER)
  await expect.poll(() => seats.counts.get('users')?.waiting).toBe(1)
  const rejected = await send(BOMBER)
  expect(rejected.status).toBe(429)
  expect(rejected.headers.get('Retry-After')).toBe('30')
  expect(await rejected.json()).toMatchObject({ code: 'HYPERFLEET-LMT-001' })
  expect((await send('10.0.0.2')).status).toBe(200)
  expect((await send(BOMBER, '/healthz')).status).toBe(200)
  finish()
  expect(await (await first).text()).toBe('held')
  expect(await (await second).text()).toBe('served')
})

test('a stream gives its seats back when it begins', async () => {
  makeExpensive(140_000)
  const stream = await send(BOMBER, '/stream')
  expect((await send(BOMBER)).status).toBe(200)
  finish()
  await stream.text()
})

test('a request that waits for a state leaves its seats to a read of its caller', async () => {
  makeExpensive(140_000)
  held = new Promise((resolve) => {
    onHeld = resolve
  })
  const waiting = send(BOMBER, '/wait')
  await held
  expect(seats.counts.get('users')).toMatchObject({ seats: 0, resting: 1 })
  expect(await (await send(BOMBER)).text()).toBe('served')
  finish()
  expect(await (await waiting).text()).toBe('reached')
  expect(seats.counts.get('users')).toMatchObject({ resting: 0 })
})

test('the wait of a client that has disconnected fails, and keeps nothing', async () => {
  const client = new AbortController()
  held = new Promise((resolve) => {
    onHeld = resolve
  })
  const headers = { 'X-Address': '10.0.0.6' }
  const sent = fetch(`${server.url}/wait`, { headers, signal: client.signal })
  await held
  client.abort()
  await expect(sent).rejects.toThrow('abort')
  await expect.poll(() => seats.counts.get('users')?.resting).toBe(0)
  finish()
  await expect.poll(() => seats.counts.get('users')?.seats).toBe(0)
})

test('the wait of a client that disconnects before it has seats again ends', async () => {
  makeExpensive(140_000)
  const client = new AbortController()
  held = new Promise((resolve) => {
    onHeld = resolve
  })
  const headers = { 'X-Address': BOMBER }
  const sent = fetch(`${server.url}/wait`, { headers, signal: client.signal })
  await held
  const reach = finish
  const other = hold()
  await held
  reach()
  await expect.poll(() => seats.counts.get('users')?.waiting).toBe(1)
  client.abort()
  await expect(sent).rejects.toThrow('abort')
  await expect.poll(() => waits).toBe(0)
  expect(seats.counts.get('users')?.waiting).toBe(0)
  finish()
  expect(await (await other).text()).toBe('held')
})

test('requests that wait in a class do not delay those of their caller in another class', async () => {
  const limits = { seats: 0, maxSeats: 0, rejects: false, maxWaiting: 9 }
  admission.configure({
    classes: new Map([...DEFAULT_CLASSES, ['users', limits]]),
    flowOf: ({ request, key }) =>
      request.path === '/jobs' ? { schema: 'jobs', requestClass: 'systems', key } : null,
  })
  const waiting = send('10.0.0.3')
  await expect.poll(() => seats.counts.get('users')?.waiting).toBe(1)
  expect((await send('10.0.0.3', '/jobs')).status).toBe(200)
  admission.configure(null)
  expect((await waiting).status).toBe(200)
})

/** Puts the requests of one user into a class that rejects requests beyond its seats. */
function jailNoxu(maxSeats: number): void {
  const limits = { seats: maxSeats, maxSeats, rejects: true, maxWaiting: 0 }
  admission.configure({
    classes: new Map([...DEFAULT_CLASSES, ['jail', limits]]),
    flowOf: ({ caller, key }) => {
      if (caller?.user !== 'noxu') return null
      return { schema: 'jail', requestClass: 'jail', key }
    },
  })
}

test('a request that acts as another user moves to the class of that user', async () => {
  jailNoxu(0)
  const before = seats.counts.get('jail')?.rejected
  expect((await send('10.0.0.4', '/as/noxu')).status).toBe(429)
  expect(seats.counts.get('jail')?.rejected).toBe((before ?? 0) + 1)
  expect((await send('10.0.0.4', '/as/foo')).status).toBe(200)
  await expect.poll(() => seats.counts.get('users')?.seats).toBe(0)
  admission.configure(null)
  expect((await send('10.0.0.4', '/as/noxu')).status).toBe(200)
})

test('a request keeps no seat if its client has left before it acts as another user', async () => {
  jailNoxu(64)
  const client = new AbortController()
  const reached = new Promise<void>((resolve) => {
    onHeld = resolve
  })
  const moved = new Promise<void>((resolve) => {
    finish = resolve
  })
  const headers = { 'X-Address': '10.0.0.5' }
  const sent = fetch(`${server.url}/left/noxu`, { headers, signal: client.signal })
  await reached
  client.abort()
  await expect(sent).rejects.toThrow('abort')
  await moved
  expect(seats.counts.get('jail')?.seats).toBe(0)
  admission.configure(null)
})
