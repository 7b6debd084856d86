import { expect, it } from 'vitest'
import { appendText, EMPTY_LINES } from './line-buffer.ts'

it('continues the last line until its line feed', () => {
  const buffer = ['a', 'b\nc', '\n'].reduce(appendText, EMPTY_LINES)
  expect(buffer.lines).toEqual(['ab', 'c', ''])
})

it('keeps the newest lines and counts the others', () => {
  const buffer = appendText(EMPTY_LINES, 'x\n'.repeat(6000))
  expect(buffer.lines).toHaveLength(5000)
  expect(buffer.dropped).toBe(1001)
})
