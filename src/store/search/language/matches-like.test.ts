import { expect, it } from 'vitest'
import { matchesLike } from './matches-like.ts'

it.each([
  ['', '', true],
  ['', '%', true],
  ['', '_', false],
  ['abc', 'a%', true],
  ['abc', '%c', true],
  ['abc', 'a%b', false],
  ['abcbc', '%bc', true],
  ['aXbXc', 'a%b%c', true],
  ['abc', '_b_', true],
  ['🎉', '_', true],
  ['🎉', '__', false],
  ['100%', String.raw`100\%`, true],
  ['1000', String.raw`100\%`, false],
  [String.raw`a\b`, String.raw`a\\b`, true],
  ['ab', String.raw`\a\b`, true],
  ['a\nb', 'a_b', true],
])('matches %j with %j: %s', (text, pattern, expected) => {
  expect(matchesLike(text, pattern)).toBe(expected)
})

it('tries each wildcard once for each character, not each combination', () => {
  expect(matchesLike('a'.repeat(5000), `${'%a'.repeat(60)}b`)).toBe(false)
})
