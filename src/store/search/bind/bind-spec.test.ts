import { describe, expect, it } from 'vitest'
import { bound, rejection } from '../fixtures.ts'

describe('the spec', () => {
  const specIn = (values: readonly string[], negated = false) => ({
    type: 'spec-in',
    path: ['a'],
    values,
    negated,
  })

  it.each([
    ["spec.a = 'x'", specIn(['"x"'])],
    ["spec.a = '10'", specIn(['"10"', '1e1'])],
    ["spec.a = '-0.25'", specIn(['"-0.25"', '-25e-2'])],
    ["spec.a != 'true'", specIn(['"true"', 'true'], true)],
    ['spec.a = 1.50', specIn(['15e-1', '"1.5"', '"1.50"'])],
    ['spec.a = 2k', specIn(['2e3', '"2000"', '"2k"'])],
    ['spec.a is TRUE', specIn(['true', '"true"'])],
    ['spec.a in (- 1, 1e0)', specIn(['-1', '"-1"', '1', '"1"', '"1e0"'])],
    ["spec.a not in (1, 'x')", specIn(['1', '"1"', '"x"'], true)],
    ["spec.a = 1 or spec.a = 'x'", specIn(['1', '"1"', '"x"'])],
    ["not spec.a != 'it''s \\'", specIn([String.raw`"it's \\"`])],
  ])('compares by type, or as text: %s', (text, predicate) => {
    expect(bound(text)).toEqual(predicate)
  })

  it.each(['10.0', '010', '1e1', '+1', '-0', ' 1', '1.', 'True', `1${'0'.repeat(500)}`])(
    'takes only the text that PostgreSQL writes for a number or boolean: %s',
    (text) => {
      expect(bound(`spec.a = '${text}'`)).toEqual(specIn([JSON.stringify(text)]))
    },
  )

  it('does not merge values of different paths', () => {
    expect(bound('spec.a.b = 1 or spec."a.b" = 1')).toMatchObject({ type: 'or' })
    expect(bound('spec.a in ()')).toEqual({ type: 'false' })
    expect(bound('spec.a not in ()')).toEqual({ type: 'true' })
  })

  it('compares number literals beyond the precision of doubles', () => {
    expect(bound('spec.a = 1e99999999')).toEqual(specIn(['1e400', '"1e99999999"']))
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
    ["spec.a between 'a' and 2", 'expected bounds of one type', '2'],
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
    ['created_time > true', 'expected a time or date'],
    ['deleted_time is true', 'expected a time or date'],
    ['status.conditions.Ready = true', "expected 'True', 'False' or 'Unknown'"],
    ['status.conditions.Ready.observed_generation = true', 'expected an integer without quotes'],
  ])('are not values of other fields: %s', (text, message) => {
    expect(rejection(text).message).toContain(message)
    expect(rejection(text).message).toMatch(/found (true|false)$/)
  })
})
