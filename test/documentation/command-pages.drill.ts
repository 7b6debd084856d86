import { execFile } from 'node:child_process'
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, runAdapter } from '../../clients/typescript/src/index.ts'
import { type FlotillaCommand, openFlotillaCommand } from '../clients/cli/flotilla-command.ts'
import { kubectlPrograms } from '../planes/clients/kubectl.ts'
import { type PlaneServer, ROOT, startPlaneServer } from '../planes/identities.ts'
import { fullReport } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { runnableBlocks } from './command-blocks.ts'
import { consoleBlocksOf } from './console-blocks.ts'
import { readDocsPage } from './documentation-pages.ts'
import { expectInOrder, runSession } from './shell-session.ts'

let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'flotilla-pages-')))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the pages about the command', () => {
  let server: TestServer
  let flotilla: FlotillaCommand

  const prepare = async (adapters: readonly string[]): Promise<void> => {
    const names = JSON.stringify(adapters)
    const env = { ROLE: 'all', HYPERFLEET_CLUSTER_ADAPTERS: names }
    server = await startTestServer({ env: { ...env, HYPERFLEET_NODEPOOL_ADAPTERS: names } })
    flotilla = await openFlotillaCommand(server.origin)
  }
  const end = async (): Promise<void> => {
    await flotilla[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }

  describe('cli', () => {
    beforeAll(() => prepare(['pullsecret', 'hypershift']))
    afterAll(end)

    test('prints the stated output', async () => {
      const lisbon = await createCities(server)
      await runConsoleBlocks('cli', flotilla, {
        before: async (script) => {
          if (!script.startsWith('flotilla history')) return
          await server.patch(`/clusters/${lisbon}`, { spec: release('4.18.0') })
          await expect.poll(() => newestGeneration(server, lisbon)).toBe(2)
        },
      })
    })
  })

  describe('cli-changes', () => {
    const stopped = new AbortController()
    let adapters: Promise<unknown>

    beforeAll(async () => {
      await prepare(['dns', 'validator'])
      const client = new Client(server.origin)
      const options = { client, signal: stopped.signal }
      const reconcile = () => Promise.resolve({ available: 'True', reason: 'Applied' } as const)
      adapters = Promise.all(
        ['dns', 'validator'].flatMap((name) => [
          runAdapter({ ...options, name, kind: 'clusters', reconcile }),
          runAdapter({ ...options, name, kind: 'nodepools', reconcile }),
        ]),
      )
    })
    afterAll(async () => {
      stopped.abort()
      await adapters
      await end()
    })

    test('prints the stated output', async () => {
      const { text } = await readDocsPage('cli-changes')
      const [, manifest = ''] = /^```yaml\n(kind: Cluster.*?)^```$/ms.exec(text) ?? []
      await writeFile(path.join(folder, 'cluster.yaml'), manifest)
      const editor = path.join(folder, 'editor.sh')
      await writeFile(editor, '#!/bin/sh\nsed -i "s/region: eu/region: us/" "$1"\n')
      await chmod(editor, 0o755)
      const labels = { tier: 'gold' }
      await server.post('/clusters', { kind: 'Cluster', name: 'eu-1', labels, spec: {} })
      await runConsoleBlocks('cli-changes', flotilla, { env: { VISUAL: editor } })
    })
  })
})

describe.skipIf(kubectlPrograms().length === 0)('the pages with kubectl', () => {
  let planes: PlaneServer
  let kubeconfig: string

  beforeAll(async () => {
    planes = await startPlaneServer({ ROLE: 'all', TLS: 'self-signed=true', DATA_DIR: folder })
    kubeconfig = path.join(folder, 'kubeconfig')
    const cluster = {
      server: planes.server.origin.replace('http:', 'https:'),
      'certificate-authority': path.join(folder, 'tls', 'ca.crt'),
    }
    const config = {
      clusters: [{ name: 'plane', cluster }],
      users: [{ name: 'root', user: { token: ROOT.replace('Bearer ', '') } }],
      contexts: [{ name: 'plane', context: { cluster: 'plane', user: 'root' } }],
      'current-context': 'plane',
    }
    await writeFile(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }))
  })
  afterAll(() => planes[Symbol.asyncDispose]())

  test.each([
    ['authentication', 'clusterrolebinding.rbac.authorization.k8s.io/dns-adapter created'],
    ['authorization', 'readers created', 'ada-writes created', 'builder created', 'eyJ', 'yes'],
    ['sandbox-snapshots', 'snapshotclass.agents.x-k8s.io "standard" deleted', 'patched'],
  ])('%s has commands that succeed', async (page, ...expected) => {
    const { text } = await readDocsPage(page)
    const blocks = runnableBlocks(page, text)
    const prepared = page === 'sandbox-snapshots' ? `kubectl create -f - <<< '${HELD_CLASS}'\n` : ''
    const first = `export KUBECONFIG=${kubeconfig} HOME=${folder}\n${prepared}${blocks[0] ?? ''}`
    const outputs = await runSession([first, ...blocks.slice(1)])
    expectInOrder(outputs.join(''), expected)
    // A session ends with the first failure.
    expect(outputs).toHaveLength(blocks.length)
  })
})

