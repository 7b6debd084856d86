import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Schema } from '../model/schema.ts'
import { objectErrors } from './object-errors.ts'

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
            },
          },
        },
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
  },
}

function object(spec: JsonObject) {
  return { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'a' }, spec }
}

async function texts(spec: JsonObject, old: JsonObject | null = null): Promise<readonly string[]> {
  const errors = await objectErrors(object(spec), old && object(old), SCHEMA)
  return errors.map(({ field, message }) => `${field}: ${message}`)
}

describe('objectErrors', () => {
  it('R36: rejects duplicates in sets and maps', async () => {
    expect(await texts({ set: ['a', 'b', 'a', 'a'] })).toEqual([
      'spec.set[2]: Duplicate value: "a"',
    ])
    expect(
      await texts({
        ports: [{ port: 1 }, { port: 1, protocol: 'UDP' }, { port: 1, protocol: 'TCP' }],
      }),
    ).toEqual(['spec.ports[2]: Duplicate value: {"port":1,"protocol":"TCP"}'])
  })

  it('R36: reports at most 100 duplicates of a long list', async () => {
    const set = Array.from({ length: 300_000 }, (_item, index) => `${Math.floor(index / 2)}`)
    expect(await texts({ set })).toHaveLength(100)
  })

  it('R36: accepts duplicates that the stored object already has', async () => {
    expect(await texts({ set: ['a', 'a', 'b'] }, { set: ['a', 'a'] })).toEqual([])
  })

  it('R36: requires the type of embedded resources', async () => {
    expect(await texts({ embedded: { metadata: { name: 1 } } })).toEqual([
      'spec.embedded.apiVersion: Required value',
      'spec.embedded.kind: Required value',
      'spec.embedded.metadata.name: Invalid value: "integer": name in body must be of type string: "integer"',
    ])
    expect(await texts({ embedded: { apiVersion: 'v1', kind: 'Foo' } })).toEqual([])
  })
})
