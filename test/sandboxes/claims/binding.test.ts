import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { claimApi, WAIT } from './claim-api.ts'

const DEFAULT = { 'snapshotclass.agents.x-k8s.io/is-default-class': 'true' }

let server: TestServer
let api: ReturnType<typeof claimApi>
const classes: string[] = []

beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all', SANDBOX_RUNTIME: 'off' } })
  api = claimApi(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())
afterEach(async () => {
  for (const name of classes.splice(0)) await api.remove(api.classPath(name))
})

async function createClass(name: string, parts: object = {}, annotations: object = {}) {
  classes.push(name)
  expect((await api.createClass(name, parts, annotations)).status).toBe(201)
}

test('a claim is bound to the class that it names, and reports the observed generation', async () => {
  await createClass('named')
  await api.createClaim('names-class', { snapshotClassName: 'named' })
  await expect
    .poll(() => api.binding('names-class'), WAIT)
    .toBe('True/Bound [named] The claim is bound to the SnapshotClass "named"')
  const { body } = await api.get(api.claimPath('names-class'))
  expect(body.status.observedGeneration).toBe(body.metadata.generation)
})

test('a claim waits for its class, and is bound when the class appears', async () => {
  await api.createClaim('early', { snapshotClassName: 'later' })
  await expect
    .poll(() => api.binding('early'), WAIT)
    .toBe('Unknown/Pending [] The SnapshotClass "later" does not exist')
  await createClass('later')
  await expect.poll(() => api.binding('early'), WAIT).toContain('True/Bound [later]')
})

test('a claim that sets locked parameters is Failed, until it no longer sets them', async () => {
  await createClass('locking', { parameters: { path: 'x' }, lockedParameters: ['path', 'store'] })
  const parameters = { store: 's3', path: 'other' }
  await api.createClaim('greedy', { snapshotClassName: 'locking', parameters })
  await expect
    .poll(() => api.binding('greedy'), WAIT)
    .toBe('False/Failed [] The SnapshotClass "locking" locks the parameters "path", "store"')
  await api.merge(api.claimPath('greedy'), { spec: { parameters: null } })
  await expect.poll(() => api.binding('greedy'), WAIT).toContain('True/Bound [locking]')
})

test('with two default classes, a claim is Failed, names both and picks neither', async () => {
  await createClass('default-a', {}, DEFAULT)
  await createClass('default-b', {}, DEFAULT)
  await api.createClaim('undecided', {})
  await expect
    .poll(() => api.binding('undecided'), WAIT)
    .toBe('False/Failed [] 2 SnapshotClasses are the default: "default-a", "default-b"')
  const annotations = { 'snapshotclass.agents.x-k8s.io/is-default-class': null }
  await api.merge(api.classPath('default-b'), { metadata: { annotations } })
  await expect.poll(() => api.binding('undecided'), WAIT).toContain('True/Bound [default-a]')
})

test('a bound claim keeps its class when the class is removed, and waits for it', async () => {
  await createClass('passing')
  await api.createClaim('faithful', { snapshotClassName: 'passing' })
  await expect.poll(() => api.binding('faithful'), WAIT).toContain('True/Bound')
  await api.remove(api.classPath('passing'))
  await expect
    .poll(() => api.binding('faithful'), WAIT)
    .toBe('Unknown/Pending [passing] The SnapshotClass "passing" does not exist')
})
