import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type AuditEvent, gapOf } from './audit-event.ts'
import { AuditLog } from './audit-log.ts'

const BAD = new Error('bad value')
const WRITE = { mayBeDropped: false }
const REJECTED = { mayBeDropped: true }
const MEBIBYTE = 1_048_576

function event(id: string, bytes = 0): AuditEvent {
  return { ...gapOf(0, { time: new Date(0), id }), outcome: 'succeeded', bytes }
}

/** A log whose writes wait while it is held, and fail for the event `bad`. */
function heldLog(options: { readonly capacity: number; readonly whenFull: 'drop' | 'block' }) {
  const stored: AuditEvent[] = []
  const lost: string[] = []
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const log = new AuditLog({
    ...options,
    write: async (events) => {
      await held
      if (events.some(({ id }) => id === 'bad')) throw BAD
      stored.push(...events)
    },
    isPermanent: (error) => error === BAD,
    onError: () => undefined,
    onLost: (count, since) => lost.push(`${count} since ${since.toISOString()}`),
  })
  return { log, stored, lost, release }
}

test('writes all events before it is closed', async () => {
  const { log, stored, release } = heldLog({ capacity: 10, whenFull: 'drop' })
  release()
  for (const id of ['a', 'b', 'c']) log.record(event(id), WRITE)
  await log[Symbol.asyncDispose]()
  expect(stored.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(log.written).toBe(3)
})

// The real timeouts of the log are five and ten seconds, which pass together.
test.concurrent('a full queue that blocks rejects requests that have waited for ten seconds', async ({
  expect,
}) => {
  const { log, release } = heldLog({ capacity: 1, whenFull: 'block' })
  log.record(event('a'), WRITE)
  const waiting = Array.from({ length: 20 }, async () => log.admit())
  const results = await Promise.allSettled(waiting)
  for (const result of results) {
    expect(result).toMatchObject({ status: 'rejected', reason: { reason: 'unavailable' } })
  }
  release()
  await log[Symbol.asyncDispose]()
})

test.concurrent('reports the events that a stop cannot write, and those that follow it', async ({
  expect,
}) => {
  const { log, stored, lost, release } = heldLog({ capacity: 2, whenFull: 'drop' })
  for (const id of ['a', 'b', 'c']) log.record(event(id), WRITE)
  await log[Symbol.asyncDispose]()
  expect(lost).toEqual(['3 since 1970-01-01T00:00:00.000Z'])
  log.record(event('d'), WRITE)
  expect(lost).toEqual(['3 since 1970-01-01T00:00:00.000Z', '1 since 1970-01-01T00:00:00.000Z'])
  expect(log.dropped).toBe(4)
  // The statement that was running when the server stopped can still succeed.
  release()
  await expect.poll(() => stored.length).toBe(2)
})

test('a stop that writes the queue reports no lost events', async () => {
  const { log, lost, release } = heldLog({ capacity: 10, whenFull: 'drop' })
  log.record(event('a'), WRITE)
  release()
  await log[Symbol.asyncDispose]()
  expect(lost).toEqual([])
  expect(log).toMatchObject({ written: 1, dropped: 0 })
})

test('a full queue drops events and records the gap', async () => {
  const { log, stored, release } = heldLog({ capacity: 2, whenFull: 'drop' })
  for (const id of ['a', 'b', 'c', 'd']) log.record(event(id), WRITE)
  expect(log.admit()).toBeNull()
  release()
  await expect.poll(() => stored.length).toBe(3)
  log.record(event('e'), WRITE)
  await log[Symbol.asyncDispose]()
  expect(stored.map(({ id, outcome, dropped }) => [id, outcome, dropped])).toEqual([
    ['a', 'succeeded', 0],
    ['b', 'succeeded', 0],
    ['c', 'lost', 2],
    ['e', 'succeeded', 0],
  ])
  expect(log.dropped).toBe(2)
})

test('a full queue that blocks admits requests when it has room', async () => {
  const { log, stored, release } = heldLog({ capacity: 2, whenFull: 'block' })
  for (const id of ['a', 'b', 'c']) log.record(event(id), WRITE)
  let isAdmitted = false
  const admission = log.admit()?.then(() => {
    isAdmitted = true
  })
  expect(admission).toBeDefined()
  await sleep(5)
  expect(isAdmitted).toBe(false)
  release()
  await admission
  expect(stored).toHaveLength(3)
  await log[Symbol.asyncDispose]()
})

test('an event that cannot be stored does not hold up the others', async () => {
  const { log, stored, release } = heldLog({ capacity: 10, whenFull: 'drop' })
  release()
  for (const id of ['a', 'bad', 'b']) log.record(event(id), WRITE)
  await log[Symbol.asyncDispose]()
  expect(stored.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(log.dropped).toBe(1)
})

test('a full queue that blocks keeps the events of admitted requests, and no others', async () => {
  const { log, stored, release } = heldLog({ capacity: 2, whenFull: 'block' })
  for (const id of ['a', 'b', 'c']) log.record(event(id), WRITE)
  for (let count = 0; count < 100; count += 1) log.record(event('rejected'), REJECTED)
  expect(log.queued).toBe(3)
  release()
  await log[Symbol.asyncDispose]()
  expect(stored.map(({ outcome, dropped }) => [outcome, dropped])).toEqual([
    ['succeeded', 0],
    ['succeeded', 0],
    ['succeeded', 0],
    ['lost', 100],
  ])
})

test('events that may be dropped leave half of a queue that blocks to others', async () => {
  const { log, stored, release } = heldLog({ capacity: 10, whenFull: 'block' })
  for (let count = 0; count < 100; count += 1) log.record(event('rejected'), REJECTED)
  expect(log.queued).toBe(5)
  expect(log.admit()).toBeNull()
  log.record(event('write'), WRITE)
  release()
  await log[Symbol.asyncDispose]()
  expect(stored.filter(({ id }) => id === 'write')).toHaveLength(1)
  expect(log.dropped).toBe(95)
})

test('bodies fill the queue, and are written in several batches', async () => {
  const batches: number[] = []
  let fail = true
  const log = new AuditLog({
    capacity: 1000,
    whenFull: 'drop',
    write: async (events) => {
      batches.push(events.length)
      if (fail) throw new Error('timeout')
    },
    isPermanent: () => false,
    onError: () => {
      fail = false
    },
    onLost: () => undefined,
  })
  for (let count = 0; count < 70; count += 1) log.record(event('large', MEBIBYTE), WRITE)
  expect(log.queued).toBe(64)
  await log[Symbol.asyncDispose]()
  expect(log.dropped).toBe(6)
  // The second batch is smaller, because the first one failed. The size then grows again.
  expect(batches.slice(0, 4)).toEqual([8, 2, 4, 8])
  expect(log.written).toBe(65)
})

test('events that cannot be stored cost few statements, and mark a gap', async () => {
  const good = 1000
  const stored: AuditEvent[] = []
  let statements = 0
  const log = new AuditLog({
    capacity: 10_000,
    whenFull: 'drop',
    write: async (events) => {
      statements += 1
      if (events.some(({ path }) => path === 'bad')) throw BAD
      stored.push(...events)
    },
    isPermanent: (error) => error === BAD,
    onError: () => undefined,
    onLost: () => undefined,
  })
  for (let count = 0; count < good; count += 1) {
    log.record(event(`good-${count}`), WRITE)
    if (count % 20 === 0) log.record({ ...event(`bad-${count}`), path: 'bad' }, WRITE)
  }
  await log[Symbol.asyncDispose]()
  const bad = good / 20
  expect(stored.filter(({ id }) => id.startsWith('good-'))).toHaveLength(good)
  const gaps = stored.filter(({ outcome }) => outcome === 'lost')
  expect(gaps.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(bad)
  expect(log.dropped).toBe(bad)
  // The size of a batch is halved and doubled about nine times for each of them.
  expect(statements).toBeLessThan(18 * bad)
})
