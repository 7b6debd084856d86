import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { breakdownTable } from '../../../clients/cli/src/breakdown/breakdown-table.ts'
import { openTerminal } from '../../../clients/cli/src/output/open-terminal.ts'
import { tableLines } from '../../../clients/cli/src/output/table.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openFlotillaCommand, type FlotillaCommand } from './flotilla-command.ts'

let server: TestServer
let command: FlotillaCommand
let lisbon: string

beforeAll(async () => {
  server = await startTestServer()
  command = await openFlotillaCommand(server.origin)
  lisbon = await createCluster('lisbon', { env: 'prod' })
  await createCluster('faro', { env: 'dev' })
  await server.post(`/clusters/${lisbon}/nodepools`, {
    kind: 'NodePool',
    name: 'workers',
    spec: {},
  })
  for (const adapter of ['validator', 'dns']) await report(adapter, 'True')
  await report('hypershift', 'False')
})

afterAll(async () => {
  await command[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function createCluster(name: string, labels: object): Promise<string> {
  const { body } = await server.post('/clusters', {
    kind: 'Cluster',
    name,
    labels,
    spec: { size: 1 },
  })
  return body.id
}

async function report(adapter: string, status: string): Promise<void> {
  const condition = { type: 'Available', status, reason: 'Probed', message: `${adapter} looked` }
  await server.post(`/clusters/${lisbon}/statuses`, {
    adapter,
    observed_generation: 1,
    conditions: [condition],
  })
}

/** Ages depend on the speed of the machine. */
const withoutAges = (text: string) => text.replaceAll(/\b(\d+[smh])+\b/g, 'AGE')

async function printed(...args: string[]): Promise<string> {
  const { code, out, err } = await command.run(args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return withoutAges(out)
}

describe('flotilla get', () => {
  it('lists the resources of a saved view in its order', async () => {
    const spec = { kind: 'Cluster', search: 'generation = 1', order: 'name desc' }
    await server.post('/views', { kind: 'View', name: 'old-first', spec })
    const names = (...more: string[]) =>
      printed('get', 'cl', '--view', 'old-first', '-o', 'name', ...more)
    expect((await names()).trim().split('\n')).toEqual(['cluster/lisbon', 'cluster/faro'])
    expect((await names('-l', 'env=dev')).trim()).toBe('cluster/faro')
    expect((await names('--search', "name = 'lisbon'")).trim()).toBe('cluster/lisbon')
    expect(await printed('get', 'views', '-o', 'name')).toBe('view/old-first\n')
    const other = await command.run(['get', 'nodepools', '--view', 'old-first'])
    expect(other.err).toContain('the view old-first lists the kind Cluster, not NodePool')
  })

  it('prints a table sorted by name', async () => {
    expect(await printed('get', 'clusters')).toBe(
      `NAME     READY   GENERATION   BEHIND                                AGE
faro     False   1            validator,dns,pullsecret,hypershift   AGE
lisbon   False   1            pullsecret,hypershift                 AGE
`,
    )
  })

  it('prints node pools with the names of their clusters', async () => {
    const table = `CLUSTER   NAME      READY   GENERATION   BEHIND                 AGE
lisbon    workers   False   1            validator,hypershift   AGE
`
    expect(await printed('get', 'np')).toBe(table)
    expect(await printed('get', 'nodepool', 'lisbon/workers')).toBe(table)
    expect(await printed('get', 'NodePool', 'workers', '--cluster', lisbon)).toBe(table)
  })

  it('selects by label and by search', async () => {
    expect(await printed('get', 'cl', '-l', 'env=prod', '-o', 'name')).toBe('cluster/lisbon\n')
    expect(await printed('get', 'cl', '-l', 'env!=prod', '-o', 'name')).toBe('cluster/faro\n')
    const search = ['--search', "labels.env in ('prod')", '-l', 'env=prod']
    expect(await printed('get', 'cl', ...search, '-o', 'name')).toBe('cluster/lisbon\n')
    expect(await printed('get', 'cl', '--sort', 'name:desc', '-o', 'name')).toBe(
      'cluster/lisbon\ncluster/faro\n',
    )
  })

  it('accepts the printed names as arguments', async () => {
    const name = (await printed('get', 'np', '-o', 'name')).trim()
    expect(name).toBe('nodepool/lisbon/workers')
    expect(await printed('get', name, '-o', 'jsonpath={.name}')).toBe('workers')
  })

  it('prints JSON and YAML as the API does', async () => {
    const { body } = await server.get('/clusters/by-name/lisbon')
    expect(JSON.parse(await printed('get', 'cl/lisbon', '-o', 'json'))).toMatchObject({
      id: body.id,
      spec: { size: 1 },
    })
    expect(await printed('get', 'cl', lisbon, '-o', 'yaml')).toContain('spec:\n  size: 1\n')
    expect(JSON.parse(await printed('get', 'cl', '-o', 'json'))).toMatchObject({
      kind: 'ClusterList',
      items: [{ name: 'faro' }, { name: 'lisbon' }],
    })
    const path = 'jsonpath={.items[*].name}{"\\n"}'
    expect(await printed('get', 'cl', '-o', path)).toBe('faro lisbon\n')
  })

  it('writes nothing but the result to standard output', async () => {
    const { out, err } = await command.run(['get', 'cl', '-o', 'name', '-v'])
    expect(out).toBe('cluster/faro\ncluster/lisbon\n')
    expect(err).toMatch(/^GET http\S+\/clusters\S* -> 200 /)
  })

  it('shows control characters of the server as text', async () => {
    const evil = await createCluster('evil', { note: '\u001b[31mred\u0007' })
    const { out } = await command.run(['get', 'cl', 'evil', '-o', 'wide'])
    expect(out).toContain(String.raw`note=\u001b[31mred\u0007`)
    await server.request('DELETE', `/clusters/${evil}`)
    await server.request('POST', `/clusters/${evil}/force-delete`, { reason: 'test' })
  })
})

describe('flotilla describe', () => {
  it('shows everything about a resource', async () => {
    const text = await printed('describe', 'cluster', 'lisbon')
    expect(text).toContain('Labels:      env=prod\n')
    expect(text).toContain('Unmet requirements for Ready:\n')
    expect(text).toMatch(/ {2}hypershift +false +AGE +1 +Probed\n {6}hypershift looked\n/)
    expect(text).toMatch(/ {2}Ready +False +AGE +1 +ResourceNotReady\n/)
    expect(text).toMatch(/ {2}dns +True +1 +AGE ago +yes +Probed\n/)
    expect(text).toMatch(/ {2}pullsecret +- +- +never +yes +-\n/)
    expect(text).toMatch(/Node pools:\n.*\n {2}workers +False/)
    expect(text).toContain('Spec:\n  size: 1\n')
  })
})

describe('flotilla why', () => {
  it('explains in one sentence', async () => {
    const sentence = await printed('why', 'cluster', 'lisbon')
    // Times under a second are left out.
    expect(sentence.replaceAll(' for AGE', '')).toBe(
      'lisbon is not ready: pullsecret has not reported and hypershift has reported False (Probed: hypershift looked).\n',
    )
  })
})

describe('flotilla why --all', () => {
  it('groups the resources that are not ready by adapter and reason, failing ones first', async () => {
    expect(await printed('why', 'cl', '--all')).toBe(
      `Cluster: 1 failing and 1 waiting of 2
COUNT   STATE     ADAPTER      REASON    SHARE    LAST HOUR   LAST DAY   OLDEST
1       failing   hypershift   Probed    50.0%    1           1          AGE
2       waiting   pullsecret   Missing   100.0%   2           2          AGE
1       waiting   dns          Missing   50.0%    1           1          AGE
1       waiting   hypershift   Missing   50.0%    1           1          AGE
1       waiting   validator    Missing   50.0%    1           1          AGE
`,
    )
  })

  it('groups by labels too, and selects resources', async () => {
    const text = await printed('why', 'cl', '-A', '--by', 'labels.env', '-l', 'env=prod')
    expect(text).toContain('Cluster: 1 failing and 0 waiting of 1\n')
    expect(text).toMatch(
      /ADAPTER +REASON +LABELS\.ENV .*\n1 +failing +hypershift +Probed +prod +100/,
    )
  })

  it('fits 80 columns', async () => {
    const { body } = await server.get('/breakdown?kind=Cluster&by=adapter,reason,labels.env')
    const table = breakdownTable(body, { now: new Date() })
    const { colors } = openTerminal(new PassThrough(), {})
    for (const line of await tableLines(table, { columns: 80, colors })) {
      expect(line.length).toBeLessThanOrEqual(80)
      expect(line).toMatch(/COUNT|hypershift|pullsecret|dns|validator/)
    }
  })

  it('prints the breakdowns of the API for programs', async () => {
    const one = JSON.parse(await printed('why', 'cl', '--all', '--limit', '1', '-o', 'json'))
    expect(one).toMatchObject({ kind: 'Breakdown', of: 'Cluster', items: [{ failing: 1 }] })
    const all = JSON.parse(await printed('why', '--all', '-o', 'json'))
    expect(all).toMatchObject({ items: [{ of: 'Cluster' }, { of: 'NodePool' }] })
  })

  it('names the fields that group', async () => {
    const { code, err } = await command.run(['why', 'cl', '--all', '--by', 'spec.x'])
    expect(code).toBe(1)
    expect(err).toContain("'spec.x' is not a field of breakdowns: adapter, reason, labels.<key>;")
  })

  it('mentions omitted rows on standard error', async () => {
    const { err } = await command.run(['why', 'cl', '--all', '--limit', '2'])
    expect(err).toBe('3 smaller groups with 3 are omitted; --limit shows more.\n')
  })
})

describe('flotilla top', () => {
  it('shows what broke', async () => {
    const text = await printed('top')
    expect(text).toMatch(
      /\nCluster: 1 failing and 1 waiting of 2\nCOUNT .*\n1 +failing +hypershift/,
    )
    expect(text).toMatch(/\nNodePool: 0 failing and 1 waiting of 1\nCOUNT /)
    expect(text).toMatch(/\nCluster: adapters\nADAPTER +STATE .*\nhypershift +failing /)
  })
})

describe('the failures of a command', () => {
  it.each([
    [['gte'], 2, "unknown command 'gte'", "Did you mean 'flotilla get'?"],
    [['get'], 2, "missing required argument 'kind'", 'flotilla help'],
    [['get', 'clutser'], 2, "unknown kind 'clutser'", "Did you mean 'cluster'?"],
    [['get', 'cl', '--serach', 'x'], 2, "unknown option '--serach'", 'Did you mean --search?'],
    [['get', 'cl', '-o', 'jsn'], 2, "unknown output format 'jsn'", "Did you mean 'json'?"],
    [['get', 'cl', '-l', 'env'], 2, "the label 'env' lacks a value", '-l key=value'],
    [['get', 'cl/a', 'b'], 2, "'cl/a' already contains a name", "'cl/a'"],
    [['get', 'cl', 'nowhere'], 3, "Cluster 'nowhere' not found", 'flotilla get clusters'],
    [['get', 'np', 'nowhere/x'], 3, "Cluster 'nowhere' not found", 'flotilla get clusters'],
    [['why', 'cl'], 2, 'the name is missing', 'flotilla why KIND NAME'],
    [['why'], 2, 'the kind is missing', 'flotilla why --all'],
    [['why', 'cl', 'lisbon', '--all'], 2, 'a name and --all cannot be combined', '--search'],
    [
      ['why', 'cl', 'lisbon', '--by', 'labels.env'],
      2,
      '--by needs --all',
      'flotilla why KIND --all',
    ],
    [['get', 'cl', '--context', 'x'], 2, "there is no context 'x'", 'flotilla login'],
    [['get', 'cl', '--server', 'x'], 2, "the server 'x' is not a URL", 'http://'],
    [['get', 'cl', '--server', 'http://127.0.0.1:1'], 1, 'ECONNREFUSED', 'flotilla start'],
    [['get', 'cl', '--request-timeout', '1ms'], 4, 'timed out', '--request-timeout'],
    [['get', 'cl', '--request-timeout', 'x'], 2, "option '--request-timeout", 'flotilla help'],
  ])('%j exits with %i and a hint', async (args, code, message, hint) => {
    const result = await command.run(args)
    expect(result).toMatchObject({ code, out: '' })
    expect(result.err).toMatch(/^Error: /)
    expect(result.err).toContain(message)
    expect(result.err).toMatch(/\nHint: .*\n$/)
    expect(result.err.split('\nHint: ')[1]).toContain(hint)
  })

  it.each([
    ['get ns --cluster lisbon', 'flotilla kubeconfig lisbon --merge', 'kubectl get ns'],
    ['get pods x -w', 'flotilla kubeconfig root --merge', 'kubectl get pods x --watch'],
    ['get cm -n dev', 'flotilla kubeconfig CLUSTER --merge', 'kubectl get KIND'],
    ['get fleets', 'flotilla help fleet', 'kubectl get fleets'],
    ['describe secret/key --cluster a', 'flotilla kubeconfig a --merge', 'describe secret key'],
    ['why fleet game', 'flotilla kubeconfig root --merge', 'kubectl describe fleet game'],
    ['history fleet game', 'flotilla kubeconfig root --merge', 'kubectl describe fleet game'],
    ['watch pods', 'flotilla kubeconfig root --merge', 'kubectl get pods --watch-only'],
    ['kinds --cluster lisbon', 'flotilla kubeconfig CLUSTER --merge', 'kubectl api-resources'],
    ['create configmap x', 'flotilla kubeconfig root --merge', 'kubectl create -f FILE'],
    ['apply -f x -n dev', 'flotilla kubeconfig CLUSTER --merge', 'kubectl apply --server-side'],
    ['edit configmap x', 'flotilla kubeconfig root --merge', 'kubectl edit configmap x'],
    ['patch cm x -p a:', 'flotilla kubeconfig root --merge', 'kubectl patch cm x'],
    ['label cm x a=b', 'flotilla kubeconfig root --merge', 'kubectl label cm x'],
    ['delete cm x', 'flotilla kubeconfig root --merge', 'kubectl delete cm x'],
    ['delete cm x --cascade orphan', 'flotilla kubeconfig CLUSTER', 'kubectl delete KIND NAME'],
    ['can-i get pods --namespace a', 'flotilla kubeconfig CLUSTER', 'kubectl auth can-i VERB KIND'],
  ])('%s names the command of kubectl', async (line, ...hints) => {
    const { code, out, err } = await command.run(line.split(' '))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    for (const hint of hints) expect(err.split('\nHint: ')[1]).toContain(hint)
  })

  it('explains an invalid search with its position', async () => {
    const { code, err } = await command.run(['get', 'cl', '--search', 'name = '])
    expect(code).toBe(1)
    expect(err).toMatch(/^Error: search: .* at \d+/)
  })
})

it('prints its help and its version', async () => {
  expect(await printed('--version')).toBe('1.2.3\n')
  const help = await printed()
  expect(help).toContain('Usage: flotilla COMMAND [options]')
  expect(help).toMatch(/\n {2}get .*List resources/)
  expect(help).toMatch(/\n {2}start .*Run the server/)
  for (const name of ['migrate', 'sandboxd', 'backup', 'restore', 'doctor']) {
    expect(help).toMatch(new RegExp(`\\n {2}${name} +[A-Z]`))
  }
  expect(await printed('help', 'get')).toBe(await printed('get', '--help'))
})
