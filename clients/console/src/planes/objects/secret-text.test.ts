import { expect, test } from 'vitest'
import { withBase64, withText } from './secret-text.ts'

/** The bytes ff fe are not UTF-8. */
const BINARY = '//4='
const SECRET = {
  kind: 'Secret',
  metadata: { name: 'tls' },
  data: { password: 'cMOkc3N3b3Jk', 'key.bin': BINARY, empty: '' },
}

test('values that are text are edited as text', () => {
  expect(withText(SECRET)).toEqual({
    kind: 'Secret',
    metadata: { name: 'tls' },
    data: { 'key.bin': BINARY },
    stringData: { password: 'pässword', empty: '' },
  })
})

test('an edit returns to the form of the server', () => {
  expect(withBase64(withText(SECRET))).toEqual(SECRET)
  const { stringData: _, ...binary } = withText(SECRET)
  expect(withBase64({ ...binary, stringData: { password: 'new' } })).toEqual({
    ...SECRET,
    data: { password: 'bmV3', 'key.bin': BINARY },
  })
})

test('a secret without data stays as it is', () => {
  expect(withText({ kind: 'Secret' })).toEqual({ kind: 'Secret' })
  expect(withBase64({ kind: 'Secret' })).toEqual({ kind: 'Secret' })
})
