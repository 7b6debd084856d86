import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NoSeat, type Seat } from './seated-request.ts'
import { DEFAULT_CLASSES, Seats } from './seats.ts'

const ignored = { now: () => 0, wasBusy: () => false }
let now = 0
let isBusy = false
let seats = new Seats(ignored)
let started: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  now = 0
  started = []
  isBusy = false
  seats = new Seats({ now: () => now, wasBusy: () => isBusy })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Takes seats; the name is in `started` when the request may start. */
function take(key: string, requestClass = 'users', bytes = 0): Seat {
  const { seat, ready } = seats.take({ key, requestClass, bytes })
  if (ready === null) started.push(key)
  else
    ready.then(
      () => started.push(key),
      (error) => started.push(error instanceof NoSeat ? `${key} rejected` : String(error)),
    )
  return seat
}

/** Makes the requests of a caller cost this. */
function learn(key: string, milliseconds: number): void {
  const { seat } = seats.take({ key, requestClass: 'users', bytes: 0 })
  seat.pay(milliseconds)
  seat.release()
}

async function pass(milliseconds: number): Promise<void> {
  now += milliseconds
  await vi.advanceTimersByTimeAsync(milliseconds)
}

test('64 cheap requests of a caller run together, and others beside them', () => {
  learn('a', 0.5)
  for (let count = 0; count < 70; count += 1) take('a')
  expect(started).toHaveLength(64)
  take('b')
  expect(started.at(-1)).toBe('b')
  expect(seats.counts.get('users')).toEqual({
    limits: DEFAULT_CLASSES.get('users'),
    seats: 64 + 16,
    waiting: 6,
    resting: 0,
    rejected: 0,
    waitedMs: 0,
  })
})

test('expensive requests of a caller run one after the other', async () => {
  learn('bomber', 300)
  const first = take('bomber')
  take('bomber')
  take('bomber')
  expect(started).toEqual(['bomber'])
  first.release()
  await pass(0)
  expect(started).toEqual(['bomber', 'bomber'])
})

test('only four requests of an unknown caller run together', () => {
  for (let count = 0; count < 32; count += 1) take('new')
  expect(started).toHaveLength(4)
})

test('requests that only wait do not keep others of their caller from starting', async () => {
  for (let count = 0; count < 40; count += 1) take('new')
  learn('bomber', 300)
  take('bomber')
  take('bomber')
  started = []
  for (let step = 0; step < 2; step += 1) await pass(100)
  expect(started).toEqual([])
  await pass(100)
  expect(started).toHaveLength(36 + 1)
})

test('requests keep their seats while the thread works for them, or for others', async () => {
  learn('bomber', 300)
  const seat = take('bomber')
  take('bomber')
  for (let step = 0; step < 10; step += 1) {
    seat.pay(1)
    await pass(100)
  }
  isBusy = true
  for (let step = 0; step < 10; step += 1) await pass(100)
  expect(started).toEqual(['bomber'])
  isBusy = false
  for (let step = 0; step < 3; step += 1) await pass(100)
  expect(started).toEqual(['bomber', 'bomber'])
})

test('an expensive request of a client that has disconnected keeps its seats while it computes', async () => {
  learn('bomber', 300)
  const seat = take('bomber')
  seat.abandon()
  take('bomber')
  seat.pay(1)
  await pass(100)
  expect(started).toEqual(['bomber'])
  for (let step = 0; step < 3; step += 1) await pass(100)
  expect(started).toEqual(['bomber', 'bomber'])
  learn('a', 1)
  const cheap = take('a')
  cheap.abandon()
  expect(seats.counts.get('users')?.seats).toBe(64)
})

test('many cheap requests do not keep an expensive one from starting', () => {
  for (const key of ['a', 'b']) {
    learn(key, 0.5)
    for (let count = 0; count < 64; count += 1) take(key)
  }
  learn('bomber', 300)
  learn('second', 300)
  started = []
  take('bomber')
  take('second')
  expect(started).toEqual(['bomber'])
})

test('callers that use the thread for long give way to others in flight', async () => {
  learn('bomber', 300)
  learn('second', 250)
  const bomb = take('bomber')
  const other = take('second')
  expect([bomb.givesWay, other.givesWay]).toEqual([false, false])
  const cheap = take('cheap')
  expect([bomb.givesWay, other.givesWay, cheap.givesWay]).toEqual([true, true, false])
  now += 1000
  expect(bomb.givesWay).toBe(false)
  const next = take('cheap')
  expect(bomb.givesWay).toBe(true)
  next.release()
  expect(bomb.givesWay).toBe(false)
})

test('the size of a body takes seats', () => {
  learn('a', 1)
  for (let count = 0; count < 10; count += 1) take('a', 'users', 1024 * 1024)
  expect(started).toHaveLength(4)
})

