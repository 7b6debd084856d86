import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../lib/json/json.ts'
import type { Schema } from '../model/schema.ts'
import { validateAgainstSchema, validationSteps } from './validate-object.ts'

function spec(properties: Record<string, Schema>, rest: Schema = {}): Schema {
  return { type: 'object', properties: { spec: { type: 'object', properties, ...rest } } }
}

function texts(value: JsonValue, schema: Schema, oldValue?: JsonValue): readonly string[] {
  const options = oldValue === undefined ? {} : { oldValue }
  return validateAgainstSchema(value, schema, options).map(
    ({ field, message }) => `${field}: ${message}`,
  )
}

describe('validateAgainstSchema', () => {
  it("R36: reports types with Kubernetes' words", () => {
    const schema = spec({
      replicas: { type: 'integer' },
      name: { type: 'string' },
      ratio: { type: 'number' },
      on: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      map: { type: 'object', additionalProperties: { type: 'integer' } },
    })
    expect(texts({ spec: { replicas: 'three' } }, schema)).toEqual([
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ])
    expect(
      texts(
        { spec: { replicas: 1.5, name: null, ratio: 1, on: 0, list: {}, map: { a: 'b' } } },
        schema,
      ),
    ).toEqual([
      'spec.replicas: Invalid value: "number": spec.replicas in body must be of type integer: "number"',
      'spec.name: Invalid value: "null": spec.name in body must be of type string: "null"',
      'spec.on: Invalid value: "integer": spec.on in body must be of type boolean: "integer"',
      'spec.list: Invalid value: "object": spec.list in body must be of type array: "object"',
      'spec.map.a: Invalid value: "string": spec.map.a in body must be of type integer: "string"',
    ])
  })

  it('R36: accepts null if the schema is nullable', () => {
    const schema = spec({ a: { type: 'string', nullable: true, enum: ['x'] } })
    expect(texts({ spec: { a: null } }, schema)).toEqual([])
  })

  it('R36: accepts integers and strings for int-or-string', () => {
    const schema = spec({ port: { 'x-kubernetes-int-or-string': true } })
    expect(texts({ spec: { port: 80 } }, schema)).toEqual([])
    expect(texts({ spec: { port: 'http' } }, schema)).toEqual([])
    expect(texts({ spec: { port: true } }, schema)).toEqual([
      'spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
    ])
  })

  it('R36: reports required, unsupported and bounded values', () => {
    const schema = spec(
      {
        phase: { type: 'string', enum: ['A', 'B'] },
        count: { type: 'integer', minimum: 1, maximum: 10 },
        half: { type: 'number', multipleOf: 0.5, exclusiveMinimum: true, minimum: 0 },
        short: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z]+$' },
        list: { type: 'array', minItems: 1, maxItems: 1, items: { type: 'integer' } },
        map: { type: 'object', minProperties: 1, maxProperties: 1, additionalProperties: true },
      },
      { required: ['host'] },
    )
    expect(
      texts(
        {
          spec: { phase: 'C', count: 11, half: 0, short: 'A', list: [], map: {} },
        },
        schema,
      ),
    ).toEqual([
      'spec.phase: Unsupported value: "C": supported values: "A", "B"',
      'spec.count: Invalid value: 11: spec.count in body should be less than or equal to 10',
      'spec.half: Invalid value: 0: spec.half in body should be greater than 0',
      'spec.short: Invalid value: "A": spec.short in body should be at least 2 chars long',
      'spec.list: Invalid value: 0: spec.list in body should have at least 1 items',
      'spec.map: Invalid value: 0: spec.map in body should have at least 1 properties',
      'spec.host: Required value',
    ])
    expect(
      texts(
        { spec: { short: 'ABCD', list: [1, 2], map: { a: 1, b: 2 }, half: 0.3, host: '' } },
        schema,
      ),
    ).toEqual([
      'spec.short: Too long: may not be more than 3 bytes',
      'spec.list: Too many: 2: must have at most 1 item',
      'spec.map: Too many: 2: must have at most 1 item',
      'spec.half: Invalid value: 0.3: spec.half in body should be a multiple of 0.5',
    ])
    expect(texts({ spec: { short: 'AB', host: '' } }, schema)).toEqual([
      `spec.short: Invalid value: "AB": spec.short in body should match '^[a-z]+$'`,
    ])
  })

  it('R36: counts code points, not UTF-16 units', () => {
    expect(texts({ spec: { a: '😀😀' } }, spec({ a: { type: 'string', maxLength: 2 } }))).toEqual(
      [],
    )
  })

  it('R36: checks formats and ignores unknown ones', () => {
    const schema = spec({
      time: { type: 'string', format: 'date-time' },
      id: { type: 'string', format: 'uuid' },
      net: { type: 'string', format: 'cidr' },
      other: { type: 'string', format: 'my-format' },
      small: { type: 'integer', format: 'int32' },
    })
    const valid = {
      time: '2026-01-31T10:00:00Z',
      id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
      net: '10.0.0.0/8',
      other: 'x',
      small: 2147483647,
    }
    expect(texts({ spec: valid }, schema)).toEqual([])
    expect(
      texts(
        { spec: { time: '2026-02-30T10:00:00Z', id: 'x', net: '10.0.0.0/33', small: 2147483648 } },
        schema,
      ).length,
    ).toBe(4)
    expect(texts({ spec: { time: 'now' } }, schema)).toEqual([
      'spec.time: Invalid value: "now": spec.time in body must be of type date-time: "now"',
    ])
  })

  it('R36: evaluates logical junctors', () => {
    const schema = spec(
      { a: { type: 'integer' }, b: { type: 'integer' } },
      {
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
        not: { properties: { a: { minimum: 100 } }, required: ['a'] },
      },
    )
    expect(texts({ spec: { a: 1 } }, schema)).toEqual([])
    expect(texts({ spec: { a: 1, b: 1 } }, schema)).toEqual([
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ])
    expect(texts({ spec: {} }, schema)).toContain(
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
    )
    expect(texts({ spec: { a: 200 } }, schema)).toEqual([
      '<nil>: Invalid value: "": "spec" must not validate the schema (not)',
    ])
  })

  it('R36: ratchets: ignores violations that the update does not change', () => {
    const schema = spec({
      name: { type: 'string', maxLength: 2 },
      size: { type: 'integer' },
      items: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['key'],
        items: {
          type: 'object',
          properties: { key: { type: 'string' }, value: { type: 'string', maxLength: 1 } },
        },
      },
      plain: { type: 'array', items: { type: 'string', maxLength: 1 } },
    })
    const old = {
      spec: { name: 'long', size: 1, items: [{ key: 'a', value: 'long' }], plain: ['long'] },
    }
    const items = [{ key: 'b', value: 'x' }, ...old.spec.items]
    expect(texts({ spec: { ...old.spec, size: 2, items } }, schema, old)).toEqual([])
    expect(texts({ spec: { ...old.spec, name: 'other' } }, schema, old)).toEqual([
      'spec.name: Too long: may not be more than 2 bytes',
    ])
    expect(texts({ spec: { ...old.spec, plain: ['long', 'x'] } }, schema, old)).toEqual([
      'spec.plain[0]: Too long: may not be more than 1 byte',
    ])
  })

  it('R36: reports at most 100 errors', () => {
    const schema = spec({ list: { type: 'array', items: { type: 'string' } } })
    expect(texts({ spec: { list: Array.from({ length: 500 }, () => 1) } }, schema).length).toBe(100)
  })

  it('R36: reports errors about a huge enum and many items', () => {
    const values = Array.from({ length: 50_000 }, (_item, index) => `value ${index}`)
    const items: Schema = { type: 'string', enum: values }
    const list = Array.from({ length: 100_000 }, () => 'other')
    expect(texts({ spec: { list } }, spec({ list: { type: 'array', items } }))).toHaveLength(100)
  })

  it('R36: treats __proto__ and constructor as ordinary names', () => {
    const schema: Schema = JSON.parse(
      '{"type":"object","required":["toString"],"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}}}',
    )
    expect(texts(JSON.parse('{"__proto__":"a","constructor":"b"}'), schema)).toEqual([
      '__proto__: Invalid value: "string": __proto__ in body must be of type integer: "string"',
      'constructor: Invalid value: "string": constructor in body must be of type integer: "string"',
      'toString: Required value',
    ])
    expect(texts({}, schema)).toEqual(['toString: Required value'])
  })

  it('R36: stops when checks or patterns take too many steps', () => {
    const deep: Schema = { allOf: Array.from({ length: 2000 }, () => ({ minLength: 1 })) }
    const items: Schema = { type: 'string', ...deep }
    const list = Array.from({ length: 50_000 }, () => 'a')
    expect(texts({ spec: { list } }, spec({ list: { type: 'array', items } }))).toEqual([
      ': Invalid value: "": the validation takes too many steps',
    ])
    const pattern: Schema = { type: 'string', pattern: '^(a|b)*a(a|b){990}$' }
    expect(texts({ spec: { text: 'ab'.repeat(500_000) } }, spec({ text: pattern }))).toEqual([
      ': Invalid value: "": the patterns take too many steps',
    ])
  })

  it('R36: lets other work proceed between patterns that take many steps', () => {
    const pattern: Schema = { type: 'string', pattern: '^(a|b)*a(a|b){200}$' }
    const items: Schema = { anyOf: [{ not: pattern }, { maxLength: 10 }] }
    // Each test takes more than half of a slice.
    const list = ['ab', 'ba', 'bb'].map((part) => part.repeat(500))
    const schema = spec({ list: { type: 'array', items } })
    const steps = validationSteps({ spec: { list: [...list, ...list] } }, schema)
    let pauses = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) pauses += 1
    // The pattern matches four of the six texts.
    expect(step.value).toHaveLength(4)
    expect(pauses).toBe(5)
  })

  it('R36: a validation that pauses finds the violations of the parts', () => {
    const tag: Schema = {
      type: 'object',
      properties: { key: { type: 'string' }, value: { type: 'integer', minimum: 0 } },
      required: ['key'],
      maxProperties: 2,
    }
    const item: Schema = {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 9 },
        tags: { type: 'array', maxItems: 4, items: tag },
        notes: { type: 'object', additionalProperties: { type: 'string', pattern: '^[a-z]+$' } },
      },
      allOf: [{ properties: { name: { minLength: 2 } } }, { not: { required: ['old'] } }],
      anyOf: [{ required: ['tags'] }, { properties: { notes: { minProperties: 1 } } }],
      oneOf: [{ properties: { tags: { minItems: 1 } } }, { required: ['notes', 'old'] }],
    }
    const list: Schema = {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }
    const invalid: JsonValue[] = [
      { name: 'x', tags: [{ key: 'a', value: -1 }] },
      { name: 'far too long', tags: [{ value: 1 }, { key: 'b', value: 2, other: 3 }] },
      { name: 'old', old: true, notes: { a: 'A', b: 'b' }, tags: [] },
      { name: 'none', tags: [] },
    ]
    const valid = (name: string): JsonValue => ({
      name,
      tags: [{ key: 'a', value: 1 }, { key: 'b' }],
      notes: { a: 'a' },
    })
    const items = Array.from({ length: 4000 }, (_item, index) => {
      const bad = index % 500 === 250 ? invalid[(index - 250) / 500] : undefined
      return bad ?? valid(`n${index}`)
    })
    const schema: Schema = { type: 'object', properties: { list } }
    const expected = items.flatMap((one, index) =>
      texts({ list: [one] }, schema).map((text) => text.replaceAll('list[0]', `list[${index}]`)),
    )
    expect(expected).toHaveLength(11)
    const run = (steps: ReturnType<typeof validationSteps>) => {
      for (let pauses = 0; ; pauses += 1) {
        const { done, value } = steps.next()
        if (done === true) return { pauses, found: value.map((e) => `${e.field}: ${e.message}`) }
      }
    }
    const all = run(validationSteps({ list: items }, schema))
    expect(all.pauses).toBeGreaterThan(5)
    expect(all.found).toEqual(expected)
    const kept = items.filter((_item, index) => index !== 750)
    const { found } = run(validationSteps({ list: items }, schema, { oldValue: { list: kept } }))
    expect(found).toEqual(all.found.filter((text) => text.includes('list[750]')))
  })

  it('R36: a validation that pauses reads the names and the old items once', () => {
    let reads = 0
    const counted = <T extends object>(target: T): T =>
      new Proxy(target, {
        ownKeys: (object) => {
          reads += 1
          return Reflect.ownKeys(object)
        },
        get: (object, name) => {
          if (name === '0') reads += 1
          const member: unknown = Reflect.get(object, name)
          return member
        },
      })
    const texts = Object.fromEntries(
      Array.from({ length: 10_000 }, (_text, index) => [`t${index}`, index === 0 ? 1 : 'a']),
    )
    const pausesOf = (steps: ReturnType<typeof validationSteps>): number => [...steps].length
    const map: Schema = {
      type: 'object',
      additionalProperties: { type: 'string', allOf: [{ minLength: 1 }, { maxLength: 9 }] },
    }
    expect(pausesOf(validationSteps({ spec: counted(texts) }, spec({}, map)))).toBeGreaterThan(1)
    expect(reads).toBe(1)

    const list: Schema = {
      type: 'array',
      items: { type: 'object', properties: { name: map.additionalProperties as Schema } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }
    const items = Array.from({ length: 10_000 }, (_item, index) => ({ name: `n${index}` }))
    const old = { spec: { list: counted(items), other: 1 } }
    const changed = { spec: { list: [...items, { name: '' }], other: 1 } }
    reads = 0
    const steps = validationSteps(changed, spec({ list }), { oldValue: old })
    expect(pausesOf(steps)).toBeGreaterThan(3)
    expect(reads).toBe(1)
  })

  it('R36: a validation pauses between items that must be unique', () => {
    const list = Array.from({ length: 100_000 }, (_item, index) => `item ${index}`)
    const schema = spec({ list: { type: 'array', uniqueItems: true } })
    const run = (items: readonly JsonValue[]) => {
      const steps = validationSteps({ spec: { list: items } }, schema)
      for (let pauses = 0; ; pauses += 1) {
        const { done, value } = steps.next()
        if (done === true) return { pauses, found: value.map(({ message }) => message) }
      }
    }
    const unique = run(list)
    expect(unique.found).toEqual([])
    expect(unique.pauses).toBeGreaterThan(3)
    expect(run([...list, 'item 7']).found).toEqual([
      `Invalid value: "": spec.list in body shouldn't contain duplicates`,
    ])
  })

  it('R36: reads no more of a value than the values of its enum have', () => {
    let reads = 0
    const list = new Proxy(
      Array.from({ length: 10_000 }, (_item, index) => [index]),
      {
        get: (target, name) => {
          if (/^\d+$/.test(String(name))) reads += 1
          return Reflect.get(target, name)
        },
      },
    )
    const schema = spec({ list: { type: 'array', enum: [[[1], [2]], 'none', { a: [] }] } })
    const errors = (value: JsonValue) =>
      validateAgainstSchema({ spec: { list: value } }, schema).map(({ reason }) => reason)
    expect(errors(list)).toEqual(['FieldValueNotSupported'])
    // The message shows the value.
    expect(reads).toBeLessThan(10_000 + 10)
    expect(errors([[1], [2]])).toEqual([])
    expect(errors([[1], [2], []])).toEqual(['FieldValueNotSupported'])
    expect(errors([[1, 2], []])).toEqual(['FieldValueNotSupported'])
  })

  it('R36: limits the steps of one pattern, which cannot pause', () => {
    const schema = spec({ text: { type: 'string', pattern: '^(a|b)*a(a|b){200}$' } })
    const stored = { text: 'ab'.repeat(5000) }
    expect(texts({ spec: stored }, schema)).toEqual([
      ': Invalid value: "": the patterns take too many steps',
    ])
    // A stored object stays writable.
    expect(texts({ spec: { ...stored, other: 1 } }, schema, { spec: stored })).toEqual([])
  })
})
