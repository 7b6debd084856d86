import { describe, expect, it } from 'vitest'
import { readDeclaredFields } from './indexed-field.ts'

describe('the list of indexed fields', () => {
  it('has a kind and a path in the spec per field', () => {
    expect(readDeclaredFields(' Cluster:spec.region, NodePool:spec.a-b.c_d,')).toEqual([
      { kind: 'Cluster', path: ['region'] },
      { kind: 'NodePool', path: ['a-b', 'c_d'] },
    ])
  })

  it('can have the time of the last change', () => {
    expect(readDeclaredFields('Cluster:updated_time')).toEqual([
      { kind: 'Cluster', column: 'updated_time' },
    ])
  })

  it('has each field once', () => {
    expect(readDeclaredFields('Cluster:spec.a,Cluster:spec.a')).toHaveLength(1)
  })

  it.each([
    'spec.a',
    'Cluster:spec',
    'Cluster:labels.a',
    'Cluster:created_time',
    'Cluster:updated_time.a',
    'Cluster:spec.a"b',
    "C':spec.a",
    'C:spec.',
  ])('rejects %j', (text) => {
    expect(() => readDeclaredFields(text)).toThrow(
      'expected fields such as Kind:spec.field or Kind:updated_time',
    )
  })

  it('has at most 16 fields', () => {
    const fields = Array.from({ length: 17 }, (_, index) => `Cluster:spec.f${index}`)
    expect(readDeclaredFields(fields.slice(1).join(','))).toHaveLength(16)
    expect(() => readDeclaredFields(fields.join(','))).toThrow('at most 16 fields, found 17')
  })
})
