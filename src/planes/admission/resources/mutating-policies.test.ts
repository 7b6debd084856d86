import { expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import {
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
} from './mutating-policies.ts'

const CONTEXT = {
  plane: 'p',
  user: { name: 'jane', uid: '', groups: [], extra: {} },
  version: 'v1beta1',
  subresource: '',
  now: new Date(0),
}
const RULE = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
const APPLY = {
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
}
const PATCH = {
  patchType: 'JSONPatch',
  jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/data"}]' },
}
const SPEC = {
  matchConstraints: { resourceRules: [RULE] },
  reinvocationPolicy: 'Never',
  mutations: [APPLY, PATCH],
}

async function errorsOf({ type, strategy }: NativeResource, spec: JsonObject): Promise<string> {
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1beta1',
    kind: type.kind,
    metadata: { name: 'a' },
    spec,
  }
  const errors = (await strategy?.validate?.(object, null, CONTEXT)) ?? []
  return errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
}

test('R31: a complete mutating policy is valid', async () => {
  expect(await errorsOf(MUTATING_ADMISSION_POLICIES, SPEC)).toBe('')
  expect(await errorsOf(MUTATING_ADMISSION_POLICY_BINDINGS, { policyName: 'a' })).toBe('')
})

test.each([MUTATING_ADMISSION_POLICIES, MUTATING_ADMISSION_POLICY_BINDINGS])(
  'R31: $type.plural are stored as v1beta1, which servers before v1 read',
  ({ type }) => {
    expect(type.storageVersion).toBe('v1beta1')
    expect(type.versions.map(({ name }) => name)).toEqual(['v1', 'v1beta1'])
    const group = 'admissionregistration.k8s.io'
    const object = {
      apiVersion: `${group}/v1`,
      kind: type.kind,
      metadata: { name: 'a' },
      spec: SPEC,
    }
    const stored = type.convert?.(object, 'v1beta1')
    expect(stored).toEqual({ ...object, apiVersion: `${group}/v1beta1` })
  },
)

const applyOf = (expression: string) => ({ ...APPLY, applyConfiguration: { expression } })
const patchOf = (expression: string) => ({ ...PATCH, jsonPatch: { expression } })

test.each<[JsonObject, string]>([
  [{ reinvocationPolicy: 'Always' }, 'spec.reinvocationPolicy: Unsupported value: "Always"'],
  [{ mutations: [] }, 'spec.mutations: Required value'],
  [{ matchConstraints: null }, 'spec.matchConstraints: Required value'],
  [{ mutations: [{}] }, 'spec.mutations[0].patchType: Required value'],
  [{ mutations: [{ patchType: 'Merge' }] }, 'spec.mutations[0].patchType: Unsupported value'],
  [{ mutations: [{ patchType: 'JSONPatch' }] }, 'spec.mutations[0].jsonPatch: Required value'],
  [{ mutations: [{ ...APPLY, jsonPatch: {} }] }, 'spec.mutations[0].jsonPatch: Forbidden'],
  [{ mutations: [applyOf('{"a": 1}')] }, 'must evaluate to Object, found map(string, int)'],
  [{ mutations: [applyOf('Object.spec{}')] }, 'must evaluate to Object, found Object.spec'],
  [{ mutations: [applyOf('Other{}')] }, "undeclared reference to 'Other'"],
  [{ mutations: [patchOf('JSONPatch{}')] }, 'must evaluate to list(JSONPatch), found JSONPatch'],
  [{ mutations: [patchOf('[JSONPatch{op: 1}]')] }, "expected type 'string' but found 'int'"],
  [{ mutations: [patchOf('[JSONPatch{operation: "add"}]')] }, "undefined field 'operation'"],
])('R31: rejects the mutating policy %j', async (members, expected) => {
  expect(await errorsOf(MUTATING_ADMISSION_POLICIES, { ...SPEC, ...members })).toContain(expected)
})

test('R31: rejects a binding without the name of its policy', async () => {
  expect(await errorsOf(MUTATING_ADMISSION_POLICY_BINDINGS, {})).toBe(
    'spec.policyName: Required value',
  )
})
