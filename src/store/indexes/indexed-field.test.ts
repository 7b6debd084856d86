import { describe, expect, it } from 'vitest'
import { readIndexedFields } from './indexed-field.ts'

describe('the list of indexed fields', () => {
  it('has a kind and a path in the spec per field', () => {
    expect(readIndexedFields(' Cluster:spec.region, NodePool:spec.a-b.c_d,')).toEqual([
      { kind: 'Cluster', path: ['region'] },
      { kind: 'NodePool', path: ['a-b', 'c_d'] },
    ])
  })

  it('has each field once', () => {
    expect(readIndexedFields('Cluster:spec.a,Cluster:spec.a')).toHaveLength(1)
  })

  it.each([
    'spec.a',
    'Cluster:spec',
    'Cluster:labels.a',
    'Cluster:spec.a"b',
    "C':spec.a",
    'C:spec.',
  ])('rejects %j', (text) => {
    expect(() => readIndexedFields(text)).toThrow('expected fields such as Kind:spec.field')
  })

  it('has at most 16 fields', () => {
    const fields = Array.from({ length: 17 }, (_, index) => `Cluster:spec.f${index}`)
    expect(readIndexedFields(fields.slice(1).join(','))).toHaveLength(16)
    expect(() => readIndexedFields(fields.join(','))).toThrow('at most 16 fields, found 17')
  })
})
