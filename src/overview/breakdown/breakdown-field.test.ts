import { expect, it } from 'vitest'
import { breakdownFields, fieldName } from './breakdown-field.ts'

const DECLARED = [
  { kind: 'Cluster', path: ['region'] },
  { kind: 'NodePool', path: ['size'] },
]

const parsed = (by: string) => breakdownFields(by, 'Cluster', DECLARED)

it('reads adapters, reasons, labels with any key, and declared fields', () => {
  const by = 'reason, adapter,labels."a b",labels.k8s.io/name,spec.region,reason'
  expect(() => parsed(by)).toThrow('at most 4 fields, found 5')
  const fields = parsed('reason, adapter,labels."a b",spec.region,reason')
  expect(fields.map(fieldName)).toEqual(['reason', 'adapter', 'labels."a b"', 'spec.region'])
  expect(fields.at(-1)).toEqual({ type: 'spec', path: ['region'] })
})

it('reads labels whose keys have commas and quotes', () => {
  const keys = ['team,owner', ',', 'a"b,c', ',"']
  const names = keys.map((key) => fieldName({ type: 'label', key }))
  expect(names[0]).toBe('labels."team,owner"')
  expect(parsed(names.join(' , '))).toEqual(keys.map((key) => ({ type: 'label', key })))
})

it.each([
  '',
  ',adapter',
  'adapter,,reason',
  'labels."a,reason',
  'name',
  'spec.size',
  'spec',
  'labels',
  'adapter,',
  'labels.a is null or labels.b',
  'x'.repeat(1000),
])('rejects %s and names the fields', (by) => {
  expect(() => parsed(by)).toThrow('adapter, reason, labels.<key>, spec.region')
})
