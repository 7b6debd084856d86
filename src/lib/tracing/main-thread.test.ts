import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { stopPerformanceClock } from '../../../test/support/stop-performance-clock.ts'
import { must } from '../assert.ts'
import {
  chargeWork,
  currentWork,
  observeMainThread,
  turnOf,
  type Work,
  workFor,
  yieldMainThread,
  yieldToRequests,
} from './main-thread.ts'

const [A, B]: readonly [Work, Work] = [{ name: 'A' }, { name: 'B' }]
const slices: (Work | null)[] = []
observeMainThread({ onSlice: (_milliseconds, work) => slices.push(work) })

stopPerformanceClock()

test('ends a slice at the next work, and when other events can be handled', async () => {
  slices.length = 0
  workFor(A)
  workFor(B)
  expect(slices).toEqual([A])
  await setImmediate()
  expect(slices).toEqual([A, B])
  expect(currentWork()).toBeNull()
})

test('continues the work of a step that lets other events be handled', async () => {
  await setImmediate()
  slices.length = 0
  workFor(A)
  const step = yieldMainThread().then(() => currentWork())
  workFor(B)
  expect(await step).toBe(A)
  await setImmediate()
  expect(slices).toEqual([A, B, A])
})

test('of the work that waits in a long turn, the one with the least debt continues first', async () => {
  const order: string[] = []
  const started = Object.entries({ much: 300, little: 1, none: 0 }).map(async ([name, debt]) => {
    const work = { name }
    chargeWork(work, { debt, givesWay: false, pay: () => undefined })
    workFor(work)
    vi.advanceTimersByTime(11)
    await turnOf(work)
    order.push(name)
  })
  globalThis.setImmediate(() => order.push('other events'))
  await Promise.all(started)
  expect(order).toEqual(['none', 'other events', 'little', 'much'])
})

test('work in a short turn, and work without a payer, does not wait', async () => {
  await setImmediate()
  chargeWork(A, { debt: 1, givesWay: false, pay: () => undefined })
  workFor(A)
  expect(turnOf(A)).toBeNull()
  vi.advanceTimersByTime(11)
  expect(turnOf(B)).toBeNull()
  expect(turnOf(null)).toBeNull()
  expect(turnOf(A)).not.toBeNull()
})

test('work in the background continues after that of requests, one part per turn', async () => {
  await setImmediate()
  const order: string[] = []
  chargeWork(A, { debt: 1000, givesWay: false, pay: () => undefined })
  workFor(A)
  vi.advanceTimersByTime(11)
  let turn = 0
  const countTurn = (): void => {
    turn += 1
    if (order.length < 3) globalThis.setImmediate(countTurn)
  }
  const turns: number[] = []
  const parts = ['first part', 'second part'].map(async (part) => {
    await yieldToRequests()
    order.push(part)
    turns.push(turn)
  })
  const request = must(turnOf(A), 'a turn').then(() => order.push('request'))
  globalThis.setImmediate(countTurn)
  await Promise.all([...parts, request])
  expect(order).toEqual(['request', 'first part', 'second part'])
  expect(turns[0]).toBeGreaterThan(0)
  expect(turns[1]).toBeGreaterThan(turns[0] ?? 0)
})

test('work in the background of a short turn does not wait', async () => {
  await setImmediate()
  workFor(A)
  vi.advanceTimersByTime(1)
  const order: string[] = []
  const part = yieldToRequests().then(() => order.push('part'))
  globalThis.setImmediate(() => order.push('other events'))
  await part
  expect(order).toEqual(['part'])
  expect(currentWork()).not.toBeNull()
})

test('a slice is paid for', async () => {
  await setImmediate()
  let paid = 0
  chargeWork(A, { debt: 0, givesWay: false, pay: (milliseconds) => (paid += milliseconds) })
  workFor(A)
  vi.advanceTimersByTime(2)
  await setImmediate()
  expect(paid).toBe(2)
})

test('work that gives way continues when it no longer does, or has waited for long enough', async () => {
  await setImmediate()
  const payer = { debt: 1, givesWay: true, pay: () => undefined }
  chargeWork(A, payer)
  const order: string[] = []
  const turn = must(turnOf(A), 'a turn').then(() => order.push('turn'))
  await setImmediate()
  await setImmediate()
  order.push('other events')
  payer.givesWay = false
  await turn
  expect(order).toEqual(['other events', 'turn'])
  payer.givesWay = true
  const late = turnOf(A)
  vi.advanceTimersByTime(50)
  await late
})
