import { expect, test } from 'vitest'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import type { AccessDecision } from '../../model/access.ts'
import {
  clusterRole,
  clusterRoleBinding,
  operation,
  role,
  roleBinding,
  testPlane,
  userNamed,
} from './fixtures.ts'
import { createRbacAuthorizer } from './rbac-authorizer.ts'

const ada = userNamed('ada', 'ops')

function decide(
  objects: readonly StoredObject[],
  ...attributes: Parameters<typeof operation>
): Promise<AccessDecision> {
  const authorizer = createRbacAuthorizer({ configurations: testPlane(...objects) })
  return authorizer.authorize(operation(...attributes))
}

const reader = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }]

test('R32: denies with the reason of Kubernetes if no binding applies', async () => {
  expect(await decide([], ada, 'list configmaps', { namespace: 'default' })).toEqual({
    allowed: false,
    reason:
      'User "ada" cannot list resource "configmaps" in API group "" in the namespace "default"',
  })
  expect((await decide([], ada, 'get nodes.metrics.k8s.io/stats')).reason).toBe(
    'User "ada" cannot get resource "nodes/stats" in API group "metrics.k8s.io" at the cluster scope',
  )
  expect((await decide([], ada, 'get /version')).reason).toBe(
    'User "ada" cannot get path "/version"',
  )
})

test('R32: a role binding applies in its namespace only', async () => {
  const objects = [
    clusterRole('reader', reader),
    roleBinding('dev/readers', 'ClusterRole/reader', 'Group:ops'),
  ]
  const allowed = await decide(objects, ada, 'list configmaps', { namespace: 'dev' })
  expect(allowed).toEqual({
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "readers/dev" of ClusterRole "reader" to Group "ops"',
  })
  for (const namespace of ['prod', '']) {
    expect((await decide(objects, ada, 'list configmaps', { namespace })).allowed).toBe(false)
  }
})

test('R32: a cluster role binding applies in all namespaces and at the cluster scope', async () => {
  const objects = [
    clusterRole('reader', reader),
    clusterRoleBinding('readers', 'ClusterRole/reader', 'User:ada'),
  ]
  for (const namespace of ['dev', '']) {
    expect(await decide(objects, ada, 'get configmaps', { namespace })).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to User "ada"',
    })
  }
  expect((await decide(objects, userNamed('eve'), 'get configmaps')).allowed).toBe(false)
})

test('R32: a binding names service accounts of other namespaces', async () => {
  const builder = userNamed('system:serviceaccount:ci:builder')
  const objects = [
    role('dev', 'reader', reader),
    roleBinding('dev/b', 'Role/reader', 'ServiceAccount:ci/builder'),
  ]
  expect((await decide(objects, builder, 'get configmaps', { namespace: 'dev' })).allowed).toBe(
    true,
  )
  expect((await decide(objects, builder, 'get configmaps', { namespace: 'ci' })).allowed).toBe(
    false,
  )
})

test('R32: a denial names roles that bindings refer to and that do not exist', async () => {
  const objects = [roleBinding('dev/b', 'Role/gone', 'User:ada')]
  expect((await decide(objects, ada, 'get configmaps', { namespace: 'dev' })).reason).toBe(
    'User "ada" cannot get resource "configmaps" in API group "" in the namespace "dev": RBAC: role.rbac.authorization.k8s.io "gone" not found',
  )
})

test('R32: members of system:masters may do everything', async () => {
  const root = userNamed('root', 'system:masters')
  expect((await decide([], root, 'delete namespaces', { name: 'default' })).allowed).toBe(true)
})

test('R32: an administrator of a plane needs no binding', async () => {
  const authorizer = createRbacAuthorizer({
    configurations: testPlane(),
    isAdministrator: (plane, user) => plane === 'root' && user.name === 'ada',
  })
  const attributes = operation(ada, 'delete secrets', { namespace: 'dev' })
  expect((await authorizer.authorize(attributes)).allowed).toBe(true)
  expect((await authorizer.authorize({ ...attributes, plane: 'other' })).allowed).toBe(false)
})

