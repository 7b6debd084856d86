import jwt from 'jsonwebtoken'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { userNamed } from '../rbac/fixtures.ts'
import { testTokens } from './fixtures.ts'
import { createTokenRequestHandler } from './token-request.ts'

function request(spec: JsonObject, metadata: JsonObject = {}, dryRun = false): Promise<ApiObject> {
  const { tokens, clock, readObject } = testTokens()
  const handle = createTokenRequestHandler({ tokens, readObject, maxTokenAge: 86_400 })
  return handle({
    context: {
      plane: 'one',
      user: userNamed('ada'),
      version: 'v1',
      subresource: 'token',
      now: clock(),
    },
    object: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'builder', namespace: 'ci', uid: 'uid-1' },
    },
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata,
      spec,
    },
    dryRun,
  })
}

function tokenOf({ status }: ApiObject): string {
  return typeof status === 'object' && status !== null && 'token' in status
    ? String(status['token'])
    : ''
}

test('R35: a token request returns a token that is valid for an hour by default', async () => {
  const answer = await request({})
  expect(answer).toMatchObject({
    kind: 'TokenRequest',
    metadata: { name: 'builder', namespace: 'ci' },
    spec: { audiences: ['https://flotilla.test/one'], expirationSeconds: 3600 },
    status: { expirationTimestamp: '2026-01-01T01:00:00Z' },
  })
  expect(jwt.decode(tokenOf(answer))).toMatchObject({ sub: 'system:serviceaccount:ci:builder' })
})

test('R35: the validity of a token is limited', async () => {
  expect(await request({ expirationSeconds: 10_000_000 })).toMatchObject({
    spec: { expirationSeconds: 86_400 },
    status: { expirationTimestamp: '2026-01-02T00:00:00Z' },
  })
  await expect(request({ expirationSeconds: 599 })).rejects.toMatchObject({
    code: 422,
    message:
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
  })
  await expect(request({ expirationSeconds: 2 ** 33 })).rejects.toMatchObject({ code: 422 })
  await expect(request({ expirationSeconds: 'x' })).rejects.toMatchObject({ code: 400 })
})

test('R35: a token can be bound to a secret', async () => {
  const reference = { apiVersion: 'v1', kind: 'Secret', name: 'key' }
  const answer = await request({ boundObjectRef: reference })
  expect(jwt.decode(tokenOf(answer))).toMatchObject({
    'kubernetes.io': { secret: { name: 'key', uid: 'uid-2' } },
  })
  await expect(request({ boundObjectRef: { ...reference, uid: 'other' } })).rejects.toMatchObject({
    code: 409,
  })
  await expect(request({ boundObjectRef: { ...reference, name: 'gone' } })).rejects.toMatchObject({
    code: 404,
  })
  await expect(request({ boundObjectRef: { ...reference, kind: 'Pod' } })).rejects.toMatchObject({
    code: 400,
  })
})

test('R35: the metadata of a token request must match the service account', async () => {
  await expect(request({}, { name: 'other' })).rejects.toMatchObject({ code: 422 })
  await expect(request({}, { namespace: 'other' })).rejects.toMatchObject({ code: 422 })
  await expect(request({}, { uid: 'other' })).rejects.toMatchObject({ code: 409 })
  await request({}, { name: 'builder', namespace: 'ci', uid: 'uid-1' })
})

test('R35: a dry run issues no token', async () => {
  expect(tokenOf(await request({}, {}, true))).toBe('')
})
