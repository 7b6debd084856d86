import { expect, test, vi } from 'vitest'
import { fieldSetOf } from './field-set-builder.ts'
import { serializeFields } from './fields-v1.ts'

test('parses each element of a set once to order it', () => {
  const values = Array.from({ length: 1000 }, (_, index) => `v:"s${(index * 7) % 1000}"`)
  const set = fieldSetOf(...values.map((value) => [value]))
  const parse = vi.spyOn(JSON, 'parse')
  const names = Object.keys(serializeFields(set))
  expect(parse.mock.calls.length).toBeGreaterThan(0)
  expect(parse.mock.calls.length).toBeLessThanOrEqual(values.length)
  parse.mockRestore()
  expect(names).toEqual(values.toSorted())
})
