import { expect, it } from 'vitest'
import { matchesSelector } from './matches-selector.ts'
import { parseFieldSelector } from './parse-field-selector.ts'
import { parseLabelSelector } from './parse-label-selector.ts'

it.each([
  ['metadata.name=web', '', true],
  ['metadata.name!=web', '', false],
  ['metadata.namespace=shop', 'app', true],
  ['spec.host=a', '', true],
  ['spec.port=', '', true],
  ['spec.port!=80', '!tier', true],
  ['metadata.name=web', 'tier', false],
])('R13: evaluates the fields %j and the labels %j', (fields, labels, expected) => {
  const selector = { labels: parseLabelSelector(labels), fields: parseFieldSelector(fields) }
  const object = {
    labels: { app: 'shop' },
    namespace: 'shop',
    name: 'web',
    fieldOf: (path: string) => (path === 'spec.host' ? 'a' : ''),
  }
  expect(matchesSelector(selector, object)).toBe(expected)
})