test('R32: an aggregated role has the rules of the roles that it selects', async () => {
  const select = (key: string) => ({
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [key]: 'true' } }] },
  })
  const label = (key: string) => ({ metadata: { labels: { [key]: 'true' } } })
  const plane = testPlane(
    clusterRole('edit', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], select('to-edit')),
    clusterRole('view', [], { ...select('to-view'), ...label('to-edit') }),
    clusterRole('maps', reader, label('to-view')),
    clusterRoleBinding('b', 'ClusterRole/edit', 'User:ada'),
  )
  const authorizer = createRbacAuthorizer({ configurations: plane })
  const allowed = async (text: string) => (await authorizer.authorize(operation(ada, text))).allowed
  expect(await allowed('get configmaps')).toBe(true)
  expect(await allowed('get fleets.kplane.dev')).toBe(false)
  plane.objects = [
    ...plane.objects,
    clusterRole(
      'fleets',
      [{ apiGroups: ['kplane.dev'], resources: ['fleets'], verbs: ['get'] }],
      label('to-view'),
    ),
  ]
  expect(await allowed('get fleets.kplane.dev')).toBe(true)
})

test('R32: aggregated roles that select each other end', async () => {
  const every = { aggregationRule: { clusterRoleSelectors: [{}] } }
  const objects = [
    clusterRole('a', [], every),
    clusterRole('b', [], every),
    clusterRoleBinding('x', 'ClusterRole/a', 'User:ada'),
  ]
  expect((await decide(objects, ada, 'get configmaps')).allowed).toBe(false)
})

test('R32: malformed roles and bindings grant nothing', async () => {
  const objects = [
    clusterRole('x', [{ verbs: 'get', apiGroups: 7, resources: null }]),
    clusterRoleBinding('__proto__', 'ClusterRole/x', 'User:ada', 'User:__proto__'),
    roleBinding('dev/y', 'Pod/x', 'User:ada'),
  ]
  expect((await decide(objects, ada, 'get configmaps', { namespace: 'dev' })).allowed).toBe(false)
  expect((await decide(objects, userNamed('__proto__'), 'get configmaps')).allowed).toBe(false)
})

test('R32: lists the rules of a user in a namespace', async () => {
  const resolver = createRbacAuthorizer({
    configurations: testPlane(
      clusterRole('reader', reader),
      roleBinding('dev/readers', 'ClusterRole/reader', 'Group:ops', 'User:ada'),
      roleBinding('dev/gone', 'Role/gone', 'User:ada'),
    ),
  })
  expect(await resolver.rulesFor('root', ada, 'dev')).toEqual({
    rules: [{ ...reader[0], resourceNames: [], nonResourceURLs: [] }],
    errors: ['role.rbac.authorization.k8s.io "gone" not found'],
  })
  expect(await resolver.rulesFor('root', ada, '')).toEqual({ rules: [], errors: [] })
})

const many = Array.from({ length: 1000 }, (_, index) => `x${index}`)

test('R32: a decision compares a limited number of rules', async () => {
  const large = { apiGroups: [''], resources: many, verbs: ['get'] }
  const rules = Array.from({ length: 100 }, () => large)
  const objects = Array.from({ length: 10 }, (_, index) => [
    clusterRole(`large-${index}`, rules),
    clusterRoleBinding(`large-${index}`, `ClusterRole/large-${index}`, 'User:ada'),
  ]).flat()
  const decision = await decide(objects, ada, 'get configmaps')
  expect(decision).toEqual({
    allowed: false,
    reason: expect.stringMatching(/: RBAC: the roles of the user have too many rules$/),
  })
  const resolver = createRbacAuthorizer({ configurations: testPlane(...objects) })
  const { rules: listed, errors } = await resolver.rulesFor('root', ada, '')
  expect(errors).toEqual(['the roles of the user have too many rules'])
  expect(listed.length).toBeLessThan(1000)
})

test('R32: an aggregated role compares a limited number of labels', async () => {
  const clusterRoleSelectors = many.map((value) => ({ matchLabels: { other: value } }))
  const last = { matchLabels: { 'to-view': 'true' } }
  const roles = many.map((name) => clusterRole(name, [], { metadata: { labels: { a: name } } }))
  const label = { metadata: { labels: { 'to-view': 'true' } } }
  const view = (selectors: readonly object[]) => [
    ...roles,
    clusterRole('maps', reader, label),
    clusterRole('view', [], { aggregationRule: { clusterRoleSelectors: selectors } }),
    clusterRoleBinding('b', 'ClusterRole/view', 'User:ada'),
  ]
  const allowed = async (selectors: readonly object[]) =>
    (await decide(view(selectors), ada, 'get configmaps')).allowed
  expect(await allowed([last])).toBe(true)
  expect(await allowed([...clusterRoleSelectors, last])).toBe(false)
})