/** A class that stays until its finalizers are removed, as if a sandbox used it. */
const HELD_CLASS = JSON.stringify({
  apiVersion: 'agents.x-k8s.io/v1beta1',
  kind: 'SnapshotClass',
  metadata: { name: 'standard', finalizers: ['example.com/used'] },
  provisioner: 'process',
})

/** The clusters of the page: one is ready; of the other one, an adapter fails and one is missing. */
async function createCities(server: TestServer): Promise<string> {
  const create = async (name: string) =>
    (await server.post('/clusters', { kind: 'Cluster', name, spec: release('4.17.3') })).body.id
  const faro = await create('faro')
  for (const adapter of ['pullsecret', 'hypershift']) {
    await server.put(`/clusters/${faro}/statuses`, fullReport(adapter, 1))
  }
  const lisbon = await create('lisbon')
  const report = fullReport('hypershift', 1, { available: 'False' })
  const [available, ...others] = report.conditions
  const problem = { ...available, reason: 'QuotaExceeded', message: 'no cores left in eu-1' }
  await server.put(`/clusters/${lisbon}/statuses`, { ...report, conditions: [problem, ...others] })
  const workers = { kind: 'NodePool', name: 'workers', labels: { pool: 'spot' }, spec: {} }
  await server.post(`/clusters/${lisbon}/nodepools`, workers)
  return lisbon
}

/** The generation of the newest entry of a history. Entries follow their writes. */
async function newestGeneration(server: TestServer, id: string): Promise<unknown> {
  return (await server.get(`/clusters/${id}/history?limit=1`)).body.items[0]?.generation
}

function release(version: string) {
  return { release: { version } }
}

interface Session {
  readonly env?: NodeJS.ProcessEnv
  /** Runs before each block. */
  readonly before?: (script: string) => Promise<void>
}

/** Runs the blocks of a page in order. Their output contains the lines of the page. */
async function runConsoleBlocks(
  page: string,
  flotilla: FlotillaCommand,
  { env = {}, before }: Session,
): Promise<void> {
  const { text } = await readDocsPage(page)
  const runnable = runnableBlocks(page, text)
  for (const { script, printed } of consoleBlocksOf(text)) {
    if (!runnable.some((block) => block.startsWith(script.split('\n')[0] ?? script))) continue
    await before?.(script)
    let output = ''
    for (const stated of script.split('\n')) {
      // A claim takes any ready member.
      const member = /cluster\/(game-\d+) claimed/.exec(output)?.[1] ?? 'game-0000'
      const command = stated.replace('game-0000', member)
      const { code, out, err } = await flotilla.run(await argumentsOf(command), { env })
      output += out + err
      // The page shows one error.
      expect(code, `${command}: ${err}`).toBe(command.includes('lisbom') ? 3 : 0)
    }
    // Adapters may finish between two steps of the progress.
    const lines = printed.filter((line) => !/waiting for|\[#/.test(line))
    expectInOrder(withoutValues(output), lines.map(withoutValues))
  }
}

/** Splits a command as a shell in the folder of the files does. */
async function argumentsOf(command: string): Promise<readonly string[]> {
  const print = `printf '%s\\0' ${command.replace(/^flotilla /, '').replace('-f ', `-f ${folder}/`)}`
  const { stdout } = await promisify(execFile)('bash', ['-c', print])
  return stdout.split('\0').slice(0, -1)
}

/** Times, ages, numbers, users and the spaces of columns differ between runs. */
function withoutValues(text: string): string {
  return (
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/\d+(?:ms|[dhms])(?: ?\d+(?:ms|[dhms]))*/g, 'AGE')
      // The command omits ages of less than a second.
      .replaceAll(/ for AGE/g, '')
      .replaceAll(/\d+(?:\.\d+)*/g, 'N')
      .replaceAll(/by \S+@\S+,/g, 'by USER,')
      .replaceAll(/ +/g, ' ')
      .trim()
  )
}
