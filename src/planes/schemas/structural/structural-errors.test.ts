import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import { allSteps } from '../../../lib/async/steps.ts'
import { structuralErrors } from './structural-errors.ts'

function texts(schema: JsonValue): readonly string[] {
  return allSteps(structuralErrors(schema, 's')).map(({ field, message }) => `${field}: ${message}`)
}

/** Errors of a property `a` of the root. */
function property(schema: JsonValue): readonly string[] {
  return texts({ type: 'object', properties: { a: schema } }).map((text) => {
    return text.replaceAll('s.properties[a]', 'a')
  })
}

describe('structuralErrors', () => {
  it('R36: accepts a structural schema with defaults, lists, maps and rules', () => {
    expect(
      texts({
        type: 'object',
        properties: {
          metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
          spec: {
            type: 'object',
            required: ['ports'],
            properties: {
              replicas: { type: 'integer', default: 1, minimum: 0 },
              port: {
                'x-kubernetes-int-or-string': true,
                anyOf: [{ type: 'integer' }, { type: 'string' }],
              },
              ports: {
                type: 'array',
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['port'],
                items: {
                  type: 'object',
                  required: ['port'],
                  properties: { port: { type: 'integer' } },
                },
              },
              any: { 'x-kubernetes-preserve-unknown-fields': true },
              labels: { type: 'object', additionalProperties: { type: 'string' } },
            },
            oneOf: [{ required: ['replicas'] }, { properties: { any: {} }, required: ['any'] }],
            'x-kubernetes-validations': [
              { rule: 'self.replicas >= 0 && self.labels.all(k, self.labels[k].size() < 5)' },
            ],
          },
        },
      }),
    ).toEqual([])
  })

  it('R36: requires types', () => {
    expect(texts({})).toEqual(['s.type: Required value: must not be empty at the root'])
    expect(texts({ type: 'string' })).toEqual([
      's.type: Invalid value: "string": must be object at the root',
    ])
    expect(property({})).toEqual([
      'a.type: Required value: must not be empty for specified object fields',
    ])
    expect(property({ type: 'array' })).toEqual(['a.items: Required value: must be specified'])
    expect(property({ type: 'array', items: {} })).toEqual([
      'a.items.type: Required value: must not be empty for specified array items',
    ])
    expect(property({ type: 'text' })).toEqual([
      'a.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ])
  })

  it('R36: forbids declarations in junctors, and requires their fields in the schema', () => {
    expect(
      property({
        type: 'object',
        properties: { b: { type: 'string' } },
        anyOf: [{ properties: { b: { type: 'string', default: 'x' }, c: { minLength: 1 } } }],
      }),
    ).toEqual([
      'a.anyOf[0].properties[b].type: Forbidden: must be empty to be structural',
      'a.anyOf[0].properties[b].default: Forbidden: must be undefined to be structural',
      'a.properties[c]: Required value: because it is defined in a.anyOf[0].properties[c]',
    ])
  })

  it('R36: restricts metadata and embedded resources', () => {
    const metadata = { type: 'object', properties: { labels: { type: 'object' } } }
    expect(texts({ type: 'object', properties: { metadata } })).toEqual([
      's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ])
    expect(property({ type: 'object', 'x-kubernetes-embedded-resource': true })).toEqual([
      'a.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ])
  })

  it('R36: checks list maps and sets', () => {
    const items = { type: 'object', properties: { k: { type: 'string' } } }
    expect(
      property({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k', 'm'],
        items,
      }),
    ).toEqual([
      'a.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      'a.x-kubernetes-list-map-keys: Invalid value: ["k","m"]: entries must all be names of item properties',
    ])
    expect(property({ type: 'array', 'x-kubernetes-list-type': 'set', items })).toEqual([
      'a.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
    ])
    const keys = Array.from({ length: 100_000 }, (_item, index) => `k${index}`)
    const many = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, items }
    expect(property({ type: 'array', ...many })).toEqual([
      'a.x-kubernetes-list-map-keys: Too many: 100000: must have at most 32 items',
    ])
    expect(property({ type: 'string', 'x-kubernetes-list-type': 'set' })).toEqual([
      'a.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
    ])
  })

  it('R36: forbids other OpenAPI features', () => {
    expect(property({ type: 'string', $ref: '#/x', uniqueItems: true })).toEqual([
      'a.$ref: Forbidden: $ref is not supported',
    ])
    expect(property({ type: 'array', items: { type: 'string' }, uniqueItems: true })).toEqual([
      'a.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ])
    expect(
      property({
        type: 'object',
        properties: { b: { type: 'string' } },
        additionalProperties: { type: 'string' },
      }),
    ).toEqual([
      'a.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ])
  })

  it('R36: rejects defaults that are invalid or have unknown fields', () => {
    expect(property({ type: 'string', default: 1 })).toEqual([
      'a.default: Invalid value: "integer":  in body must be of type string: "integer"',
    ])
    const object = { type: 'object', properties: { b: { type: 'integer' } } }
    expect(property({ ...object, default: { c: 1 } })).toEqual([
      'a.default: Invalid value: {"c":1}: must not have unknown fields',
    ])
    expect(property({ ...object, default: { b: 'x' } })).toHaveLength(1)
    const name = { type: 'string', default: 'x' }
    const metadata = { type: 'object', properties: { name } }
    expect(texts({ type: 'object', properties: { metadata } })).toEqual([
      's.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    ])
  })

  it('R36: rejects rules that do not compile or use undeclared fields', () => {
    const rules = (rule: JsonValue) =>
      property({
        type: 'object',
        properties: { b: { type: 'integer' } },
        'x-kubernetes-validations': [rule],
      }).map((text) => text.replace('a.x-kubernetes-validations[0]', 'rule'))
    expect(rules({ rule: 'self.b > 0' })).toEqual([])
    expect(rules({ rule: 'self.c > 0' })).toEqual([
      `rule.rule: Invalid value: {"rule":"self.c > 0"}: compilation failed: ERROR: <input>:1:5: undefined field 'c'\n | self.c > 0\n | ....^`,
    ])
    expect(rules({ rule: 'self.b >' })[0]).toContain(
      'compilation failed: ERROR: <input>:1:9: Syntax error: ',
    )
    expect(rules({ rule: 'self.b + "a" == "b"' })[0]).toContain(
      "found no matching overload for '_+_' applied to '(int, string)'",
    )
    expect(rules({ rule: 'self.b > oldSelf.value().b', optionalOldSelf: true })).toEqual([])
    expect(rules({ rule: '"%s %d".format(["a", self.b]) != ""' })).toEqual([])
    expect(rules({ rule: '[1, "a"].size() == self.b' })[0]).toContain("expected type 'int' but")
    expect(rules({ rule: 'true', messageExpression: 'self.b' })[0]).toContain(
      'messageExpression must evaluate to a string',
    )
    expect(rules({ rule: '1 + 1' })[0]).toContain('cel expression must evaluate to a bool')
    expect(rules({ rule: ' ' })).toEqual(['rule.rule: Required value: rule is not specified'])
    expect(rules({ rule: 'true', message: 'a\nb' })).toEqual([
      'rule.message: Invalid value: "a\\nb": must not contain line breaks',
    ])
    expect(rules({ rule: 'true', reason: 'Bad' })[0]).toContain('Unsupported value: "Bad"')
    expect(rules({ rule: 'true', fieldPath: '.c' })).toEqual([
      'rule.fieldPath: Invalid value: ".c": must be a valid path',
    ])
    expect(rules({ rule: 'true', optionalOldSelf: true })[0]).toContain('oldSelf is not used')
  })

  it('R36: rejects rules whose estimated cost is too high', () => {
    const nested = 'self.all(a, self.all(b, self.all(c, a + b == c)))'
    const listOf = (rule: string, more: JsonObject = {}) =>
      property({
        type: 'array',
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule }],
        ...more,
      })
    expect(listOf(nested)).toEqual([
      expect.stringContaining(
        'a.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems',
      ),
      'a.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      expect.stringContaining('s: Forbidden: x-kubernetes-validations estimated rule cost total'),
    ])
    expect(listOf(nested, { maxItems: 50 })).toEqual([])
    const item = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.contains("a")' }] }
    expect(property({ type: 'array', items: item })[0]).toContain('exceeds budget')
    const short = { ...item, maxLength: 10 }
    expect(property({ type: 'array', items: short, maxItems: 100 })).toEqual([])
  })

  it('R36: rejects transition rules on items that cannot be correlated', () => {
    const items = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > oldSelf' }] }
    expect(property({ type: 'array', items })).toEqual([
      'a.items.x-kubernetes-validations[0].rule: Invalid value: "self > oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within a',
    ])
  })

  it('R36: rejects members of the wrong type without failing', () => {
    for (const wrong of [
      1,
      null,
      [],
      { type: 1 },
      { required: 'a' },
      { properties: [] },
      { items: [] },
      { anyOf: {} },
      { enum: {} },
      { additionalProperties: 'x' },
      { 'x-kubernetes-validations': [{ rule: 1 }] },
      { default: { a: 1 }, type: 'string' },
    ]) {
      expect(property(wrong).length).toBeGreaterThan(0)
    }
  })

  it('R36: bounds depth, size, patterns and rules', () => {
    let deep: JsonValue = { type: 'string' }
    for (let level = 0; level < 200; level += 1) deep = { type: 'array', items: deep }
    expect(property(deep)[0]).toContain('must not be nested over 60 levels')
    const properties = Object.fromEntries(
      Array.from({ length: 60_000 }, (_item, index) => [`p${index}`, { type: 'string' }]),
    )
    expect(texts({ type: 'object', properties })[0]).toContain('at most 50000 parts')
    expect(property({ type: 'string', pattern: '(a{1000}){1000}' })[0]).toContain(
      'must be a valid regular expression',
    )
    const rules = Array.from({ length: 600 }, () => ({ rule: 'true' }))
    expect(property({ type: 'string', 'x-kubernetes-validations': rules })[0]).toContain(
      'at most 500 rules',
    )
  })

  it('R36: treats __proto__ as an ordinary property', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"array"}}}')
    expect(texts(schema)).toEqual([
      's.properties[__proto__].items: Required value: must be specified',
    ])
  })

  it('R36: checks the shape, structure, extensions, defaults and rules in one step each', () => {
    const steps = structuralErrors({ type: 'object', properties: { a: { type: 'string' } } }, 's')
    expect([...steps]).toHaveLength(4)
  })
})
