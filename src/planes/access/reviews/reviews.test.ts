import { expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import { invalidToken } from '../../../http/auth/tokens/token-errors.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import type { UserInfo } from '../../model/user-info.ts'
import {
  clusterRole,
  clusterRoleBinding,
  roleBinding,
  testPlane,
  userNamed,
} from '../rbac/fixtures.ts'
import { createRbacAuthorizer } from '../rbac/rbac-authorizer.ts'
import { createAccessReviews } from './access-reviews.ts'
import { createIdentityReviews } from './identity-reviews.ts'
import { createRulesReview } from './rules-review.ts'

const ada = userNamed('ada', 'ops')
const reader = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }

const authorizer = createRbacAuthorizer({
  configurations: testPlane(
    clusterRole('reader', [reader]),
    clusterRole('version', [{ nonResourceURLs: ['/version'], verbs: ['get'] }]),
    roleBinding('dev/readers', 'ClusterRole/reader', 'User:ada'),
    clusterRoleBinding('v', 'ClusterRole/version', 'Group:ops'),
    clusterRoleBinding('gone', 'ClusterRole/gone', 'User:eve'),
  ),
})

const authenticator = {
  audienceOf: (plane: string) => `https://flotilla.test/${plane}`,
  authenticateToken: (token: string, { audiences }: { readonly audiences: readonly string[] }) =>
    token === 'good'
      ? Promise.resolve({ user: ada, audiences })
      : Promise.reject(invalidToken('The token is not valid')),
}

const REVIEWS: readonly NativeResource[] = [
  ...createAccessReviews(authorizer),
  createRulesReview(authorizer),
  ...createIdentityReviews(authenticator),
]

async function review(
  plural: string,
  spec: JsonObject,
  { user = ada, namespace = '' }: { readonly user?: UserInfo; readonly namespace?: string } = {},
): Promise<ApiObject> {
  const found = REVIEWS.find(({ type }) => type.plural === plural)
  if (!found?.review) throw new Error(`no review ${plural}`)
  const { group, kind } = found.type
  const metadata = namespace === '' ? {} : { namespace }
  const object = { apiVersion: `${group}/v1`, kind, metadata, spec }
  const context = { plane: 'root', user, version: 'v1', subresource: '', now: new Date(0) }
  return found.review(object, context)
}

const get = { verb: 'get', resource: 'configmaps', namespace: 'dev' }

test('R32: a review of the caller shows the binding that allows the operation', async () => {
  const answer = await review('selfsubjectaccessreviews', { resourceAttributes: get })
  expect(answer).toMatchObject({
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: get },
    status: {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "readers/dev" of ClusterRole "reader" to User "ada"',
    },
  })
})

test('R32: a review of a denied operation has no reason, except for missing roles', async () => {
  const resourceAttributes = { ...get, namespace: 'prod' }
  const denied = await review('selfsubjectaccessreviews', { resourceAttributes })
  expect(denied['status']).toEqual({ allowed: false })
  const missing = await review('subjectaccessreviews', { resourceAttributes, user: 'eve' })
  expect(missing['status']).toEqual({
    allowed: false,
    reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
  })
})

test('R32: a review of another user decides for its name and groups', async () => {
  const nonResourceAttributes = { path: '/version', verb: 'get' }
  const spec = { nonResourceAttributes, user: 'bob', groups: ['ops'] }
  expect((await review('subjectaccessreviews', spec))['status']).toMatchObject({ allowed: true })
  expect((await review('subjectaccessreviews', { ...spec, groups: [] }))['status']).toEqual({
    allowed: false,
  })
})

test.each<[string, JsonObject, string]>([
  ['selfsubjectaccessreviews', {}, 'exactly one of nonResourceAttributes or resourceAttributes'],
  [
    'selfsubjectaccessreviews',
    { resourceAttributes: get, nonResourceAttributes: { path: '/' } },
    'cannot be specified in combination with resourceAttributes',
  ],
  ['subjectaccessreviews', { resourceAttributes: get }, 'at least one of user or group'],
  [
    'localsubjectaccessreviews',
    { resourceAttributes: { ...get, namespace: 'prod' }, user: 'ada' },
    'must match metadata.namespace',
  ],
  [
    'localsubjectaccessreviews',
    { nonResourceAttributes: { path: '/' }, user: 'ada' },
    'disallowed on this kind of request',
  ],
])('R32: %s with %j is 422', async (plural, spec, message) => {
  await expect(review(plural, spec, { namespace: 'dev' })).rejects.toMatchObject({
    code: 422,
    message: expect.stringContaining(message),
  })
})

test('R32: a review in a namespace decides there', async () => {
  const spec = { resourceAttributes: get, user: 'ada' }
  const answer = await review('localsubjectaccessreviews', spec, { namespace: 'dev' })
  expect(answer['status']).toMatchObject({ allowed: true })
})

test('R32: a review lists the rules of the caller in a namespace', async () => {
  const answer = await review('selfsubjectrulesreviews', { namespace: 'dev' })
  expect(answer['status']).toEqual({
    resourceRules: [reader],
    nonResourceRules: [{ nonResourceURLs: ['/version'], verbs: ['get'] }],
    incomplete: false,
  })
  await expect(review('selfsubjectrulesreviews', {})).rejects.toMatchObject({ code: 400 })
  const eve = await review(
    'selfsubjectrulesreviews',
    { namespace: 'x' },
    { user: userNamed('eve') },
  )
  expect(eve['status']).toMatchObject({
    incomplete: true,
    evaluationError: expect.stringContaining('"gone" not found'),
  })
})

test('R35: a review shows the user of a token and does not repeat the token', async () => {
  const answer = await review('tokenreviews', { token: 'good' })
  expect(answer['spec']).toEqual({})
  expect(answer['status']).toEqual({
    authenticated: true,
    user: { username: 'ada', groups: ['ops', 'system:authenticated'] },
    audiences: ['https://flotilla.test/root'],
  })
})

test('R35: a review of an invalid token is not authenticated', async () => {
  expect((await review('tokenreviews', { token: 'bad' }))['status']).toEqual({
    authenticated: false,
    error: 'The token is not valid',
  })
  await expect(review('tokenreviews', {})).rejects.toMatchObject({ code: 400 })
})

test('R34: a review shows the user that the caller acts as', async () => {
  const eve = { ...userNamed('eve'), uid: '17', extra: { scopes: ['read'] } }
  const answer = await review('selfsubjectreviews', {}, { user: eve })
  expect(answer['status']).toEqual({
    userInfo: {
      username: 'eve',
      uid: '17',
      groups: ['system:authenticated'],
      extra: { scopes: ['read'] },
    },
  })
})
