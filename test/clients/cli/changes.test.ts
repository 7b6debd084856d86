import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openFlotillaCommand, type FlotillaCommand } from './flotilla-command.ts'

let server: TestServer
let flotilla: FlotillaCommand
let folder: string

beforeAll(async () => {
  server = await startTestServer({
    env: {
      ROLE: 'all',
      HYPERFLEET_CLUSTER_ADAPTERS: '["dns","validator"]',
      HYPERFLEET_NODEPOOL_ADAPTERS: '["dns"]',
    },
  })
  flotilla = await openFlotillaCommand(server.origin)
  folder = await mkdtemp(path.join(tmpdir(), 'flotilla-files-'))
})
afterAll(async () => {
  await flotilla[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const run = (...args: readonly string[]) => flotilla.run(args)

/** Runs a command that must succeed. Returns its output. */
async function output(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(...args)
  expect(code, err).toBe(0)
  return out
}

async function file(name: string, text: string): Promise<string> {
  const target = path.join(folder, name)
  await writeFile(target, text)
  return target
}

test('apply creates clusters before their node pools, shows differences, and skips unchanged objects', async () => {
  const text = `kind: NodePool
name: workers
cluster: lisbon
spec: {size: 3}
---
kind: Cluster
name: lisbon
labels: {env: prod}
spec: {region: eu}
`
  const declared = await file('lisbon.yaml', text)
  expect(await output('apply', '-f', declared, '--dry-run')).toBe(`+labels:
+  env: prod
+spec:
+  region: eu
cluster/lisbon created (dry run)
nodepool/lisbon/workers created (dry run, without the checks of the server)
`)
  expect((await run('get', 'cluster', 'lisbon')).code).toBe(3)
  expect(await output('apply', '-f', declared)).toMatch(
    /cluster\/lisbon created\n[^]*nodepool\/lisbon\/workers created\n$/,
  )
  await file('lisbon.yaml', text.replace('{region: eu}', '{region: us}'))
  expect(await output('apply', '-f', declared)).toBe(` labels:
   env: prod
 spec:
-  region: eu
+  region: us
cluster/lisbon updated
nodepool/lisbon/workers unchanged
`)
  const shown = await output('get', 'cluster', 'lisbon', '-o', 'yaml')
  const { out } = await flotilla.run(['apply', '-f', '-', '-o', 'name'], { input: shown })
  expect(out).toBe('cluster/lisbon\n')
})

test('apply rejects unknown fields, broken YAML and numbers that JSON cannot store', async () => {
  const cases = [
    [
      'kind: Cluster\nname: abc\nlables: {a: b}\n',
      "unknown field 'lables'",
      "Did you mean 'labels'?",
    ],
    ['kind: Cluster\nname: abc\nspec: {a: [}\n', 'is invalid', ''],
    ['kind: Cluster\nname: abc\nspec: {a: 12345678901234567890}\n', 'spec.a is a number', ''],
    ['kind: Custer\nname: abc\n', 'the kind Custer is unknown', "Did you mean 'Cluster'?"],
    ['kind: NodePool\nname: abc\n', "NodePool 'abc' has no cluster", '--cluster NAME'],
  ]
  for (const [text = '', problem = '', hint = ''] of cases) {
    const { code, out, err } = await flotilla.run(['apply', '-f', '-'], { input: text })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(problem)
    expect(err).toContain(hint)
  }
})

test('a failed object does not stop the others, and fails the command', async () => {
  const input = 'kind: Cluster\nname: X\n---\nkind: Cluster\nname: madrid\n'
  const { code, out, err } = await flotilla.run(['apply', '-f', '-'], { input })
  expect(code).toBe(1)
  expect(out).toContain('cluster/madrid created')
  expect(err).toMatch(
    /stdin \(document 1\): cluster\/X failed:\nError: .*\n[^]*1 of 2 objects failed/,
  )
})

test('apply --wait reports progress, and ends with exit code 4 after the time limit', async () => {
  const args = ['apply', '-f', '-', '--wait', '--timeout', '1h']
  const input = 'kind: Cluster\nname: porto\n'
  const limited = flotilla.start(args, { input })
  await expect.poll(limited.errors).toContain('porto: adapters 0 of 2, waiting for dns, validator')
  limited.expire()
  const { code, err } = await limited.result
  expect(code).toBe(4)
  expect(err).toContain('porto is not ready: dns has not reported')
  const waiting = flotilla.run(['apply', '-f', '-', '--wait', '--timeout', '60s'], { input })
  await output('report', 'cluster', 'porto', '--adapter', 'dns')
  await output('report', 'cluster', 'porto', '--adapter', 'validator')
  expect((await waiting).code).toBe(0)
})

test('files with objects of planes change nothing, and name the command of kubectl', async () => {
  const declared = await file(
    'map.yaml',
    'kind: Cluster\nname: braga\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n',
  )
  for (const [verb, kubectl] of [
    ['apply', 'kubectl apply --server-side -f FILE'],
    ['create', 'kubectl create -f FILE'],
    ['delete', 'kubectl delete -f FILE'],
  ] as const) {
    const { code, out, err } = await run(verb, '-f', declared, '--cluster', 'lisbon')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('this ConfigMap has an apiVersion')
    expect(err).toContain(`'flotilla kubeconfig lisbon --merge', then '${kubectl}'`)
  }
  expect((await run('get', 'cluster', 'braga')).code).toBe(3)
})

test('create sets fields, and refuses to change an existing object', async () => {
  const args = [
    'cluster',
    'faro',
    '--set',
    'release.version=4.10',
    '--set',
    'size=3',
    '--label',
    'a=b',
  ]
  expect(await output('create', ...args)).toBe('cluster/faro created\n')
  const shown: unknown = JSON.parse(await output('get', 'cluster', 'faro', '-o', 'json'))
  expect(shown).toMatchObject({
    spec: { release: { version: '4.10' }, size: 3 },
    labels: { a: 'b' },
  })
  const again = await run('create', ...args)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('cluster/faro exists')])
})

test('patch and label show the changed fields', async () => {
  await output('create', 'cluster', 'evora', '--set', 'size=3')
  expect(await output('patch', 'cluster', 'evora', '-p', 'spec: {size: 4}')).toBe(
    ' spec:\n-  size: 3\n+  size: 4\ncluster/evora updated\n',
  )
  expect(await output('label', 'cluster', 'evora', 'tier=gold')).toContain('+  tier: gold\n')
  const refused = await run('label', 'cluster', 'evora', 'tier=iron')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--overwrite')])
  expect(await output('label', 'clusters', '-l', 'tier=gold', 'tier-')).toContain('-  tier: gold\n')
  const invalid = await run('patch', 'cluster', 'evora', '-p', 'spec: [')
  expect(invalid.code).toBe(2)
})

test('report says why the server discarded a report', async () => {
  await output('create', 'cluster', 'sintra')
  expect(await output('report', 'cluster/sintra', '--adapter', 'dns')).toBe(
    'cluster/sintra reported by dns: Available=True at generation 1\n',
  )
  const { code, err } = await run(
    'report',
    'cluster/sintra',
    '--adapter',
    'dns',
    '--generation',
    '9',
  )
  expect(code).toBe(0)
  expect(err).toContain('discarded the report (future-generation)')
})

test('delete waits for the adapters, and shows which ones are left', async () => {
  await output('create', 'cluster', 'tavira')
  const waiting = flotilla.start(['delete', 'cluster', 'tavira'])
  await expect
    .poll(waiting.errors)
    .toContain('cluster/tavira: adapters 0 of 2 finalized, waiting for dns, validator')
  expect((await run('delete', 'cluster', 'tavira', '--timeout', '500ms')).code).toBe(4)
  for (const adapter of ['dns', 'validator']) {
    await output(
      'report',
      'cluster/tavira',
      '--adapter',
      adapter,
      '--available',
      'False',
      '--finalized',
    )
  }
  expect(await waiting.result).toMatchObject({ code: 0, out: 'cluster/tavira deleted\n' })
  expect((await run('delete', 'cluster', 'tavira')).code).toBe(3)
})

test('delete --force needs a reason, and removes without the adapters', async () => {
  await output('create', 'cluster', 'beja')
  expect((await run('delete', 'cluster', 'beja', '--force')).code).toBe(2)
  const args = ['delete', 'cluster', 'beja', '--force', '--reason', 'a test']
  expect(await output(...args)).toBe('cluster/beja deleted\n')
})

test('fleets are created, claimed, released, scaled and deleted', async () => {
  expect(await output('fleet', 'create', 'game', '--replicas', '2', '--prefix', 'g-')).toBe(
    'fleet/game created with 2 members\n',
  )
  const args = ['fleet', 'claim', 'game', '--holder', 'me', '-o', 'jsonpath={.clusterID}']
  const claimed = await output(...args)
  expect(['g-0000', 'g-0001']).toContain(claimed)
  expect(await output('fleet', 'list')).toMatch(/^NAME .*\ngame +2 +/)
  expect(await output('fleet', 'list', '-o', 'name')).toBe('fleet/game\n')
  expect(await output('fleet', 'members', 'game')).toMatch(new RegExp(`${claimed} +Ready +me`))
  const taken = await run('fleet', 'claim', 'game', '--member', claimed)
  expect([taken.code, taken.err]).toEqual([1, expect.stringContaining('no member of fleet/game')])
  expect(await output('fleet', 'release', 'game', claimed)).toBe(`cluster/${claimed} released\n`)
  const reset = `cluster/${claimed} is being reset\n`
  expect(await output('fleet', 'recycle', 'game', claimed)).toBe(reset)
  expect(await output('fleet', 'recycle', 'game')).toBe('no member of fleet/game needs a reset\n')
  expect(await output('fleet', 'scale', 'game', '3')).toBe('fleet/game scaled from 2 to 3\n')
  expect(await output('fleet', 'delete', 'game')).toBe('fleet/game deleted; its clusters stay\n')
})

test('snapshot counts the items of a cluster', async () => {
  await output('create', 'cluster', 'sines')
  await output('create', 'nodepool', 'sines/workers')
  expect(await output('snapshot', 'sines')).toMatch(/nodepools +hyperfleet +1 +yes/)
})
