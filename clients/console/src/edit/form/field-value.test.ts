import { expect, test } from 'vitest'
import { textOfValue, valueOfText } from './field-value.ts'

test.each([
  ['text', '4.10', '4.10'],
  ['text', '  ', undefined],
  ['number', '12', 12],
  ['number', '1.5', 1.5],
  ['number', 'many', 'many'],
  ['list', 'a, b,,c ', ['a', 'b', 'c']],
] as const)('reads %s %j', (type, text, value) => {
  expect(valueOfText(text, { type })).toEqual(value)
})

test.each([
  [undefined, ''],
  [12, '12'],
  ['x', 'x'],
  [['a', 'b'], 'a, b'],
  [true, 'true'],
])('shows %j', (value, text) => {
  expect(textOfValue(value)).toBe(text)
})
