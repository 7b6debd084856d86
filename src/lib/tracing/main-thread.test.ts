import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  currentWork,
  observeMainThread,
  type Work,
  workFor,
  yieldMainThread,
} from './main-thread.ts'

const [A, B]: readonly [Work, Work] = [{ name: 'A' }, { name: 'B' }]
const slices: (Work | null)[] = []
observeMainThread({ onSlice: (_milliseconds, work) => slices.push(work) })

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
