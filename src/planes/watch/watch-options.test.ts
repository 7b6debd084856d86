import { expect, test } from 'vitest'
import { watchOptionsOf } from './watch-options.ts'

test('R17: without initial events, a watch begins at its revision, or now', () => {
  const fromOf = (text: string) => watchOptionsOf(new URLSearchParams(text)).from
  const onward = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan'
  expect(fromOf(onward)).toBe('now')
  expect(fromOf(`${onward}&resourceVersion=0`)).toBe('now')
  expect(fromOf(`${onward}&resourceVersion=7`)).toBe(7n)
  expect(fromOf('')).toBeNull()
  expect(fromOf('resourceVersion=0')).toBeNull()
  expect(fromOf('sendInitialEvents=true&resourceVersionMatch=NotOlderThan')).toBeNull()
})