test('of those that wait, the caller with the least debt starts first', async () => {
  for (const key of ['a', 'b', 'c', 'd']) learn(key, 0.5)
  learn('rich', 1)
  for (let count = 0; count < 20; count += 1) learn('poor', 1)
  const held = ['a', 'b'].flatMap((key) => Array.from({ length: 64 }, () => take(key)))
  started = []
  take('poor')
  take('rich')
  take('rich')
  expect(started).toEqual([])
  for (const seat of held.slice(0, 2)) seat.release()
  await pass(0)
  expect(started).toEqual(['rich', 'rich'])
})

test('every class has seats that others cannot take', () => {
  for (const key of ['a', 'b']) {
    learn(key, 0.5)
    for (let count = 0; count < 64; count += 1) take(key)
  }
  started = []
  take('c')
  expect(started).toEqual([])
  take('sentinel', 'systems')
  take('tenant', 'tenants')
  expect(started).toEqual(['sentinel', 'tenant'])
})

const LIMITS = { seats: 5, maxSeats: 5, rejects: true, maxWaiting: 0 }

test('a class that rejects has no more than its seats, and others have theirs', async () => {
  seats.configure(new Map([...DEFAULT_CLASSES, ['jobs', LIMITS]]))
  // A new caller takes 16 seats, so the first request has all of the class.
  const first = take('a', 'jobs')
  take('b', 'jobs')
  take('a', 'users')
  await pass(0)
  expect(started).toEqual(['a', 'a', 'b rejected'])
  first.release()
  take('b', 'jobs')
  expect(started.at(-1)).toBe('b')
  expect(seats.counts.get('jobs')).toMatchObject({ waiting: 0, rejected: 1 })
})

test('a request of a class that rejects keeps its seats until its response ends', async () => {
  seats.configure(new Map([...DEFAULT_CLASSES, ['jobs', { ...LIMITS, maxSeats: Infinity }]]))
  learn('bomber', 300)
  const seat = take('bomber', 'jobs')
  learn('others', 300)
  for (let count = 0; count < 9; count += 1) take('others')
  isBusy = true
  for (let step = 0; step < 100; step += 1) await pass(100)
  isBusy = false
  for (let step = 0; step < 3; step += 1) await pass(100)
  expect(seats.counts.get('users')?.waiting).toBeGreaterThan(0)
  expect(seats.counts.get('jobs')?.seats).toBe(64)
  seat.abandon()
  for (let step = 0; step < 3; step += 1) await pass(100)
  expect(seats.counts.get('jobs')?.seats).toBe(0)
})

test('a class that lends no seats of others waits, and a class without seats does not start', async () => {
  const waits = { ...LIMITS, rejects: false, maxWaiting: 1 }
  const none = { ...waits, seats: 0, maxSeats: 0 }
  seats.configure(new Map([...DEFAULT_CLASSES, ['jobs', waits], ['jail', none]]))
  const first = take('a', 'jobs')
  take('b', 'jobs')
  take('b', 'jobs')
  take('c', 'jail')
  await pass(0)
  expect(started).toEqual(['a', 'b rejected'])
  first.release()
  await pass(0)
  expect(started).toEqual(['a', 'b rejected', 'b'])
  seats.configure(new Map([...DEFAULT_CLASSES, ['jail', waits]]))
  await pass(100)
  expect(started.at(-1)).toBe('c')
  expect([...seats.counts.keys()]).toEqual([...DEFAULT_CLASSES.keys(), 'jail'])
})

test('requests that wait in a removed class start, and do not block its successor', async () => {
  const jail = { ...LIMITS, seats: 0, maxSeats: 0, rejects: false, maxWaiting: 9 }
  seats.configure(new Map([...DEFAULT_CLASSES, ['jobs', jail]]))
  take('a', 'jobs')
  seats.configure(DEFAULT_CLASSES)
  seats.configure(new Map([...DEFAULT_CLASSES, ['jobs', { ...jail, seats: 20, maxSeats: 20 }]]))
  take('a', 'jobs')
  await pass(100)
  expect(started).toEqual(['a', 'a'])
})

test('requests of a caller that would wait for too long are rejected', async () => {
  learn('bomber', 300)
  for (let count = 0; count < 403; count += 1) take('bomber')
  await pass(0)
  expect(started).toEqual(['bomber', 'bomber rejected'])
  expect(seats.counts.get('users')).toMatchObject({ waiting: 401, rejected: 1 })
})

test('so are cheap requests, if very many wait', async () => {
  learn('a', 1)
  for (let count = 0; count < 64 + 2001; count += 1) take('a')
  await pass(0)
  expect(started).toHaveLength(64 + 1)
  expect(seats.counts.get('users')).toMatchObject({ waiting: 2000, rejected: 1 })
})

