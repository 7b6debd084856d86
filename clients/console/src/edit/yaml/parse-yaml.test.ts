import { expect, test } from 'vitest'
import { parseYaml } from './parse-yaml.ts'
import { toYaml } from './to-yaml.ts'

function problemsOf(text: string): string[] {
  return parseYaml(text).problems.map(
    ({ message, from, to }) => `${message} [${text.slice(from, to)}]`,
  )
}

test('parses an object with anchors and comments', () => {
  expect(parseYaml('a: &x { n: 1 } # note\nb: *x\n').value).toEqual({ a: { n: 1 }, b: { n: 1 } })
})

test('reports a syntax error at its place and has no value', () => {
  const { value, problems } = parseYaml('spec:\n  a: [1, 2\nb: 3')
  expect(value).toBeNull()
  expect(problems[0]?.from).toBeGreaterThan(5)
})

test('reports duplicate keys', () => {
  expect(problemsOf('a: 1\na: 2')).toEqual([expect.stringContaining('unique')])
})

test.each(['', '- a', 'text', '42'])('rejects %j, which is not an object', (text) => {
  expect(problemsOf(text)[0]).toContain('must be an object')
})

test('rejects numbers that JSON cannot hold', () => {
  expect(problemsOf('a: .inf\nb: 9007199254740993\nc: 12')).toEqual([
    'JSON has no number .inf. [.inf]',
    'The number 9007199254740993 has too many digits to be exact. Write it in quotes, as text. [9007199254740993]',
  ])
})

test('rejects keys that are not text', () => {
  expect(problemsOf('? [a, b]\n: 1')).toEqual([expect.stringContaining('Keys must be text')])
})

test('rejects aliases that expand to a huge value', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 8; level += 1) {
    const items = Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')
    lines.push(`a${level}: &a${level} [${items}]`)
  }
  const { value, problems } = parseYaml(lines.join('\n'))
  expect(value).toBeNull()
  expect(problems).toHaveLength(1)
})

test('formats text that looks like a number in quotes, so that it stays text', () => {
  const value = { version: '4.10', on: 'yes', empty: '', when: null, long: 'word '.repeat(40) }
  expect(parseYaml(toYaml(value)).value).toEqual(value)
})
