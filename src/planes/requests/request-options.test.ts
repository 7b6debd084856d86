import { expect, test } from 'vitest'
import { flagOf, requireTimeout } from './request-options.ts'

test('R16: every value of a flag except false and 0 sets it, as for the Python client', () => {
  const isSet = (text: string): boolean => flagOf(new URLSearchParams(text), 'watch')
  expect(['watch=true', 'watch=True', 'watch=1', 'watch=yes', 'watch'].map(isSet)).not.toContain(
    false,
  )
  expect(['', 'watch=false', 'watch=False', 'watch=0'].map(isSet)).not.toContain(true)
})

test.each(['', '0', '30s', '1m30s', '1.5h', '.5s', '1.s', '-1s'])(
  'the timeout "%s" is valid',
  (timeout) => {
    expect(() => requireTimeout(new URLSearchParams({ timeout }))).not.toThrow()
  },
)

test.each(['invalid', '30', '1.2.3s', 's'])('the timeout "%s" is 400', (timeout) => {
  expect(() => requireTimeout(new URLSearchParams({ timeout }))).toThrow('invalid timeout')
})

// It would take hours if the check tried every division of the digits.
test('a long timeout without a unit is 400', () => {
  const timeout = '1'.repeat(2 ** 22)
  expect(() => requireTimeout(new URLSearchParams({ timeout }))).toThrow('invalid timeout')
})
