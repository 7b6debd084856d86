import { expect, it } from 'vitest'
import type { LabelRequirement } from '../model/object-query.ts'
import { fieldText } from './field-text.ts'
import { matchesSelector } from './matches-selector.ts'

const OBJECT = {
  namespace: 'shop',
  name: 'web',
  labels: { app: 'shop', size: '10' },
  fieldOf: (path: string) => (path === 'spec.host' ? 'a' : ''),
}

it.each([
  ['metadata.name', 'equals', 'web', true],
  ['metadata.name', 'not-equals', 'web', false],
  ['metadata.namespace', 'equals', 'shop', true],
  ['spec.host', 'equals', 'a', true],
  ['spec.port', 'equals', '', true],
  ['spec.port', 'not-equals', '80', true],
] as const)('R13: evaluates the field %s %s %j', (field, operator, value, expected) => {
  const selector = { labels: [], fields: [{ field, operator, value }] }
  expect(matchesSelector(selector, OBJECT)).toBe(expected)
})

it.each<[LabelRequirement, boolean]>([
  [{ operator: 'in', key: 'app', values: ['shop', 'x'] }, true],
  [{ operator: 'in', key: 'tier', values: [''] }, false],
  [{ operator: 'not-in', key: 'tier', values: ['x'] }, true],
  [{ operator: 'exists', key: 'constructor' }, false],
  [{ operator: 'absent', key: 'tier' }, true],
  [{ operator: 'greater', key: 'size', value: 9n }, true],
  [{ operator: 'less', key: 'size', value: 9n }, false],
  [{ operator: 'less', key: 'app', value: 9n }, false],
])('R12: evaluates labels (%#)', (requirement, expected) => {
  expect(matchesSelector({ labels: [requirement], fields: [] }, OBJECT)).toBe(expected)
})

it('R13: fields are compared as text; missing ones are empty', () => {
  const object = { spec: { host: 'a', port: 80, isOpen: false, none: null } }
  const values = ['host', 'port', 'isOpen', 'none', 'missing', 'host.x', 'constructor']
  expect(values.map((name) => fieldText(object, `spec.${name}`))).toEqual([
    'a',
    '80',
    'false',
    '',
    '',
    '',
    '',
  ])
})
