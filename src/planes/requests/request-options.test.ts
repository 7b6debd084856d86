import { expect, test } from 'vitest'
import { flagOf } from './request-options.ts'

test('R16: every value of a flag except false and 0 sets it, as for the Python client', () => {
  const isSet = (text: string): boolean => flagOf(new URLSearchParams(text), 'watch')
  expect(['watch=true', 'watch=True', 'watch=1', 'watch=yes', 'watch'].map(isSet)).not.toContain(
    false,
  )
  expect(['', 'watch=false', 'watch=False', 'watch=0'].map(isSet)).not.toContain(true)
})
