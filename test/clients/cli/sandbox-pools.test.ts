import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ReferenceFixture,
  startReferenceFixture,
} from '../../sandboxes/support/start-reference-fixture.ts'
import { openFlotillaCommand, type FlotillaCommand } from './flotilla-command.ts'

let fixture: ReferenceFixture
let flotilla: FlotillaCommand

beforeAll(async () => {
  fixture = await startReferenceFixture()
  flotilla = await openFlotillaCommand(fixture.server.origin)
}, 120_000)
afterAll(async () => {
  await flotilla[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

const run = (...args: readonly string[]) => flotilla.run(['sandbox', ...args])
const createPool = (name: string, ...options: readonly string[]) =>
  run('pool', 'create', name, ...options, '--', 'sleep', '1000')
const claimText = (pool: string, path: string, ...options: readonly string[]) =>
  run('claim', pool, ...options, '-o', `jsonpath=${path}`)
const extension = async (plural: string, name = '') => {
  const base = '/apis/extensions.agents.x-k8s.io/v1beta1/namespaces/default'
  return await fixture.api.call('GET', `${base}/${plural}/${name}`.replace(/\/$/, ''))
}

/** Claims until the reason is shown, and expects that the command repeats it after its timeout. */
async function expectUnclaimed(reason: string, ...args: readonly string[]): Promise<void> {
  const claim = flotilla.start(['sandbox', 'claim', ...args, '--timeout', '1h'])
  await expect.poll(claim.errors).toContain(reason)
  claim.expire()
  const { code, err } = await claim.result
  expect([code, err]).toEqual([4, expect.stringMatching(`not Ready after 3600 s[^]*${reason}`)])
}

test('a pool gives ready sandboxes to claims until it is deleted', async () => {
  const created = await createPool('python', '--replicas', '2', '--memory', '64Mi')
  expect(created).toMatchObject({
    code: 0,
    out: 'sandboxwarmpool/python has 2 ready sandboxes\n',
  })
  const template = (await extension('sandboxtemplates', 'python')).body.spec
  expect(template.podTemplate.spec.containers).toMatchObject([
    { command: ['sleep', '1000'], resources: { limits: { memory: '64Mi' } } },
  ])
  expect(await run('pool', 'list', '-o', 'name')).toMatchObject({
    out: 'sandboxwarmpool/default/python\n',
  })

  const claimed = await run('claim', 'python', '--name', 'session', '--ttl', '1h')
  const text = /^sandbox\/(python-\w+) claimed by sandboxclaim\/session\n$/
  expect(claimed).toMatchObject({ code: 0, out: expect.stringMatching(text) })
  const sandbox = text.exec(claimed.out)?.[1] ?? ''
  const { metadata } = (await fixture.api.getSandbox(sandbox)).body
  expect(metadata.labels).toMatchObject({ 'agents.x-k8s.io/launch-type': 'warm' })
  const { lifecycle } = (await extension('sandboxclaims', 'session')).body.spec
  expect(lifecycle.shutdownPolicy).toBe('Delete')

  const scaled = await run('pool', 'scale', 'python', '3')
  expect(scaled).toMatchObject({ code: 0, out: 'sandboxwarmpool/python has 3 sandboxes\n' })
  const deleted = await run('pool', 'delete', 'python')
  expect(deleted).toMatchObject({
    code: 0,
    out: 'sandboxwarmpool/python deleted\n',
  })
  await expect.poll(async () => (await extension('sandboxtemplates', 'python')).status).toBe(404)
  expect((await fixture.api.getSandbox(sandbox)).status).toBe(200)

  const released = await run('release', sandbox)
  expect(released).toMatchObject({
    code: 0,
    out: 'sandboxclaim/session deleted\n',
  })
  expect((await fixture.api.getSandbox(sandbox)).status).toBe(404)
})

test('a claim adds variables if its pool permits it', async () => {
  await createPool('open', '--allow-env')
  const path = '{.metadata.name} {.status.sandbox.name}'
  const { out, code } = await claimText('open', path, '--env', 'KEY=a=b')
  const [claim = '', sandbox = ''] = out.split(' ')
  expect([code, claim]).toEqual([0, expect.stringMatching(/^open-\w+$/)])
  const { containers } = (await fixture.api.getSandbox(sandbox)).body.spec.podTemplate.spec
  expect(containers[0].env).toEqual([{ name: 'KEY', value: 'a=b' }])

  await createPool('closed', '--no-wait')
  await expectUnclaimed('EnvVarsInjectionRejected', 'closed', '--env', 'KEY=value')
})

test('claims of missing pools name the problem', async () => {
  const unbound = await run('claim', 'missing', '--name', 'early', '--no-wait')
  expect(unbound).toMatchObject({ code: 0, out: 'sandboxclaim/early created\n' })
  await expectUnclaimed('WarmPoolNotFound', 'missing')
})

test('a pool that cannot be created leaves no template', async () => {
  await fixture.api.create({
    apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
    kind: 'SandboxWarmPool',
    metadata: { name: 'taken' },
    spec: { sandboxTemplateRef: { name: 'other' } },
  })
  const { code, err } = await createPool('taken')
  expect([code, err]).toEqual([1, expect.stringContaining('already exists')])
  expect((await extension('sandboxtemplates', 'taken')).status).toBe(404)
})

test('release refuses a sandbox that is not claimed', async () => {
  await run('create', 'own', '--no-wait', '--', 'sleep', '1000')
  const { code, err } = await run('release', 'own')
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/sandbox\/own is not claimed[^]*'flotilla sandbox delete own'/),
  ])
  expect((await fixture.api.getSandbox('own')).status).toBe(200)
})
