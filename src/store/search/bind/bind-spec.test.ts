import { describe, expect, it } from 'vitest'
import { bound, rejection } from '../fixtures.ts'

describe('the spec', () => {
  const specIn = (valueType: string, values: readonly string[]) => ({
    type: 'spec-in',
    path: ['a'],
    valueType,
    values,
    negated: false,
  })

  it.each([
    ["spec.a = 'x'", specIn('string', ['"x"'])],
    ['spec.a = 1.50', specIn('number', ['15e-1'])],
    ['spec.a is TRUE', specIn('boolean', ['true'])],
    ['spec.a in (- 1, 1e0, +1.000)', specIn('number', ['-1', '1'])],
    ['spec.a = true or spec.a = false', specIn('boolean', ['true', 'false'])],
    ["not spec.a != 'it''s \\'", specIn('string', [String.raw`"it's \\"`])],
  ])('compares by the type of the literal: %s', (text, predicate) => {
    expect(bound(text)).toEqual(predicate)
  })

  it('does not merge values of different types or paths', () => {
    expect(bound("spec.a = 1 or spec.a = '1'")).toMatchObject({ type: 'or' })
    expect(bound('spec.a.b = 1 or spec."a.b" = 1')).toMatchObject({ type: 'or' })
    expect(bound('spec.a in ()')).toEqual({ type: 'false' })
    expect(bound('spec.a not in ()')).toEqual({ type: 'true' })
  })

  it('compares number literals beyond the precision of doubles', () => {
    expect(bound('spec.a = 1e99999999')).toMatchObject({ values: ['1e400'] })
    expect(bound(`spec.a > -1${'0'.repeat(500)}`)).toMatchObject({ value: '-1e400' })
    expect(bound('spec.a > 1e-99999999')).toMatchObject({ value: '1e-400' })
    expect(bound('spec.a > -0.0e99999999')).toMatchObject({ value: '0' })
  })

  it.each([
    ['spec.a < true', 'expected quoted text or a number (true and false have no order)', 'true'],
    [
      'spec.a between false and true',
      'expected quoted text or a number (true and false have no order)',
      'false',
    ],
    ["spec.a in (1, 'x')", 'expected values of one type', "'x'"],
    ['spec.a not in (true, 2)', 'expected values of one type', '2'],
    ["spec.a between 'a' and 2", 'expected values of one type', '2'],
  ])('rejects %s', (text, message, piece) => {
    const error = rejection(text)
    expect(error.message).toContain(message)
    expect(error.causes[0]).toMatchObject({ value: piece, position: text.indexOf(piece) })
  })
})

describe('true and false', () => {
  it.each([
    ['name = true', 'expected quoted text or a number'],
    ['labels.true in (false)', 'expected quoted text or a number'],
    ['name between 1 and false', 'expected quoted text or a number'],
    ['generation is not true', 'expected an integer without quotes'],
    ['created_time > true', 'expected a time or date in quotes'],
    ['deleted_time is true', 'expected a time or date in quotes'],
    ['status.conditions.Ready = true', "expected 'True', 'False' or 'Unknown'"],
    ['status.conditions.Ready.observed_generation = true', 'expected an integer without quotes'],
  ])('are not values of other fields: %s', (text, message) => {
    expect(rejection(text).message).toContain(message)
    expect(rejection(text).message).toMatch(/found (true|false)$/)
  })
})
