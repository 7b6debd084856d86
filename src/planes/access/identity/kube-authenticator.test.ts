import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { singleIssuer } from '../../../access/issuer-settings.ts'
import { createAuthenticator } from '../../../http/auth/authenticator.ts'
import { CLAIMS, serveKeys, signingKey, testClock, testLog } from '../../../http/auth/fixtures.ts'
import { createGateway } from '../../../http/auth/gateway.ts'
import { clusterRole, clusterRoleBinding, testPlane } from '../rbac/fixtures.ts'
import { createRbacAuthorizer } from '../rbac/rbac-authorizer.ts'
import { testTokens } from '../tokens/fixtures.ts'
import { createKubeAuthenticator, type KubeAuthenticator } from './kube-authenticator.ts'

const issuer = signingKey('ES256', 'issuer-1')
const impersonator = [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }]
const PROXY = '10.0.0.1'

async function authenticatorWith({
  disabled = false,
}: { readonly disabled?: boolean } = {}): Promise<{
  readonly authenticator: KubeAuthenticator
  readonly bearerOfBuilder: string
}> {
  const server = await serveKeys(issuer)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const single = singleIssuer({
    jwksUrl: server.url,
    jwksFile: null,
    issuer: null,
    audience: null,
    groupsClaim: 'groups',
  })
  const authenticator = await createAuthenticator(
    { issuers: single ? [single] : [], disabled },
    { clock: testClock(), log: testLog() },
  )
  onTestFinished(() => authenticator[Symbol.asyncDispose]())
  const { tokens } = testTokens()
  const account = { name: 'builder', uid: 'uid-1' }
  const claims = { plane: 'one', namespace: 'ci', account, secret: null }
  const token = await tokens.issue(claims, [tokens.issuerOf('one')], 3600)
  const gateway = createGateway({
    trustedProxies: [PROXY],
    identityHeader: 'X-Identity',
    systemHeader: 'X-System',
    tenantHeaders: [],
  })
  const authorizer = createRbacAuthorizer({
    configurations: testPlane(
      clusterRole('impersonator', impersonator),
      clusterRoleBinding('b', 'ClusterRole/impersonator', 'Group:ops'),
    ),
  })
  return {
    authenticator: createKubeAuthenticator({
      authenticator,
      gateway,
      authorizer,
      tokens,
      tenantOf: () => Promise.resolve(null),
    }),
    bearerOfBuilder: `Bearer ${token}`,
  }
}

function requestWith(headers: Readonly<Record<string, string>>, address = '127.0.0.1') {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: address })
  const request = new IncomingMessage(socket)
  for (const [name, value] of Object.entries(headers)) {
    request.rawHeaders.push(name, value)
    request.headers[name.toLowerCase()] = value
  }
  return request
}

test('R34: a token of an issuer gives user and groups', async () => {
  const { authenticator } = await authenticatorWith()
  const authorization = issuer.bearer({ ...CLAIMS, groups: ['ops', 'system:masters'] })
  const caller = await authenticator.authenticate(requestWith({ authorization }))
  expect(await caller.userIn('one')).toEqual({
    name: 'ada@example.com',
    uid: '',
    groups: ['ops', 'system:authenticated'],
    extra: {},
  })
})

test('R34: names of the system are never taken from tokens or headers', async () => {
  const { authenticator } = await authenticatorWith()
  const reserved = issuer.bearer({ ...CLAIMS, email: 'system:serviceaccount:ci:builder' })
  await expect(
    authenticator.authenticate(requestWith({ authorization: reserved })),
  ).rejects.toMatchObject({ reason: 'invalid-token' })
  const authorization = issuer.bearer()
  const byGateway = requestWith({ authorization, 'X-Identity': 'system:admin' }, PROXY)
  await expect(authenticator.authenticate(byGateway)).rejects.toMatchObject({
    reason: 'invalid-token',
  })
  await expect(authenticator.authenticate(requestWith({}))).rejects.toMatchObject({
    reason: 'unauthenticated',
  })
})

