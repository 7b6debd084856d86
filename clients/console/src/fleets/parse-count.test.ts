import { expect, it } from 'vitest'
import { parseCount } from './parse-count.ts'

it('accepts whole numbers, also with separators of thousands', () => {
  expect(parseCount('0').count).toBe(0)
  expect(parseCount(' 10 000 ').count).toBe(10_000)
  expect(parseCount('1,500').count).toBe(1500)
})

it('explains everything else', () => {
  for (const text of ['', '-1', 'ten', '1e3', '99999999', '1.5', '1,5']) {
    expect(parseCount(text)).toEqual({ count: null, problem: 'Enter a whole number, 0 or more.' })
  }
})
