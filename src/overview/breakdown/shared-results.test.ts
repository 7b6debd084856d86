import { expect, it } from 'vitest'
import { SharedResults } from './shared-results.ts'

function shared() {
  const state = { now: 0, computed: 0, duration: 0 }
  const results = new SharedResults<number>(() => state.now)
  const get = (key = 'a') =>
    results.get(key, async () => {
      state.computed += 1
      const value = state.computed
      await Promise.resolve()
      state.now += state.duration
      return value
    })
  return { state, get, results }
}

it('computes once for callers that ask together, and again after two seconds', async () => {
  const { state, get } = shared()
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1])
  state.now = 1999
  expect(await get()).toBe(1)
  state.now = 2001
  expect(await get()).toBe(2)
  expect(await get('b')).toBe(3)
})

it.each([
  [500, 10_000],
  [50_000, 60_000],
])('keeps a result of %i ms for %i ms', async (duration, age) => {
  const { state, get } = shared()
  state.duration = duration
  await get()
  state.now = duration + age - 1
  expect(await get()).toBe(1)
  state.now = duration + age
  expect(await get()).toBe(2)
})

it('forgets failures', async () => {
  const { get, results } = shared()
  const failed = results.get('a', () => Promise.reject(new Error('failed')))
  await expect(failed).rejects.toThrow('failed')
  expect(await get()).toBe(1)
})
