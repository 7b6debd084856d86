import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proofSize } from '../../../test/support/proof-size.ts'
import { scanJson } from './scan-json.ts'

function offset(text: string): number | null {
  return scanJson(text, () => undefined)
}

function isValid(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('scanJson', () => {
  test.each([
    ['', 0],
    ['{', 1],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[}', 1],
    ['{"a":1]', 6],
    ['01', 1],
    ['1.', 1],
    ['-', 0],
    ['"\\x"', 1],
    ['"a\nb"', 2],
    ['"abc', 4],
    ['{} x', 3],
    ['nul', 0],
    ["{'a':1}", 1],
    ['\ufeff{}', 0],
  ])('reports the first invalid offset of %j', (text, at) => {
    expect(isValid(text)).toBe(false)
    expect(offset(text)).toBe(at)
  })

  test('visits every token with its offsets', () => {
    const tokens: string[] = []
    const text = ' {"k": [1.5e3, "s", true]} '
    expect(
      scanJson(text, (token, start, end) => tokens.push(`${token} ${text.slice(start, end)}`)),
    ).toBeNull()
    expect(tokens).toEqual([
      '{ {',
      'key "k"',
      ': :',
      '[ [',
      'number 1.5e3',
      ', ,',
      'string "s"',
      ', ,',
      'word true',
      '] ]',
      '} }',
    ])
  })

  test('accepts the same JSON as the engine', () => {
    fc.assert(fc.property(fc.json(), (text) => offset(text) === null))
  })

  test('rejects the same damaged JSON as the engine', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.string({ maxLength: 2, unit: fc.constantFrom(...'{}[]:,"\\0-.eE+ tu') }),
      )
      .map(
        ([text, at, cut, insert]) =>
          text.slice(0, at % text.length) + insert + text.slice((at % text.length) + cut),
      )
    fc.assert(
      fc.property(damaged, (text) => (offset(text) === null) === isValid(text)),
      { numRuns: proofSize(2000) },
    )
  })

  test.each(['[', '{"a":', '[['])('handles a megabyte of %j', (piece) => {
    const text = piece.repeat(1_048_576 / piece.length)
    expect(offset(text)).toBe(text.length)
  })

  test.each(['a', '\\n', '1'])('handles a string with a megabyte of %j', (piece) => {
    expect(offset(`"${piece.repeat(500_000)}"`)).toBeNull()
    expect(offset(`["${piece.repeat(500_000)}`)).toBe(2 + piece.length * 500_000)
  })

  test('handles a number with a megabyte of digits', () => {
    expect(offset('1'.repeat(1_048_576))).toBeNull()
  })
})
