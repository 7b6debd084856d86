import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalDecimal, compareDecimals } from './decimal.ts'

it.each([
  ['0', '0'],
  ['-0.000e5', '0'],
  ['+1', '1'],
  ['1.', '1'],
  ['007', '7'],
  ['1.50', '15e-1'],
  ['-150', '-15e1'],
  ['1E3', '1e3'],
  ['0.00120e+2', '12e-2'],
  ['1e400', '1e400'],
  ['-123e99999999999999999999', '-1e400'],
  ['0.001e-400', '1e-400'],
])('writes %s as %s', (text, canonical) => {
  expect(canonicalDecimal(text)).toBe(canonical)
  expect(canonicalDecimal(canonical)).toBe(canonical)
})

it.each([
  ['0.1', '0.1000000000000000055511151231257827'],
  ['9007199254740992', '9007199254740993'],
  ['-2', '-1.9'],
  ['-1e-400', '0'],
  ['0', '5e-324'],
  ['9', '10'],
  ['1.7976931348623157e308', '1e309'],
])('finds %s less than %s', (less, greater) => {
  expect(compareDecimals(less, greater)).toBeLessThan(0)
  expect(compareDecimals(greater, less)).toBeGreaterThan(0)
})

it('orders doubles by value, and writes equal ones the same', () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(double, double, (a, b) => {
      const order = Math.sign(compareDecimals(String(a), canonicalDecimal(String(b))))
      expect(order).toBe(Number(a > b) - Number(a < b))
      expect(Number(canonicalDecimal(String(a)))).toBe(a === 0 ? 0 : a)
    }),
    { numRuns: 2000 },
  )
})
