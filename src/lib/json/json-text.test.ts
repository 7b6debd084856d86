import { describe, expect, test } from 'vitest'
import type { JsonValue } from './json.ts'
import { exactInteger, jsonText, jsonTextInSteps, parseJsonText } from './json-text.ts'
import { allSteps } from '../async/steps.ts'

test.each([
  ['9223372036854775807', 9_223_372_036_854_775_807n],
  ['-9223372036854775808', -(2 ** 63)],
  ['[9007199254740993,1]', [9_007_199_254_740_993n, 1]],
  [
    '{"a":{"b":-9007199254740993},"c":"9007199254740993"}',
    { a: { b: -9_007_199_254_740_993n }, c: '9007199254740993' },
  ],
])('keeps every digit of %s', (text, value: JsonValue) => {
  expect(parseJsonText(text)).toEqual(value)
})

test.each([
  '9007199254740992',
  '1e300',
  '9007199254740993.5',
  '"90071992547409931"',
  '{"9007199254740993":1}',
])('parses %s as JSON.parse does', (text) => {
  expect(parseJsonText(text)).toEqual(JSON.parse(text))
})

test('writes bigints as numbers, and everything else as JSON.stringify does', () => {
  const value = { a: [1, 'x"', null, { b: true }], '"': 1.5, undefined }
  expect(jsonText(value as unknown as JsonValue)).toBe(JSON.stringify(value))
  const text = '{"a":[1,"x\\"",null,{"b":true,"n":9007199254740993}],"\\"":1.5}'
  expect(jsonText(parseJsonText(text))).toBe(text)
})

test('omits undefined members beside bigints', () => {
  const value = { gone: undefined, n: 9_007_199_254_740_993n } as unknown as JsonValue
  expect(jsonText(value)).toBe('{"n":9007199254740993}')
})

test('throws on text that is not JSON', () => {
  expect(() => parseJsonText('[9007199254740993')).toThrow(SyntaxError)
})

describe('integers of doubles', () => {
  test.each([
    '9223372036854775808',
    '-9223372036854775808',
    '18446744073709551616',
    '36893488147419103232',
    '18014398509481988',
    '9007199254740992',
    '0.1234567890123456',
    '1e+21',
    '-0.5',
  ])('serializes %s unchanged', (literal) => {
    const text = `{"a":[${literal},"x",${literal}],"b":${literal}}`
    expect(jsonText(JSON.parse(text))).toBe(text)
  })

  test('does not change digits in strings and keys', () => {
    const value = { '9223372036854776000': '9223372036854776000 "18446744073709552000"' }
    expect(jsonText(value)).toBe(JSON.stringify(value))
  })
})

test.each([
  [5n, 5],
  [2n ** 53n + 1n, 2n ** 53n + 1n],
  [10n ** 400n, 10n ** 400n],
  [-(10n ** 400n), -(10n ** 400n)],
])('an integer stays a bigint unless a double holds it', (value, result) => {
  expect(exactInteger(value)).toBe(result)
})

test('serializes the items of an object in different steps', () => {
  const items = [1, 'a', { b: [null, 9_007_199_254_740_993n] }, -(2 ** 63), [], 1.5]
  const object = { kind: 'List', items, next: null, none: [] }
  expect(allSteps(jsonTextInSteps(object))).toBe(jsonText(object))
  expect([...jsonTextInSteps(object)].length).toBeGreaterThanOrEqual(items.length)
})
