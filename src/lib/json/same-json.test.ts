import { expect, test } from 'vitest'
import { isSameJson } from './same-json.ts'

test.each([
  [{ a: 1, b: [null, 'x'] }, { b: [null, 'x'], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [[1, 2], [2, 1], false],
  [{}, [], false],
  [null, {}, false],
  [{ toString: 1 }, { a: 1 }, false],
])('compares %j with %j', (first, second, same) => {
  expect(isSameJson(first, second)).toBe(same)
})
