import { expect, it } from 'vitest'
import { compareText } from './compare-text.ts'

it('orders by code point, not by UTF-16 unit', () => {
  const emoji = '\u{1f680}'
  const privateUse = '\uf8ff'
  expect([emoji, privateUse, 'b', 'B', 'a', ''].toSorted(compareText)).toEqual([
    '',
    'B',
    'a',
    'b',
    privateUse,
    emoji,
  ])
})
