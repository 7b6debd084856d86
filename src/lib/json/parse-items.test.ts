import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { allSteps } from '../async/steps.ts'
import { parseItemsInSteps } from './parse-items.ts'

const ALL = { minLength: 0, stepLength: 0 }

test.each([
  '{"items":[{"a":[1,2,{}]},"b,]\\"[",[],null,1.5 , true],"atomic":true}',
  '{"items":[],"empty":[ ],"one":[ [] ]}',
  '{"a":{"items":[1,2]},"b":"[1,2]","items":[3]}',
  '{"items":[1,2],"items":["last"],"__proto__":[1]}',
  ' { "items" : [ 1 , 2 ] } ',
  '{}',
])('parses %s like JSON.parse', (text) => {
  const parsed = allSteps(parseItemsInSteps(text, ALL))
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)))
})

test('parses any object like JSON.parse', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), fc.nat(9), (...any) => {
      const [object, indent, stepLength] = any
      const text = JSON.stringify(object, null, indent)
      const parsed = allSteps(parseItemsInSteps(text, { minLength: 0, stepLength }))
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

test.each([
  '',
  '[1,2]',
  '[[1],[2]]',
  '{"items":[1,]}',
  '{"items":[,1]}',
  '{"items":[ , 1]}',
  '{"items":[1,,2]}',
  '{"items":[1 2]}',
  '{"items":[[1}]}',
  '{"items":[{]]}',
  '{"items":[1]',
  '{"items":[1]}}',
  '{"items":["a]}',
])('leaves %s, which is no JSON object, to the parser', (text) => {
  expect(allSteps(parseItemsInSteps(text, ALL))).toBeNull()
})

test('leaves short texts to the parser', () => {
  expect(allSteps(parseItemsInSteps('{"items":[1]}'))).toBeNull()
})

test('parses at most one large item per step', () => {
  const items = Array.from({ length: 16 }, (_, index) => ({ text: String(index).repeat(50_000) }))
  const steps = [...parseItemsInSteps(JSON.stringify({ items }), ALL)]
  expect(steps.length).toBeGreaterThanOrEqual(8)
})

test('looks for the items of a long text in steps', () => {
  const text = JSON.stringify({ items: ['x'.repeat(4_000_000)] })
  expect([...parseItemsInSteps(text)].length).toBeGreaterThanOrEqual(4)
})

test.each([
  ['items', `{"items":[${'1,'.repeat(600_000)}1]}`],
  ['arrays', `{${'"a":[1],'.repeat(200_000)}"a":[]}`],
])('splits no text into many small %s, each of which takes memory', (_name, text) => {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    allSteps(parseItemsInSteps(text))
    expect(parse.mock.calls.length).toBeLessThanOrEqual(30)
  } finally {
    parse.mockRestore()
  }
})
