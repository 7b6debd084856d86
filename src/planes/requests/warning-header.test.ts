import { expect, test } from 'vitest'
import { warningSender } from './warning-header.ts'

test('R23: each warning is sent once, and all together are bounded', () => {
  const sent: string[] = []
  const warn = warningSender((header) => sent.push(header))
  warn('unknown field "a"')
  warn('unknown field "a"')
  warn('line\nbreak')
  expect(sent).toEqual([String.raw`299 - "unknown field \"a\""`, '299 - "line break"'])
  for (let index = 0; index < 1000; index += 1) warn(`${index} ${'x'.repeat(100)}`)
  expect(sent.join('').length).toBeLessThanOrEqual(4096)
})
