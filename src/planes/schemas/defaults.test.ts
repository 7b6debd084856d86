import { describe, expect, it } from 'vitest'
import type { Schema } from '../model/schema.ts'
import { applyDefaults, removeNulls } from './defaults.ts'

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', default: 1 },
        zero: { type: 'integer', nullable: true, default: 0 },
        list: {
          type: 'array',
          items: { type: 'object', properties: { port: { type: 'integer', default: 80 } } },
        },
        map: { type: 'object', additionalProperties: { type: 'string', default: 'x' } },
        nested: {
          type: 'object',
          default: {},
          properties: { deep: { type: 'string', default: 'd' } },
        },
        plain: { type: 'string' },
      },
    },
  },
}

describe('defaults', () => {
  it('R36: sets absent fields, also within defaults, lists and maps', () => {
    expect(applyDefaults({ spec: { list: [{}], map: { a: null, b: 'y' } } }, SCHEMA)).toEqual({
      spec: {
        replicas: 1,
        zero: 0,
        list: [{ port: 80 }],
        map: { a: 'x', b: 'y' },
        nested: { deep: 'd' },
      },
    })
  })

  it('R36: does not create the parent of a default', () => {
    expect(applyDefaults({}, SCHEMA)).toEqual({})
  })

  it('R36: replaces a null that is not allowed, and keeps one that is', () => {
    const object = { spec: { replicas: null, zero: null, nested: { deep: 'x' } } }
    expect(applyDefaults(object, SCHEMA)).toEqual({
      spec: { replicas: 1, zero: null, nested: { deep: 'x' } },
    })
  })

  it('R36: removes a null without a default', () => {
    const object = { spec: { plain: null, replicas: null, zero: null } }
    expect(removeNulls(object, SCHEMA)).toEqual({ spec: { replicas: null, zero: null } })
  })

  it('R25: returns the object itself if it has every default', () => {
    const object = applyDefaults({ spec: { list: [{}] } }, SCHEMA)
    expect(applyDefaults(object, SCHEMA)).toBe(object)
  })
})
