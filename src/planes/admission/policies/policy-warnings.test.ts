import { expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { PlaneTypes } from '../../model/type-registry.ts'
import type { Schema } from '../../model/schema.ts'
import { typeOf } from '../fixtures.ts'
import { policyWarnings } from './policy-warnings.ts'

const WIDGET_SCHEMA: Schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
}
const LIMIT_SCHEMA: Schema = {
  type: 'object',
  properties: { max: { type: 'integer' } },
}

function typeWith(kind: string, schema: Schema) {
  const type = typeOf('example.com', kind)
  return { ...type, versions: type.versions.map((version) => ({ ...version, schema })) }
}

const WIDGET = typeWith('Widget', WIDGET_SCHEMA)
const LIMIT = typeWith('Limit', LIMIT_SCHEMA)
const TYPES: PlaneTypes = {
  types: [WIDGET, LIMIT],
  find: (group, version, plural) =>
    group === 'example.com' && version === 'v1' && plural === 'widgets' ? WIDGET : null,
  findByKind: (_group, kind) => (kind === 'Limit' ? LIMIT : null),
}

const RULE = { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] }

function policy(spec: JsonObject): ApiObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: [RULE] }, ...spec },
  }
}

const warningsOf = (expression: string, spec: JsonObject = {}) =>
  policyWarnings(policy({ validations: [{ expression }], ...spec }), TYPES)

test('R31: a policy that does not fit its types gets warnings with field and kind', async () => {
  expect(await warningsOf('object.spec.missing > 1')).toEqual([
    {
      fieldRef: 'spec.validations[0].expression',
      warning: [
        "example.com/v1, Kind=Widget: ERROR: <input>:1:12: undefined field 'missing'",
        ' | object.spec.missing > 1',
        ' | ...........^\n',
      ].join('\n'),
    },
  ])
  const message = { expression: 'true', messageExpression: 'object.spec.size + "a"' }
  expect(await warningsOf('', { validations: [message] })).toMatchObject([
    { fieldRef: 'spec.validations[0].messageExpression' },
  ])
})

test.each([
  ['object.spec.size > 1 && object.metadata.name != "" && !has(object.metadata.labels)', {}],
  ['variables.size > 1', { variables: [{ name: 'size', expression: 'object.spec.size' }] }],
  ['object.spec.size < params.max', { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } }],
  [
    'request.userInfo.groups.exists(g, g == "a") && request.options.anything && !request.dryRun',
    {},
  ],
  ['"x" in request.userInfo.extra["y"] && request.requestKind.kind == "Widget"', {}],
  ['namespaceObject.metadata.labels["a"] == "b" && namespaceObject.status.phase != ""', {}],
  ['params.anything', { paramKind: { apiVersion: 'example.com/v1', kind: 'Unknown' } }],
  ['object.spec.missing', { matchConstraints: { resourceRules: [{ ...RULE, apiGroups: ['*'] }] } }],
])('R31: %s has no warning', async (expression, spec: JsonObject) => {
  expect(await warningsOf(expression, spec)).toEqual([])
})

test.each([
  [
    'variables.size + "a" == "b"',
    { variables: [{ name: 'size', expression: 'object.spec.size' }] },
  ],
  ['variables.other > 1', {}],
  ['request.user == "a"', {}],
  ['request.userInfo.groups == "a"', {}],
  ['namespaceObject.metadata.size > 1', {}],
  ['namespaceObject.metadata.labels[1] == "b"', {}],
  ['params.min > 1', { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } }],
  ['object.metadata.size > 1', {}],
])('R31: %s has a warning', async (expression, spec: JsonObject) => {
  expect(await warningsOf(expression, spec)).toHaveLength(1)
})

test('other work runs between the expressions of a large policy', async () => {
  const validations = Array.from({ length: 50 }, (_, limit) => ({
    expression: `object.spec.size > ${limit}`,
  }))
  let turns = 0
  const count = (): void => {
    turns += 1
    if (turns < Infinity) setImmediate(count)
  }
  setImmediate(count)
  await warningsOf('', { validations })
  const during = turns
  turns = Infinity
  expect(during).toBeGreaterThanOrEqual(50)
})