test('seats held for long are free, and requests that wait for long are rejected', async () => {
  isBusy = true
  learn('bomber', 300)
  for (let count = 0; count < 14; count += 1) take('bomber')
  await pass(9900)
  expect(started).toEqual(['bomber'])
  for (let step = 0; step < 2; step += 1) await pass(100)
  expect(started).toEqual(['bomber', 'bomber'])
  for (let step = 0; step < 1099; step += 1) await pass(100)
  expect(started).toEqual(Array.from({ length: 13 }, () => 'bomber'))
  await pass(100)
  expect(started.at(-1)).toBe('bomber rejected')
  expect(seats.counts.get('users')).toMatchObject({ seats: 64, waiting: 0, rejected: 1 })
  expect(seats.counts.get('users')?.waitedMs).toBeGreaterThanOrEqual(890_000)
})

test('requests that have had seats may wait for them again for long', async () => {
  isBusy = true
  learn('bomber', 3000)
  const resting = Array.from({ length: 14 }, () => take('bomber'))
  for (const seat of resting) {
    seat.rest()
    await pass(0)
  }
  const outcomes: string[] = []
  for (const seat of resting) {
    const ready = seat.resume() ?? Promise.resolve()
    ready.then(
      () => outcomes.push('resumed'),
      (error) => outcomes.push(String(error)),
    )
  }
  for (let step = 0; step < 1400; step += 1) await pass(100)
  expect(outcomes).toEqual(Array.from({ length: 14 }, () => 'resumed'))
})

test('a request that ends while it waits leaves the queue', async () => {
  learn('bomber', 300)
  const first = take('bomber')
  take('bomber').release()
  first.release()
  first.release()
  await pass(100)
  expect(started).toEqual(['bomber'])
  expect(seats.counts.get('users')).toMatchObject({ seats: 0, waiting: 0, rejected: 0 })
})

test('requests that rest have no seats, and continue before those that have not started', async () => {
  learn('bomber', 300)
  const [first, second] = [take('bomber'), take('bomber')]
  take('bomber')
  first.rest()
  await pass(0)
  second.rest()
  await pass(0)
  expect(started).toEqual(['bomber', 'bomber', 'bomber'])
  expect(seats.counts.get('users')).toMatchObject({ seats: 64, waiting: 0, resting: 2 })
  take('bomber')
  const resumed: string[] = []
  for (const [name, seat] of Object.entries({ second, first })) {
    void seat.resume()?.then(() => resumed.push(name))
  }
  expect(seats.counts.get('users')).toMatchObject({ waiting: 3, resting: 0 })
  for (let step = 0; step < 3; step += 1) await pass(100)
  expect(resumed).toEqual(['second'])
  second.release()
  await pass(0)
  expect(resumed).toEqual(['second', 'first'])
  first.release()
  await pass(0)
  expect(started).toEqual(['bomber', 'bomber', 'bomber', 'bomber'])
})

test('a request that finds free seats continues without a promise', () => {
  learn('bomber', 300)
  const seat = take('bomber')
  seat.rest()
  expect(seat.resume()).toBeNull()
  expect(seat.resume()).toBeNull()
  expect(seats.counts.get('users')).toMatchObject({ seats: 64, resting: 0 })
  seat.rest()
  seat.abandon()
  expect(seat.resume()).toBeNull()
  expect(seats.counts.get('users')).toMatchObject({ seats: 0, waiting: 0, resting: 0 })
})

test('no more requests of a queue rest than wait, and none of a class that rejects', () => {
  const limits = { seats: 24, maxSeats: Infinity, rejects: false, maxWaiting: 3 }
  seats.configure(new Map([...DEFAULT_CLASSES, ['users', limits], ['jobs', LIMITS]]))
  learn('a', 1)
  for (let count = 0; count < 5; count += 1) take('a').rest()
  expect(seats.counts.get('users')).toMatchObject({ seats: 2, resting: 3 })
  take('b').rest()
  expect(seats.counts.get('users')).toMatchObject({ seats: 2, resting: 4 })
  take('c', 'jobs').rest()
  expect(seats.counts.get('jobs')).toMatchObject({ seats: 16, resting: 0 })
})

test('a request that ends while it waits to continue continues without seats', async () => {
  learn('bomber', 300)
  const seat = take('bomber')
  seat.rest()
  take('bomber')
  let hasContinued = false
  void seat.resume()?.then(() => (hasContinued = true))
  await pass(0)
  expect(hasContinued).toBe(false)
  seat.abandon()
  await pass(0)
  expect(hasContinued).toBe(true)
  expect(seats.counts.get('users')).toMatchObject({ seats: 64, waiting: 0, resting: 0 })
})

test('an expensive request whose client has left ends when it rests', async () => {
  learn('bomber', 300)
  const seat = take('bomber')
  seat.abandon()
  take('bomber')
  seat.rest()
  await pass(0)
  expect(started).toEqual(['bomber', 'bomber'])
  expect(seats.counts.get('users')).toMatchObject({ seats: 64, resting: 0 })
})
