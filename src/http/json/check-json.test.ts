import { describe, expect, test } from 'vitest'
import { jsonViolations, jsonViolationsInSteps } from './check-json.ts'

function fields(text: string): string[] {
  return jsonViolations(text).map((violation) => violation.field)
}

describe('jsonViolations', () => {
  test('accepts an ordinary body', () => {
    const body = { name: 'a', spec: { n: [1, -2.5, 1e21, 0, 0.1], s: 'é😀\n', deep: { a: [{}] } } }
    expect(jsonViolations(JSON.stringify(body))).toEqual([])
  })

  test.each([
    '1e999',
    '-1e309',
    '1'.repeat(400),
    '1e-400',
    '0.0000001e-330',
    `0.${'0'.repeat(400)}1`,
  ])('rejects the number %s', (literal) =>
    expect(fields(`{"spec":{"a":[0,${literal}]}}`)).toEqual(['spec.a[1]']),
  )

  test.each(['', ' ', '\t', '\n', '\r\n'])('finds numbers after the whitespace %j', (space) => {
    expect(fields(`{"a":${space}1e999}`)).toEqual(['a'])
    expect(fields(`{"a":[${space}1e999]}`)).toEqual(['a[0]'])
    expect(fields(`{"a":[0,${space}-12345678901234567890]}`)).toEqual(['a[1]'])
  })

  test.each(['9007199254740993', '-9007199254740993', '12345678901234567890'])(
    'rejects the integer %s, which a double cannot hold',
    (literal) => expect(fields(`{"spec":${literal}}`)).toEqual(['spec']),
  )

  test.each([
    '9007199254740992',
    '100000000000000000000',
    '0e999',
    '0.0',
    '-0',
    '5e-324',
    '1.7976931348623157e308',
    '0.1234567890123456789',
    '12345678901234567890.5',
    '1E2',
  ])('accepts the number %s', (literal) => {
    expect(jsonViolations(`{"spec":${literal}}`)).toEqual([])
  })

  test.each(['\\u0000', 'a\\ud800', '\\udc00\\ud800', '\\uD800x'])(
    'rejects the string "%s"',
    (piece) => {
      expect(fields(`{"a":{"b":"${piece}"}}`)).toEqual(['a.b'])
    },
  )

  test('rejects such a key once and names it in the paths below it', () => {
    expect(jsonViolations('{"labels":{"a\\u0000":"x"}}')).toEqual([
      {
        field: 'labels.a\0',
        message: 'labels.a\0 is a key with a NUL character',
        constraint: 'no-nul',
      },
    ])
  })

  test.each(['\\u00e9', '\\ud83d\\ude00', '\\\\u0000', '1e999', '12345678901234567890'])(
    'accepts the string "%s"',
    (piece) => expect(jsonViolations(`{"a":"${piece}","${piece}":1}`)).toEqual([]),
  )

  test('lists all violations with their paths', () => {
    const text = '{"a":[{"b":1e999},[],{"c":[1,2,"\\u0000"]}],"d":{},"e":9007199254740993}'
    expect(fields(text)).toEqual(['a[0].b', 'a[2].c[2]', 'e'])
  })

  test('accepts 100 levels and reports each value at level 101 once', () => {
    const nested = (levels: number): string => '['.repeat(levels - 1) + ']'.repeat(levels - 1)
    expect(fields(`{"a":${nested(100)}}`)).toEqual([])
    expect(fields(`{"a":${nested(101)},"b":1e999,"c":${nested(150)}}`)).toEqual([
      `a${'[0]'.repeat(99)}`,
      'b',
      `c${'[0]'.repeat(99)}`,
    ])
  })

  test('counts nesting, not brackets', () => {
    expect(
      jsonViolations(
        JSON.stringify({ a: Array.from({ length: 500 }, () => ({})), b: '[{'.repeat(99) }),
      ),
    ).toEqual([])
  })

  test('handles half a megabyte of nesting', () => {
    const text = `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`
    JSON.parse(text)
    expect(jsonViolations(text)).toHaveLength(1)
  })

  // Quadratic time would exceed the timeout of a test.
  test('handles a megabyte of the worst input', () => {
    for (const item of ['1e999', '"\\u0000"', '{"a":12345678901234567890}', '"\\\\"', '[]']) {
      const text = `{"a":[${Array(Math.floor(1_000_000 / (item.length + 1)))
        .fill(item)
        .join(',')}]}`
      expect(jsonViolations(text).length).toBeLessThanOrEqual(100)
    }
  })
})

test.each([
  ['tokens', JSON.stringify({ a: Array.from({ length: 100_000 }, () => '\u0001') }), 40],
  ['characters', JSON.stringify({ a: 'x'.repeat(4_000_000) }), 3],
])('checks a long text of many %s in steps', (_name, text, steps) => {
  expect([...jsonViolationsInSteps(text)].length).toBeGreaterThanOrEqual(steps)
})
