import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pythonEnvironment, run } from '../../drivers/support/python-environment.ts'
import {
  type DefaultServer,
  startDefaultServer,
} from '../../drills/attacks/default-server/default-server.ts'
import { sandboxApi } from '../kinds/sandbox-api.ts'
import { poll } from '../support/poll.ts'
import { startSandboxRouter } from './sandbox-router.ts'

const FOLDER = import.meta.dirname
const EXTENSIONS = 'extensions.agents.x-k8s.io/v1beta1'
const POOLS = `/apis/${EXTENSIONS}/namespaces/default/sandboxwarmpools`
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'
const LOOPBACK = '127.0.0.1'
/** Of the script. */
const ROUNDS = 10

const python = await pythonEnvironment(path.join(FOLDER, 'requirements.txt'))

let server: DefaultServer
let api: ReturnType<typeof sandboxApi>
let folder: string
/** Why the class bubblewrap is not offered; empty if it is. */
let reason: string

beforeAll(async () => {
  server = await startDefaultServer()
  api = sandboxApi(server.origin)
  folder = await mkdtemp(path.join(os.tmpdir(), 'stock-client-'))
  reason = await reasonAgainst('bubblewrap')
  if (reason === '') await createPool()
})
afterAll(async () => {
  await api.call('DELETE', POOLS)
  const listed = async () => (await api.call('GET', SANDBOXES)).body.items
  await poll('the deletion of the sandboxes', listed, (items) => items.length === 0)
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Why the runtime of the server does not offer the class; empty if it does. */
async function reasonAgainst(isolationClass: string): Promise<string> {
  const read = async () => (await api.call('GET', RUNTIMES)).body.items[0]?.status?.isolation ?? []
  const classes = await poll('the classes of the runtime', read, (found) => found.length > 0)
  const found = classes.find(({ name }: { name: string }) => name === isolationClass)
  return found === undefined ? 'it is unknown' : (found.reason ?? '')
}

/** A pool whose sandboxes all listen on the port of agent-sandbox's runtime. */
async function createPool(): Promise<void> {
  const runtime = await readFile(path.join(FOLDER, 'runtime.py'), 'utf8')
  await api.call('POST', '/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'runtime' },
    data: { 'runtime.py': runtime },
  })
  const container = {
    name: 'main',
    command: ['/usr/bin/python3', '/etc/runtime/runtime.py'],
    volumeMounts: [{ name: 'runtime', mountPath: '/etc/runtime' }],
  }
  const podTemplate = {
    spec: {
      runtimeClassName: 'bubblewrap',
      terminationGracePeriodSeconds: 1,
      containers: [container],
      volumes: [{ name: 'runtime', configMap: { name: 'runtime' } }],
    },
  }
  const common = { apiVersion: EXTENSIONS, metadata: { name: 'python' } }
  await api.create({ ...common, kind: 'SandboxTemplate', spec: { podTemplate } })
  const spec = { replicas: 2, sandboxTemplateRef: { name: 'python' } }
  await api.create({ ...common, kind: 'SandboxWarmPool', spec })
  await poll(
    'the sandboxes of the pool',
    async () => (await api.call('GET', `${POOLS}/python`)).body.status,
    (status) => status?.readyReplicas === 2,
  )
}

/** Runs the script with a pool, and with a router if there is one. */
async function useSandboxes(interpreter: string, ...router: readonly string[]): Promise<unknown> {
  const kubeconfig = path.join(folder, 'kubeconfig')
  await writeFile(kubeconfig, kubeconfigOf(server.origin))
  const args = [path.join(FOLDER, 'use-sandboxes.py'), 'python', ...router]
  const { stdout } = await run(interpreter, args, {
    env: { ...process.env, KUBECONFIG: kubeconfig },
  })
  return JSON.parse(stdout)
}

function kubeconfigOf(origin: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'root',
    clusters: [{ name: 'root', cluster: { server: origin } }],
    users: [{ name: 'me', user: {} }],
    contexts: [{ name: 'root', context: { cluster: 'root', user: 'me' } }],
  })
}

const FILES = [...Array.from({ length: ROUNDS }, (_, index) => `file-${index}`), 'log']
/** The report of the script about two sandboxes if nothing is mixed. */
const SEPARATE = ['one', 'two'].map((word) => ({
  seen: [word],
  lines: ROUNDS,
  files: expect.arrayContaining(FILES),
  sandbox: expect.stringMatching(/^python-/),
}))

describe('the client of agent-sandbox never mixes two sandboxes with one port', () => {
  test('through a router', async ({ skip }) => {
    if ('unavailable' in python) return skip(python.unavailable)
    if (reason !== '') return skip(`no class bubblewrap: ${reason}`)
    await using router = await startSandboxRouter(server.origin)
    expect(await useSandboxes(python.python, router.url)).toEqual(SEPARATE)
  })

  test('over their addresses', async ({ skip }) => {
    if ('unavailable' in python) return skip(python.unavailable)
    if (reason !== '') return skip(`no class bubblewrap: ${reason}`)
    const { items } = (await api.call('GET', SANDBOXES)).body
    const [address = LOOPBACK] = items[0]?.status?.podIPs ?? []
    if (address === LOOPBACK) return skip('sandboxes have no addresses that others can reach')
    expect(await useSandboxes(python.python)).toEqual(SEPARATE)
  })
})
