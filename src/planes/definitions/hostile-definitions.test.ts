import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allSteps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { ApiObject } from '../model/api-object.ts'
import { decodeInput } from '../schemas/decode-input.ts'
import { objectErrors } from '../schemas/object-errors.ts'
import { compileDefinition } from './compile-definition.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from './custom-resource-definitions.ts'
import { CONTEXT, definitionOf, establishedDefinition, versionOf } from './fixtures.ts'
import { scaleOf } from './scale.ts'
import { definitionErrors } from './validate-definition.ts'
import { objectOf } from '../../lib/json/json-fields.ts'

const DEFINITION_SCHEMA = CUSTOM_RESOURCE_DEFINITIONS.type.versions[0]?.schema ?? {}

const SPEC = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 10, pattern: '^[a-z]*$', format: 'hostname' },
    size: { type: 'integer', minimum: 0, maximum: 5, default: 1 },
    kind: { type: 'string', enum: ['a', 'b'], nullable: true },
    port: { 'x-kubernetes-int-or-string': true },
    time: { type: 'string', format: 'date-time' },
    items: {
      type: 'array',
      maxItems: 3,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['key'],
      items: {
        type: 'object',
        required: ['key'],
        properties: { key: { type: 'string' }, value: { type: 'number' } },
        'x-kubernetes-validations': [{ rule: 'self.value >= oldSelf.value' }],
      },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    template: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
  anyOf: [{ required: ['size'] }, { properties: { name: { minLength: 3 } } }],
  'x-kubernetes-validations': [
    {
      rule: 'self.size > 0 || self.labels.all(k, k.matches("^a"))',
      messageExpression: '"bad " + self.name',
    },
    { rule: 'self.port == 80 || self.time < timestamp("2026-01-01T00:00:00Z")' },
  ],
}

const VERSION = versionOf('v1', {
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC } } },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
  },
  additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.name' }],
  selectableFields: [{ jsonPath: '.spec.name' }],
})

/** The paths of all values within a value. */
function pathsIn(value: JsonValue): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]]
  const nested = Object.entries(value).flatMap(([name, member]: [string, JsonValue]) =>
    pathsIn(member).map((path) => [name, ...path]),
  )
  return [[], ...nested]
}

function replaced(value: JsonValue, path: readonly string[], by: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return by
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, at) =>
      String(at) === step ? replaced(item, rest, by) : item,
    )
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    return [name, name === step ? replaced(member, rest, by) : member]
  })
  return Object.fromEntries(entries)
}

const HOSTILE = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    null,
    '',
    -1,
    1e308,
    [],
    {},
    [null],
    '(a+)+$',
    'self',
    '.__proto__.constructor',
    '__proto__',
  ),
  fc.constant(JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"object"}}')),
)

/** The decoded object; null if it is rejected. It may not fail otherwise. */
async function decoded(object: ApiObject, schema: object): Promise<ApiObject | null> {
  try {
    return await decodeInput(object, { schema, fieldValidation: 'Warn', warn: () => {} })
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError)
    return null
  }
}

describe('hostile definitions and objects', () => {
  it('R36: rejects or accepts a definition with any value in any place', async () => {
    const valid = definitionOf({ versions: [VERSION] })
    const { spec = null } = valid
    const paths = pathsIn(spec)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), HOSTILE, async (path, value) => {
        const input = await decoded(
          { ...valid, spec: replaced(spec, path, value) },
          DEFINITION_SCHEMA,
        )
        if (input === null) return
        const prepared = CUSTOM_RESOURCE_DEFINITIONS.strategy?.prepareCreate?.(input, CONTEXT)
        const object = prepared ?? input
        if ((await objectErrors(object, null, DEFINITION_SCHEMA)).length > 0) return
        if (allSteps(definitionErrors(object, null)).length > 0) return
        const status = {
          ...objectOf(object['status']),
          ...objectOf(establishedDefinition()['status']),
        }
        const type = compileDefinition({ ...object, status })
        const version = type?.versions[0]
        const instance = { apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'a' } }
        const sample = { ...instance, spec: { name: 'abc', labels: { a: 'b' } } }
        const read = version && (await decoded(sample, version.schema))
        if (read) await objectErrors(read, null, version.schema)
      }),
      { numRuns: 500 },
    )
  })

  it('R36: rejects or accepts an object with any value in any place', async () => {
    const type = compileDefinition(establishedDefinition({ versions: [VERSION] }))
    const version = type?.versions[0]
    expect(version).toBeDefined()
    const schema = version?.schema ?? {}
    const spec: JsonObject = {
      name: 'abc',
      size: 1,
      kind: 'a',
      port: 80,
      time: '2026-01-01T00:00:00Z',
      items: [{ key: 'x', value: 1 }],
      labels: { a: 'b' },
      any: { deep: [1] },
      template: { apiVersion: 'v1', kind: 'Foo', metadata: { name: 'a' } },
    }
    const valid = { apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'a' }, spec }
    expect(await objectErrors(valid, null, schema)).toEqual([])
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pathsIn(spec)), HOSTILE, async (path, value) => {
        const input = await decoded({ ...valid, spec: replaced(spec, path, value) }, schema)
        if (input === null) return
        await objectErrors(input, null, schema)
        await objectErrors(input, valid, schema)
        await objectErrors(input, input, schema)
        if (version?.scale) scaleOf(input, version.scale)
      }),
      { numRuns: 1000 },
    )
  })
})
