import { expect, test } from 'vitest'
import { allSteps, KEYS_PER_STEP } from '../lib/async/steps.ts'
import { changedPaths } from './changed-paths.ts'

test('compares objects member by member, and lists as a whole', () => {
  const before = { kept: 1, size: 1, list: [1], nested: { 'a/b': 1 }, removed: true }
  const after = { kept: 1, size: 2, list: [1, 2], nested: { 'a/b': { c: 1 } }, added: null }
  expect(allSteps(changedPaths(before, after))).toEqual([
    { path: '/size', old: 1, new: 2 },
    { path: '/list', old: [1], new: [1, 2] },
    { path: '/nested/a~1b', old: 1, new: { c: 1 } },
    { path: '/removed', old: true, new: undefined },
    { path: '/added', old: undefined, new: null },
  ])
})

test('compares many members in several steps', () => {
  const count = 3 * KEYS_PER_STEP
  const objectOf = (value: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]))
  expect([...changedPaths(objectOf(1), objectOf(2))]).toHaveLength(3)
})
