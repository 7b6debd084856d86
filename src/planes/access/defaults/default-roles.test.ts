import { expect, test } from 'vitest'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { UserInfo } from '../../model/user-info.ts'
import { clusterRoleBinding, operation, testPlane, userNamed } from '../rbac/fixtures.ts'
import { createRbacAuthorizer } from '../rbac/rbac-authorizer.ts'
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES } from '../rbac/role-objects.ts'
import { clusterRoleBindingObjects, clusterRoleObjects } from './default-role.ts'
import { DEFAULT_CLUSTER_ROLE_BINDINGS, DEFAULT_CLUSTER_ROLES } from './default-roles.ts'

const plane = {
  plane: 'root',
  createdTime: new Date(Date.UTC(2026, 0, 1)),
  uidOf: (seed: string) => `uid of ${seed}`,
}

function stored(resource: string, object: ApiObject): StoredObject {
  const { name = '', uid = '' } = object.metadata
  return {
    plane: 'root',
    resource,
    namespace: '',
    name,
    uid,
    revision: 1n,
    body: object,
    managedFields: [],
  }
}

const roles = clusterRoleObjects(plane, DEFAULT_CLUSTER_ROLES)
const bindings = clusterRoleBindingObjects(plane, DEFAULT_CLUSTER_ROLE_BINDINGS)
const authorizer = createRbacAuthorizer({
  configurations: testPlane(
    ...roles.map((object) => stored(CLUSTER_ROLES, object)),
    ...bindings.map((object) => stored(CLUSTER_ROLE_BINDINGS, object)),
    ...['admin', 'edit', 'view'].map((name) =>
      clusterRoleBinding(name, `ClusterRole/${name}`, `User:${name}`),
    ),
  ),
})

async function mayDo(user: UserInfo, text: string, namespace = ''): Promise<boolean> {
  return (await authorizer.authorize(operation(user, text, { namespace }))).allowed
}

test('R32: default roles name their plane and its creation', () => {
  expect(roles.find(({ metadata }) => metadata.name === 'view')).toEqual({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name: 'view',
      uid: 'uid of clusterroles/view',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {
        'kubernetes.io/bootstrapping': 'rbac-defaults',
        'rbac.authorization.k8s.io/aggregate-to-edit': 'true',
      },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    aggregationRule: {
      clusterRoleSelectors: [
        { matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      ],
    },
    rules: expect.any(Array),
  })
})

test('R32: an aggregated default role shows the rules that it has', async () => {
  for (const name of ['admin', 'edit', 'view']) {
    const shown = roles.find(({ metadata }) => metadata.name === name)?.['rules']
    const { rules } = await authorizer.rulesFor('root', userNamed(name), 'dev')
    const basic = await authorizer.rulesFor('root', userNamed('nobody'), 'dev')
    expect(rules.length - basic.rules.length).toBe(Array.isArray(shown) && shown.length)
  }
})

test.each([
  ['view', 'list configmaps', true],
  ['view', 'list secrets', false],
  ['view', 'create configmaps', false],
  ['edit', 'list secrets', true],
  ['edit', 'deletecollection configmaps', true],
  ['edit', 'create serviceaccounts/token', true],
  ['edit', 'create roles.rbac.authorization.k8s.io', false],
  ['admin', 'create roles.rbac.authorization.k8s.io', true],
  ['admin', 'create clusterroles.rbac.authorization.k8s.io', false],
  ['admin', 'escalate roles.rbac.authorization.k8s.io', false],
  ['admin', 'list fleets.kplane.dev', false],
])('R32: the default role %s decides about %j: %s', async (name, text, expected) => {
  expect(await mayDo(userNamed(name), text, 'dev')).toBe(expected)
})

test('R32: authenticated users discover the API and review themselves, and nothing else', async () => {
  const user = userNamed('nobody')
  for (const text of [
    'get /apis/apps/v1',
    'get /openapi/v3',
    'get /version',
    'create selfsubjectaccessreviews.authorization.k8s.io',
    'create selfsubjectreviews.authentication.k8s.io',
  ]) {
    expect(await mayDo(user, text), text).toBe(true)
  }
  for (const text of ['list namespaces', 'create tokenreviews.authentication.k8s.io', 'get /x']) {
    expect(await mayDo(user, text), text).toBe(false)
  }
})

test('R32: anonymous users read the version and the health of a plane only', async () => {
  const anonymous = {
    name: 'system:anonymous',
    uid: '',
    groups: ['system:unauthenticated'],
    extra: {},
  }
  expect(await mayDo(anonymous, 'get /readyz')).toBe(true)
  expect(await mayDo(anonymous, 'get /apis')).toBe(false)
})
