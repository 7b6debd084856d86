import { expect, test } from 'vitest'
import { cursorContext } from './cursor-context.ts'

/** The context at the `|` of a text, as path, position and the word before the cursor. */
function contextOf(marked: string): string | null {
  const offset = marked.indexOf('|')
  const text = marked.replace('|', '')
  const context = cursorContext(text, offset)
  if (context === null) return null
  const { path, position, from } = context
  return `${path.join('/')} ${position} ${text.slice(from, offset)}`.trim()
}

test.each([
  ['|', 'key'],
  ['sp|', 'key sp'],
  ['spec:\n  re|', 'spec key re'],
  ['spec:\n  release:\n    version: 4\n  pl|', 'spec key pl'],
  ['spec:\n  mode: fa|', 'spec/mode value fa'],
  ['spec:\n  mode: |\n', 'spec/mode value'],
  ['spec:\n\n  # note\n  |', 'spec key'],
  ['a:\n  b: 1\nspec:\n  "x.y/z": t|', 'spec/x.y/z value t'],
  ['zones:\n  - name: a\n    si|', 'zones/0 key si'],
  ['zones:\n- name: a\n- name: b\n  si|', 'zones/1 key si'],
  ['zones:\n  - na|', 'zones/0 key na'],
  ['zones:\n  - x: 1\nspec:\n  |', 'spec key'],
  ['a:\n  - b:\n      - c: 1\n        d: x|', 'a/0/b/0/d value x'],
  ['a:\n  - - b: |', 'a/0/0/b value'],
])('finds the place in %j', (text, expected) => {
  expect(contextOf(text)).toBe(expected)
})

test.each(['# spec: |', 'a: [x, |', 'a: "x|', 'a: >\n  text: |'])(
  'finds no place in %j',
  (text) => {
    expect(contextOf(text)).toBeNull()
  },
)

test('leaves a block text behind', () => {
  expect(contextOf('a: >\n  text: x\nb:\n  c: |')).toBe('b/c value')
})
