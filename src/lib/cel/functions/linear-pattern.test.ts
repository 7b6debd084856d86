import { describe, expect, it } from 'vitest'
import { compileLinearPattern, PatternError } from './linear-pattern.ts'

describe('compileLinearPattern', () => {
  it('R36: matches any part of a text, as Go does', () => {
    const pattern = compileLinearPattern('b+')
    expect(pattern.test('abc')).toBe(true)
    expect(pattern.test('ac')).toBe(false)
  })

  it('R36: matches a pattern that backtracking engines take exponential time for', () => {
    expect(compileLinearPattern('^(a+)+$').test(`${'a'.repeat(50_000)}b`)).toBe(false)
  })

  it('R36: rejects backreferences, lookarounds, and patterns that are too long or too large', () => {
    for (const pattern of ['(a)\\1', '(?<=a)b', '(', 'a'.repeat(20_000), '(a{1000}){9}']) {
      expect(() => compileLinearPattern(pattern)).toThrow(PatternError)
    }
  })

  it('R36: estimates steps from the sizes of pattern and text', () => {
    const small = compileLinearPattern('a')
    const large = compileLinearPattern('(a|b)*a(a|b){900}')
    expect(large.stepsFor(1000)).toBeGreaterThan(100 * small.stepsFor(1000))
    expect(small.stepsFor(1000)).toBeGreaterThanOrEqual(1000)
  })

  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP'
  it.each([
    '\\pL{9}',
    '\\P{Greek}{9}',
    `[${letters}]{9}`,
    `[\\]${letters}]{9}`,
    `[^]${letters}]{9}`,
    `[[:digit:]${letters}]{9}`,
  ])('R36: counts %s twice, because its classes have many ranges', (pattern) => {
    const steps = compileLinearPattern('[a-z]{9}').stepsFor(1000)
    expect(compileLinearPattern(pattern).stepsFor(1000)).toBe(2 * steps)
  })
})
