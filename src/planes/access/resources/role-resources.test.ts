import { expect, test } from 'vitest'
import type { ApiObject } from '../../model/api-object.ts'
import { bindingErrors } from './binding-errors.ts'
import { roleErrors } from './role-errors.ts'
import { createRoleResources } from './role-resources.ts'

const RBAC = 'rbac.authorization.k8s.io'

function object(content: object): ApiObject {
  return { apiVersion: `${RBAC}/v1`, kind: 'X', metadata: { name: 'x' }, ...content }
}

function messages(errors: ReturnType<typeof roleErrors>): string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`)
}

const valid = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }

test('R32: a rule needs verbs, groups and resources', () => {
  expect(messages(roleErrors(object({ rules: [valid] }), true))).toEqual([])
  expect(messages(roleErrors(object({}), true))).toEqual([])
  expect(messages(roleErrors(object({ rules: [valid, { verbs: [] }] }), true))).toEqual([
    'rules[1].verbs: Required value: verbs must contain at least one value',
    'rules[1].apiGroups: Required value: resource rules must supply at least one api group',
    'rules[1].resources: Required value: resource rules must supply at least one resource',
  ])
})

test('R32: only cluster roles have rules for paths, and those have no resources', () => {
  const rule = { nonResourceURLs: ['/version'], verbs: ['get'] }
  expect(messages(roleErrors(object({ rules: [rule] }), false))).toEqual([])
  expect(messages(roleErrors(object({ rules: [rule] }), true))).toEqual([
    'rules[0].nonResourceURLs: Invalid value: ["/version"]: namespaced rules cannot apply to non-resource URLs',
  ])
  expect(messages(roleErrors(object({ rules: [{ ...rule, ...valid }] }), false))).toEqual([
    'rules[0].nonResourceURLs: Invalid value: ["/version"]: rules cannot apply to both regular resources and non-resource URLs',
  ])
})

test('R32: an aggregated role needs valid selectors', () => {
  const withSelectors = (clusterRoleSelectors: object[]) =>
    messages(roleErrors(object({ aggregationRule: { clusterRoleSelectors } }), false))
  expect(withSelectors([{ matchLabels: { a: 'b' } }])).toEqual([])
  expect(withSelectors([])).toEqual([
    'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
  ])
  expect(withSelectors([{ matchLabels: { 'a b': 'c' } }])).toHaveLength(1)
})

const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' }

test('R32: the role of a binding never changes', () => {
  const binding = object({ roleRef })
  expect(messages(bindingErrors(binding, binding, true))).toEqual([])
  const changed = object({ roleRef: { ...roleRef, name: 'edit' } })
  expect(messages(bindingErrors(changed, binding, true))).toEqual([
    `roleRef: Invalid value: {"apiGroup":"${RBAC}","kind":"ClusterRole","name":"edit"}: cannot change roleRef`,
  ])
})

test('R32: a cluster role binding refers to a cluster role', () => {
  const binding = object({ roleRef: { ...roleRef, kind: 'Role' } })
  expect(messages(bindingErrors(binding, null, true))).toEqual([])
  expect(messages(bindingErrors(binding, null, false))).toEqual([
    'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
  ])
  expect(messages(bindingErrors(object({ roleRef: { name: 'a/b' } }), null, true))).toHaveLength(3)
})

test('R32: subjects have the group of their kind', () => {
  const subjects = [
    { kind: 'User', name: 'ada', apiGroup: RBAC },
    { kind: 'ServiceAccount', name: 'builder', namespace: 'ci' },
    { kind: 'User', name: 'eve' },
    { kind: 'ServiceAccount', name: '' },
    { kind: 'Robot', name: 'r2' },
  ]
  expect(messages(bindingErrors(object({ roleRef, subjects }), null, false))).toEqual([
    `subjects[2].apiGroup: Unsupported value: "": supported values: "${RBAC}"`,
    'subjects[3].name: Required value',
    'subjects[3].namespace: Required value',
    'subjects[4].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
  ])
})

test('R32: a program adds roles to some planes', () => {
  const [, clusterRoles] = createRoleResources((plane) =>
    plane === 'root' ? [{ name: 'fleet-reader', rules: [] }] : [],
  )
  const namesIn = (plane: string) =>
    clusterRoles
      ?.initialObjects?.({ plane, createdTime: new Date(0), uidOf: (seed) => seed })
      .map(({ metadata }) => metadata.name)
  expect(namesIn('root')).toContain('fleet-reader')
  expect(namesIn('other')).not.toContain('fleet-reader')
})

test('R32: users and groups get the group of their kind', () => {
  const [, , roleBindings] = createRoleResources()
  const context = {
    plane: 'root',
    user: { name: 'ada', uid: '', groups: [], extra: {} },
    version: 'v1',
    subresource: '',
    now: new Date(0),
  }
  const subjects = [
    { kind: 'User', name: 'ada' },
    { kind: 'ServiceAccount', name: 'builder', namespace: 'ci' },
  ]
  const binding = object({ roleRef, subjects })
  const prepared = roleBindings?.strategy?.prepareCreate?.(binding, context)
  expect(prepared?.['subjects']).toEqual([{ ...subjects[0], apiGroup: RBAC }, subjects[1]])
  expect(prepared && roleBindings?.strategy?.prepareUpdate?.(prepared, prepared, context)).toBe(
    prepared,
  )
})
