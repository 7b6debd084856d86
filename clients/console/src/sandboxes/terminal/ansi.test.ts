import { expect, it } from 'vitest'
import { parseAnsi } from './ansi.ts'

const ESC = '\u001B'
const textOf = (output: string) =>
  parseAnsi(output)
    .map(({ text }) => text)
    .join('')

it('splits output by its colours', () => {
  expect(parseAnsi(`a${ESC}[1;31mb${ESC}[0mc`)).toEqual([
    { text: 'a', color: null, isBold: false },
    { text: 'b', color: 1, isBold: true },
    { text: 'c', color: null, isBold: false },
  ])
})

it('removes cursor movements, titles and control characters', () => {
  expect(textOf(`${ESC}[2J${ESC}]0;title\u0007a\u0000b\r\n${ESC}[?25lc`)).toBe('ab\nc')
})

it('skips the parameters of extended colours', () => {
  expect(parseAnsi(`${ESC}[38;5;31mx`)).toEqual([{ text: 'x', color: null, isBold: false }])
  expect(parseAnsi(`${ESC}[38;2;31;32;33mx`)[0]?.color).toBeNull()
})

it('keeps text that looks like markup', () => {
  expect(textOf('<script>alert(1)</script>')).toBe('<script>alert(1)</script>')
})
