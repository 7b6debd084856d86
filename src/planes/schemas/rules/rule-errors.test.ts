import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { Schema, ValidationRule } from '../../model/schema.ts'
import { objectErrors } from '../object-errors.ts'

function schemaOf(spec: Schema, rules: readonly ValidationRule[] = []): Schema {
  return { type: 'object', properties: { spec }, 'x-kubernetes-validations': rules }
}

function object(spec: JsonObject) {
  return { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'a' }, spec }
}

async function texts(
  schema: Schema,
  spec: JsonObject,
  old: JsonObject | null = null,
): Promise<readonly string[]> {
  const errors = await objectErrors(object(spec), old && object(old), schema)
  return errors.map(({ field, message }) => `${field}: ${message}`)
}

const REPLICAS: Schema = {
  type: 'object',
  properties: {
    minReplicas: { type: 'integer' },
    replicas: { type: 'integer' },
    maxReplicas: { type: 'integer' },
  },
  'x-kubernetes-validations': [
    {
      rule: 'self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas',
      messageExpression:
        '"replicas %d must be between %d and %d".format([self.replicas, self.minReplicas, self.maxReplicas])',
    },
  ],
}

describe('rules in CEL', () => {
  it('R36: evaluates rules over several fields, with a message expression', async () => {
    const schema = schemaOf(REPLICAS)
    expect(await texts(schema, { minReplicas: 1, replicas: 2, maxReplicas: 3 })).toEqual([])
    expect(await texts(schema, { minReplicas: 1, replicas: 4, maxReplicas: 3 })).toEqual([
      'spec: Invalid value: replicas 4 must be between 1 and 3',
    ])
  })

  it('R36: shows scalar values, the default message, and the error of an absent field', async () => {
    const positive: Schema = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] }
    const schema = schemaOf({ type: 'object', properties: { size: positive } })
    expect(await texts(schema, { size: -1 })).toEqual([
      'spec.size: Invalid value: -1: failed rule: self > 0',
    ])
    expect(await texts(schemaOf(REPLICAS), { replicas: 1 })).toEqual([
      'spec: Invalid value: "object": no such key: minReplicas evaluating rule: "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas"',
    ])
  })

  it('R36: applies reason and field path', async () => {
    const schema = schemaOf({
      ...REPLICAS,
      'x-kubernetes-validations': [
        {
          rule: '!has(self.replicas)',
          message: 'no replicas',
          reason: 'FieldValueForbidden',
          fieldPath: '.replicas',
        },
      ],
    })
    expect(await texts(schema, { replicas: 1 })).toEqual(['spec.replicas: Forbidden: no replicas'])
  })

  it('R36: evaluates transition rules on updates only', async () => {
    const immutable: Schema = {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }],
    }
    const schema = schemaOf({ type: 'object', properties: { name: immutable } })
    expect(await texts(schema, { name: 'b' })).toEqual([])
    expect(await texts(schema, { name: 'b' }, {})).toEqual([])
    expect(await texts(schema, { name: 'b' }, { name: 'a' })).toEqual([
      'spec.name: Invalid value: "b": is immutable',
    ])
    expect(await texts(schema, { name: 'a' }, { name: 'a' })).toEqual([])
  })

  it('R36: gives rules with optionalOldSelf an optional value', async () => {
    const rule = 'oldSelf.hasValue() || self == "first"'
    const name: Schema = {
      type: 'string',
      'x-kubernetes-validations': [{ rule, optionalOldSelf: true }],
    }
    const schema = schemaOf({ type: 'object', properties: { name } })
    expect(await texts(schema, { name: 'first' })).toEqual([])
    expect(await texts(schema, { name: 'other' })).toHaveLength(1)
    expect(await texts(schema, { name: 'other' }, { name: 'first' })).toEqual([])
  })

  it.each([
    ['!oldSelf.hasValue() || self != oldSelf.value()', 4, 3],
    ['!oldSelf.hasValue() || self >= oldSelf.value()', 3, 2],
    ['!oldSelf.hasValue() || (self) - (oldSelf).value() < 2', 4, 5],
    ['oldSelf.orValue(0) <= self', 3, 2],
  ])(
    'R36: compares with the value of an optional predecessor: %s',
    async (rule, valid, invalid) => {
      const size: Schema = {
        type: 'integer',
        'x-kubernetes-validations': [{ rule, optionalOldSelf: true, message: 'rejected' }],
      }
      const schema = schemaOf({ type: 'object', properties: { size } })
      expect(await texts(schema, { size: valid })).toEqual([])
      expect(await texts(schema, { size: valid }, { size: 3 })).toEqual([])
      expect(await texts(schema, { size: invalid }, { size: 3 })).toEqual([
        `spec.size: Invalid value: ${invalid}: rejected`,
      ])
    },
  )

  it('R36: correlates the items of list maps by key', async () => {
    const schema = schemaOf({
      type: 'object',
      properties: {
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, port: { type: 'integer' } },
            'x-kubernetes-validations': [{ rule: 'self.port >= oldSelf.port' }],
          },
        },
      },
    })
    const old = {
      ports: [
        { name: 'a', port: 5 },
        { name: 'b', port: 1 },
      ],
    }
    const ports = [
      { name: 'b', port: 2 },
      { name: 'a', port: 4 },
      { name: 'c', port: 0 },
    ]
    expect(await texts(schema, { ports }, old)).toEqual([
      'spec.ports[1]: Invalid value: failed rule: self.port >= oldSelf.port',
    ])
  })

  it('R36: ignores violations that the update does not change', async () => {
    const schema = schemaOf(REPLICAS)
    const old = { minReplicas: 1, replicas: 9, maxReplicas: 3 }
    expect(await texts(schema, { ...old }, old)).toEqual([])
    expect(await texts(schema, { ...old, replicas: 8 }, old)).toHaveLength(1)
  })

  it('R36: offers type and name of the resource, and escaped field names', async () => {
    const spec: Schema = {
      type: 'object',
      properties: { 'my-prop': { type: 'string' }, namespace: { type: 'string' } },
    }
    const schema = schemaOf(spec, [
      {
        rule: 'self.metadata.name == "a" && self.kind == "Foo" && self.spec.my__dash__prop == "x" && self.spec.__namespace__ == "y"',
      },
    ])
    expect(await texts(schema, { 'my-prop': 'x', namespace: 'y' })).toEqual([])
    expect(await texts(schemaOf(spec, [{ rule: '!has(self.metadata.labels)' }]), {})).toEqual([])
  })

  it('R36: converts times, durations and numbers by their schema', async () => {
    const spec: Schema = {
      type: 'object',
      properties: {
        start: { type: 'string', format: 'date-time' },
        wait: { type: 'string', format: 'duration' },
        ratio: { type: 'number' },
        port: { 'x-kubernetes-int-or-string': true },
      },
      'x-kubernetes-validations': [
        { rule: 'self.start < timestamp("2030-01-01T00:00:00Z")' },
        { rule: 'self.wait < duration("1h")' },
        { rule: 'self.ratio * 2.0 == 4.0' },
        { rule: 'self.port == "http" || self.port == 80' },
      ],
    }
    const valid = { start: '2026-01-01T00:00:00Z', wait: '30m', ratio: 2, port: 80 }
    expect(await texts(schemaOf(spec), valid)).toEqual([])
    expect(await texts(schemaOf(spec), { ...valid, port: 'x', wait: '2h' })).toHaveLength(2)
  })

  it('R36: stops when the rules of an object take too many steps', async () => {
    const list: Schema = {
      type: 'array',
      items: { type: 'integer' },
      'x-kubernetes-validations': [
        { rule: 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))' },
        { rule: 'self.size() < 0' },
      ],
    }
    const schema = schemaOf({ type: 'object', properties: { list } })
    const found = await texts(schema, {
      list: Array.from({ length: 2000 }, (_item, index) => index),
    })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain('cost limit exceeded')
  })

  it('R36: handles other events between rules that take many steps', async () => {
    const list: Schema = { type: 'array', items: { type: 'integer' } }
    const slow = { rule: 'self.spec.list.all(a, self.spec.list.all(b, a + b >= 0))' }
    const schema = schemaOf(
      { type: 'object', properties: { list } },
      Array.from({ length: 10 }, () => slow),
    )
    const numbers = Array.from({ length: 150 }, (_item, index) => index)
    let turns = 0
    const count = (): void => {
      turns += 1
      turn = setImmediate(count)
    }
    let turn = setImmediate(count)
    const found = await texts(schema, { list: numbers })
    clearImmediate(turn)
    expect(found).toEqual([])
    expect(turns).toBeGreaterThanOrEqual(9)
  })

  it('R36: reports an exceeded cost after the failure of another rule', async () => {
    const list: Schema = { type: 'array', items: { type: 'integer' } }
    const schema = schemaOf({ type: 'object', properties: { list, text: { type: 'string' } } }, [
      { rule: 'self.spec.text == "a"' },
      { rule: 'self.spec.list.all(a, self.spec.list.all(b, a + b >= 0))' },
    ])
    const found = await texts(schema, {
      list: Array.from({ length: 1000 }, (_item, index) => index),
    })
    expect(found).toEqual([
      expect.stringContaining('no such key: text evaluating rule'),
      expect.stringContaining('call cost exceeds limit for rule'),
    ])
  })

  it('R36: names members of maps as Kubernetes does', async () => {
    const size: Schema = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] }
    const map: Schema = {
      type: 'object',
      additionalProperties: { type: 'object', properties: { size } },
    }
    const schema = schemaOf({ type: 'object', properties: { map } })
    expect(await texts(schema, { map: { foo: { size: 0 } } })).toEqual([
      'spec.map[foo].size: Invalid value: 0: failed rule: self > 0',
    ])
  })

  it('R36: skips rules if the object violates its schema', async () => {
    const schema = schemaOf({ ...REPLICAS, required: ['replicas'] })
    expect(await texts(schema, {})).toEqual([
      'spec.replicas: Required value',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ])
  })
})
