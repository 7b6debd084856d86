import { expect, test } from 'vitest'
import { LongestSlice } from './longest-slice.ts'

const WORK = { locals: { route: '/clusters/{cluster_id}' } }

test('keeps the longest slice of this interval and the previous one with its route', () => {
  const longest = new LongestSlice()
  expect(longest.read()).toEqual({ milliseconds: 0, route: 'other' })
  longest.add(20, WORK)
  longest.add(10, null)
  expect(longest.read()).toEqual({ milliseconds: 20, route: '/clusters/{cluster_id}' })
  longest.advance()
  longest.add(5, null)
  expect(longest.read()).toEqual({ milliseconds: 20, route: '/clusters/{cluster_id}' })
  longest.advance()
  expect(longest.read()).toEqual({ milliseconds: 5, route: 'other' })
})

test('names no route of work that has none', () => {
  const longest = new LongestSlice()
  longest.add(1, { locals: undefined })
  expect(longest.read()).toEqual({ milliseconds: 1, route: 'other' })
})
