import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { UserInfo } from '../../model/user-info.ts'
import { clusterRole, clusterRoleBinding, testPlane, userNamed } from '../rbac/fixtures.ts'
import { createRbacAuthorizer } from '../rbac/rbac-authorizer.ts'
import { impersonatedUser } from './impersonation.ts'

function requestWith(...lines: readonly (readonly [string, string])[]): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  for (const [name, value] of lines) {
    request.rawHeaders.push(name, value)
    request.headers[name.toLowerCase()] ??= value
  }
  return request
}

const rules = [
  { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['eve'] },
  { apiGroups: [''], resources: ['groups'], verbs: ['impersonate'], resourceNames: ['dev'] },
  { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
  {
    apiGroups: ['authentication.k8s.io'],
    resources: ['userextras/scopes'],
    verbs: ['impersonate'],
    resourceNames: ['read'],
  },
  { apiGroups: ['authentication.k8s.io'], resources: ['uids'], verbs: ['impersonate'] },
]

const authorizer = createRbacAuthorizer({
  configurations: testPlane(
    clusterRole('impersonator', rules),
    clusterRoleBinding('b', 'ClusterRole/impersonator', 'User:ada'),
  ),
})

function impersonate(...lines: readonly (readonly [string, string])[]): Promise<UserInfo | null> {
  const caller = userNamed('ada')
  return impersonatedUser(requestWith(...lines), { plane: 'root', caller }, authorizer)
}

test('R34: a request without the headers acts as its caller', async () => {
  expect(await impersonate(['Accept', 'application/json'])).toBe(null)
})

test('R34: acts as the named user with the groups, uid and extras of the headers', async () => {
  expect(
    await impersonate(
      ['Impersonate-User', 'eve'],
      ['Impersonate-Group', 'dev'],
      ['Impersonate-Uid', '17'],
      ['Impersonate-Extra-Scopes', 'read'],
    ),
  ).toEqual({
    name: 'eve',
    uid: '17',
    groups: ['dev', 'system:authenticated'],
    extra: { scopes: ['read'] },
    impersonator: userNamed('ada'),
  })
})

test('R34: a service account has its groups', async () => {
  expect(await impersonate(['Impersonate-User', 'system:serviceaccount:ci:builder'])).toEqual({
    name: 'system:serviceaccount:ci:builder',
    uid: '',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:ci', 'system:authenticated'],
    extra: {},
    impersonator: userNamed('ada'),
  })
})

test.each([
  [['Impersonate-User', 'root'], 'users "root" is forbidden: User "ada" cannot impersonate'],
  [['Impersonate-Group', 'system:masters'], 'groups "system:masters" is forbidden'],
  [['Impersonate-Extra-Scopes', 'write'], 'userextras.authentication.k8s.io "write" is forbidden'],
  [['Impersonate-Extra-Other', 'read'], 'userextras.authentication.k8s.io "read" is forbidden'],
] as const)('R34: %j is 403 without permission to impersonate it', async (line, message) => {
  const user = line[0] === 'Impersonate-User' ? [] : [['Impersonate-User', 'eve'] as const]
  await expect(impersonate(line, ...user)).rejects.toMatchObject({
    code: 403,
    message: expect.stringContaining(message),
  })
})

test.each(['Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-a'])(
  'R34: %s without a user is 400',
  async (header) => {
    await expect(impersonate([header, 'x'])).rejects.toMatchObject({ code: 400 })
  },
)

test.each([
  [[['Impersonate-User', '']]],
  [
    [
      ['Impersonate-User', 'eve'],
      ['Impersonate-User', 'bob'],
    ],
  ],
  [
    [
      ['Impersonate-User', 'eve'],
      ['Impersonate-Uid', '1'],
      ['Impersonate-Uid', '2'],
    ],
  ],
  [
    [
      ['Impersonate-User', 'eve'],
      ['Impersonate-Groups', 'dev'],
    ],
  ],
  [[['Impersonate-User', 'a\tb']]],
] as const)('R34: %j is 400, because a header would be ignored', async (lines) => {
  await expect(impersonate(...lines)).rejects.toMatchObject({ code: 400 })
})

test('R34: extras cannot name members of prototypes', async () => {
  await expect(
    impersonate(['Impersonate-User', 'eve'], ['Impersonate-Extra-__proto__', 'x']),
  ).rejects.toMatchObject({ code: 403 })
})

test('R34: the number of headers is bounded', async () => {
  const groups = Array.from({ length: 201 }, () => ['Impersonate-Group', 'dev'] as const)
  await expect(impersonate(['Impersonate-User', 'eve'], ...groups)).rejects.toMatchObject({
    code: 400,
  })
})