test('R35: the token of a service account is valid in its plane only', async () => {
  const { authenticator, bearerOfBuilder: authorization } = await authenticatorWith()
  const caller = await authenticator.authenticate(requestWith({ authorization }))
  expect((await caller.userIn('one')).name).toBe('system:serviceaccount:ci:builder')
  await expect(caller.userIn('two')).rejects.toMatchObject({ reason: 'invalid-token' })
})

test('R35: a gateway does not rename a service account', async () => {
  const { authenticator, bearerOfBuilder: authorization } = await authenticatorWith()
  const request = requestWith({ authorization, 'X-Identity': 'ada' }, PROXY)
  const { caller, userIn } = await authenticator.authenticate(request)
  expect(caller.user).toBe('system:serviceaccount:ci:builder')
  expect((await userIn('one')).name).toBe('system:serviceaccount:ci:builder')
})

test('R34: a caller with permission acts as another user', async () => {
  const { authenticator } = await authenticatorWith()
  const authorization = issuer.bearer({ ...CLAIMS, groups: ['ops'] })
  const headers = { authorization, 'Impersonate-User': 'eve' }
  const caller = await authenticator.authenticate(requestWith(headers))
  expect(await caller.userIn('one')).toMatchObject({
    name: 'eve',
    groups: ['system:authenticated'],
    impersonator: { name: 'ada@example.com' },
  })
  const other = await authenticator.authenticate(
    requestWith({ ...headers, authorization: issuer.bearer() }),
  )
  await expect(other.userIn('one')).rejects.toMatchObject({ code: 403 })
})

test('R32: every caller may do everything if authentication is off', async () => {
  const { authenticator } = await authenticatorWith({ disabled: true })
  const anyone = await authenticator.authenticate(requestWith({}))
  expect(await anyone.userIn('one')).toEqual({
    name: 'system:admin',
    uid: '',
    groups: ['system:masters', 'system:authenticated'],
    extra: {},
  })
  const named = await authenticator.authenticate(requestWith({ 'X-Identity': 'ada' }, PROXY))
  expect((await named.userIn('one')).name).toBe('ada')
})

test('R35: reviews accept tokens of issuers and of the service accounts of the plane', async () => {
  const { authenticator, bearerOfBuilder } = await authenticatorWith()
  const token = bearerOfBuilder.slice('Bearer '.length)
  const review = (text: string, plane: string, ...others: string[]) => {
    const audiences = others.length > 0 ? others : [authenticator.audienceOf(plane)]
    return authenticator.authenticateToken(text, { plane, audiences })
  }
  const audiences = ['https://flotilla.test/one']
  expect(await review(token, 'one')).toMatchObject({ user: { uid: 'uid-1' }, audiences })
  await expect(review(token, 'two')).rejects.toMatchObject({ reason: 'invalid-token' })
  await expect(review(token, 'one', 'vault')).rejects.toMatchObject({ reason: 'invalid-token' })
  const external = issuer.bearer().slice('Bearer '.length)
  expect(await review(external, 'one')).toMatchObject({
    user: { name: 'ada@example.com' },
    audiences,
  })
  await expect(review(external, 'one', 'vault')).rejects.toMatchObject({ reason: 'invalid-token' })
})

test('a request of a sandbox never becomes the administrator of a server that needs no token', async () => {
  const { authenticator, bearerOfBuilder: authorization } = await authenticatorWith({
    disabled: true,
  })
  const headers = { 'X-Flotilla-Sandbox': '100.65.0.1' }
  for (const request of [requestWith(headers), requestWith({ ...headers, authorization })]) {
    await expect(authenticator.authenticate(request)).rejects.toMatchObject({
      reason: 'invalid-token',
      message: 'This server needs no token, so it answers no requests of sandboxes',
    })
  }
})
