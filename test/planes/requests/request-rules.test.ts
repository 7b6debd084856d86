import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearerOf, eventually, type PlaneServer, ROOT, startPlaneServer } from '../identities.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const MAPS = '/api/v1/namespaces/default/configmaps'
const DELETION = { apiVersion: 'v1', kind: 'DeleteOptions' }

let planes: PlaneServer
beforeAll(async () => {
  planes = await startPlaneServer()
})
afterAll(() => planes[Symbol.asyncDispose]())

function create(name: string) {
  return planes.call(ROOT, 'POST', MAPS, { metadata: { name } })
}

test('R32: a field selector in the query does not name the object of a creation', async () => {
  const user = 'creator@example.com'
  const as = bearerOf(user)
  const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'creator' }
  const verbs = ['create', 'deletecollection', 'get', 'list']
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs }]
  const inDefault = `${RBAC}/namespaces/default`
  await planes.call(ROOT, 'POST', `${inDefault}/roles`, { metadata: { name: 'creator' }, rules })
  await planes.call(ROOT, 'POST', `${inDefault}/rolebindings`, {
    metadata: { name: 'creator' },
    roleRef: role,
    subjects: [{ apiGroup: role.apiGroup, kind: 'User', name: user }],
  })
  const selector = '?fieldSelector=metadata.name%3Dmine'
  await eventually(() => planes.call(as, 'GET', MAPS + selector), 200)
  const other = { metadata: { name: 'other' } }
  expect((await planes.call(as, 'POST', MAPS + selector, other)).status).toBe(403)
  expect((await planes.call(as, 'DELETE', MAPS + selector)).status).toBe(403)
})

test('R28: a deletion of a collection needs a namespace', async () => {
  await create('kept')
  expect(await planes.call(ROOT, 'DELETE', '/api/v1/configmaps')).toMatchObject({
    status: 405,
    body: { reason: 'MethodNotAllowed' },
  })
  expect((await planes.call(ROOT, 'GET', `${MAPS}/kept`)).status).toBe(200)
  expect((await planes.call(ROOT, 'GET', '/api/v1/configmaps/kept')).status).toBe(404)
})

test('R9: malformed options of a deletion are 400 and delete nothing', async () => {
  await create('guarded')
  for (const options of [
    { dryRun: true },
    { dryRun: [true] },
    { dryRun: { All: true } },
    { preconditions: { uid: 5 } },
    { preconditions: 'uid' },
    { propagationPolicy: 1 },
    { orphanDependents: 'yes' },
  ]) {
    const body = { ...DELETION, ...options }
    const answer = await planes.call(ROOT, 'DELETE', `${MAPS}/guarded`, body)
    expect(answer, JSON.stringify(options)).toMatchObject({
      status: 400,
      body: { reason: 'BadRequest' },
    })
  }
  expect((await planes.call(ROOT, 'DELETE', `${MAPS}/guarded`, ['All'])).status).toBe(400)
  expect((await planes.call(ROOT, 'GET', `${MAPS}/guarded`)).status).toBe(200)
})

test.each(['/version', '/api', '/apis', '/openapi/v3'])(
  'an invalid timeout of %s is 400',
  async (path) => {
    expect((await planes.call(ROOT, 'GET', `${path}?timeout=0s`)).status).toBe(200)
    expect(await planes.call(ROOT, 'GET', `${path}?timeout=invalid`)).toMatchObject({
      status: 400,
      body: { reason: 'BadRequest', message: 'invalid timeout specified in the request URL' },
    })
  },
)

test('R2: generated names need text, and null counts as absent', async () => {
  for (const generateName of [5, true, { a: 1 }, ['a']]) {
    const answer = await planes.call(ROOT, 'POST', MAPS, { metadata: { generateName } })
    expect(answer, JSON.stringify(generateName)).toMatchObject({ status: 400 })
  }
  const missing = { metadata: { name: null, generateName: null } }
  expect((await planes.call(ROOT, 'POST', MAPS, missing)).status).toBe(422)
  const generated = { metadata: { name: null, generateName: 'made-' } }
  expect(await planes.call(ROOT, 'POST', MAPS, generated)).toMatchObject({
    status: 201,
    body: { metadata: { name: expect.stringMatching(/^made-/) } },
  })
})

test('R22: a dry run of a creation finds that the namespace is missing', async () => {
  const target = '/api/v1/namespaces/nowhere/configmaps'
  const object = { metadata: { name: 'a' } }
  const real = await planes.call(ROOT, 'POST', target, object)
  expect(real).toMatchObject({ status: 404, body: { details: { name: 'nowhere' } } })
  expect(await planes.call(ROOT, 'POST', `${target}?dryRun=All`, object)).toEqual(real)
})

test('R23: many unknown fields send a bounded number of warnings', async () => {
  const unknown = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`unknown-field-${index}`, 1]),
  )
  const response = await fetch(`${planes.server.origin}${MAPS}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ROOT },
    body: JSON.stringify({ metadata: { name: 'warned' }, ...unknown }),
  })
  expect(response.status).toBe(201)
  const warnings = response.headers.get('warning') ?? ''
  expect(warnings).toContain('unknown-field-0')
  expect(warnings.length).toBeLessThan(4608)
})

test('R38: the database and the feed are named checks of readiness, not of liveness', async () => {
  const textOf = async (path: string): Promise<string> =>
    (await fetch(planes.server.origin + path)).text()
  expect(await textOf('/readyz?verbose')).toBe(
    '[+]ping ok\n[+]server ok\n[+]database ok\n[+]writes ok\n[+]feed ok\n[+]configuration ok\n[+]planes ok\nreadyz check passed\n',
  )
  expect(await textOf('/livez?verbose')).toBe('[+]ping ok\nlivez check passed\n')
  const version: unknown = JSON.parse(await textOf('/version'))
  expect(version).toMatchObject({ buildDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) })
})
