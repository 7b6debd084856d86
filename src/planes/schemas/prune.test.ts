import { describe, expect, it } from 'vitest'
import type { Schema } from '../model/schema.ts'
import { prune } from './prune.ts'

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        known: { type: 'string' },
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { a: {} } } },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { closed: { type: 'object', properties: { a: {} } } },
        },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      },
    },
  },
}
const HEAD = { apiVersion: 'g/v1', kind: 'Foo', metadata: { name: 'a' } }

describe('prune', () => {
  it('R36: removes unknown fields and returns their paths', () => {
    const { object, unknownFields } = prune(
      {
        ...HEAD,
        metadata: { name: 'a', extra: 1 },
        extra: 1,
        spec: { known: 'x', other: 1, list: [{ a: '1', b: 2 }], map: { k: { a: 1, c: 1 } } },
      },
      SCHEMA,
    )
    expect(object).toEqual({
      ...HEAD,
      spec: { known: 'x', list: [{ a: '1' }], map: { k: { a: 1 } } },
    })
    expect(unknownFields).toEqual([
      'metadata.extra',
      'extra',
      'spec.other',
      'spec.list[0].b',
      'spec.map.k.c',
    ])
  })

  it('R36: keeps unknown fields if the schema preserves them, but not those of declared fields', () => {
    const { object, unknownFields } = prune(
      { ...HEAD, spec: { free: { any: { b: 1 }, closed: { a: 1, b: 2 } } } },
      SCHEMA,
    )
    expect(object['spec']).toEqual({ free: { any: { b: 1 }, closed: { a: 1 } } })
    expect(unknownFields).toEqual(['spec.free.closed.b'])
  })

  it('R36: keeps the type and metadata of embedded resources and prunes their metadata', () => {
    const template = { ...HEAD, metadata: { name: 'a', bad: 1, creationTimestamp: null } }
    const { object, unknownFields } = prune(
      { ...HEAD, spec: { template: { ...template, spec: { any: 1 }, other: 2 } } },
      SCHEMA,
    )
    expect(object['spec']).toEqual({ template: { ...HEAD, spec: { any: 1 } } })
    expect(unknownFields).toEqual(['spec.template.metadata.bad', 'spec.template.other'])
  })

  it('R36: keeps the names of fields in managedFields', () => {
    const metadata = { name: 'a', managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': {} } }] }
    expect(prune({ ...HEAD, metadata }, SCHEMA).object['metadata']).toBe(metadata)
  })

  it('R36: returns the object itself if all fields are known', () => {
    const object = { ...HEAD, spec: { known: 'x', list: [{ a: '1' }] } }
    expect(prune(object, SCHEMA).object).toBe(object)
  })

  it('R36: removes __proto__ like any other unknown field', () => {
    const { object, unknownFields } = prune(
      JSON.parse('{"spec":{"known":"x","__proto__":{"a":1}}}'),
      SCHEMA,
    )
    expect(JSON.stringify(object)).toBe('{"spec":{"known":"x"}}')
    expect(unknownFields).toEqual(['spec.__proto__'])
  })
})
