import { parseDocument } from 'yaml'
import { expect, test } from 'vitest'
import { fieldRange } from './field-range.ts'

const TEXT = `labels:
  app.kubernetes.io/name: web
  app: x
spec:
  ports:
    "8080": { open: maybe }
  zones: [a, b]
  pools:
    - name: one
    - name: two
  empty:
`

function textOf(field: string): string {
  const { from, to, isFound } = fieldRange(parseDocument(TEXT), field)
  return `${TEXT.slice(from, to)}${isFound ? '' : ' (ancestor)'}`
}

test.each([
  ['spec.zones[1]', 'b'],
  ['spec.zones', 'zones'],
  ['spec.pools[1].name', 'two'],
  ['spec.pools[1]', 'name'],
  ['labels.app.kubernetes.io/name', 'web'],
  ['labels.app', 'x'],
  ['spec.ports[8080].open', 'maybe'],
  ['spec.empty', 'empty'],
  ['spec.region', 'spec (ancestor)'],
  ['spec.pools[1].size', 'name (ancestor)'],
  ['spec.zones[7]', 'zones (ancestor)'],
  ['name', 'labels (ancestor)'],
])('finds %s', (field, expected) => {
  expect(textOf(field)).toBe(expected)
})

test('points to the start of a text without fields', () => {
  expect(fieldRange(parseDocument(''), 'spec')).toEqual({ from: 0, to: 0, isFound: false })
})
