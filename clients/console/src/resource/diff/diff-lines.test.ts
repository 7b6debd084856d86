import { expect, test } from 'vitest'
import { collapseLines } from './collapse-lines.ts'
import { diffLines } from './diff-lines.ts'

function diffOf(before: string, after: string): string[] {
  const signs = { same: ' ', removed: '-', added: '+' }
  return diffLines(before, after).map(({ type, text, oldLine, newLine }) =>
    [signs[type] + text, oldLine ?? '', newLine ?? ''].join('|'),
  )
}

test('shows a changed line as removed and added', () => {
  expect(diffOf('a\nb\nc\n', 'a\nB\nc\n')).toEqual([' a|1|1', '-b|2|', '+B||2', ' c|3|3'])
})

test('finds insertions, removals and moves with the fewest lines', () => {
  expect(diffOf('a\nb\nc\nd\n', 'b\nc\nx\nd\ne\n')).toEqual([
    '-a|1|',
    ' b|2|1',
    ' c|3|2',
    '+x||3',
    ' d|4|4',
    '+e||5',
  ])
})

test('compares with an empty text', () => {
  expect(diffOf('', 'a\n')).toEqual(['+a||1'])
  expect(diffOf('a\n', '')).toEqual(['-a|1|'])
  expect(diffOf('', '')).toEqual([])
})

test('compares texts of 5000 lines without an alignment of the changed part', () => {
  const before = Array.from({ length: 5000 }, (_, line) => `a${line}`).join('\n')
  const lines = diffLines(before, before.replaceAll('a', 'b'))
  expect(lines).toHaveLength(10_000)
})

test('hides unchanged lines away from changes', () => {
  const before = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
  const parts = collapseLines(diffLines(before, before.replace('line 10\n', 'changed\n')), 2)
  expect(parts.map(({ type, lines }) => `${type} ${lines.length}`)).toEqual([
    'hidden 8',
    'lines 6',
    'hidden 7',
  ])
})
