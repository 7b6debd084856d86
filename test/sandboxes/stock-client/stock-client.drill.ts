import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pythonEnvironment, run } from '../../drivers/support/python-environment.ts'
import {
  type DefaultServer,
  startDefaultServer,
} from '../../drills/attacks/default-server/default-server.ts'
import { imagesCommand } from '../images/command.ts'
import { sandboxApi } from '../kinds/sandbox-api.ts'
import { poll } from '../support/poll.ts'
import { writeRuntimeImage } from './runtime-image.ts'
import { startSandboxRouter } from './sandbox-router.ts'

const FOLDER = import.meta.dirname
const EXTENSIONS = 'extensions.agents.x-k8s.io/v1beta1'
const TEMPLATES = `/apis/${EXTENSIONS}/namespaces/default/sandboxtemplates`
const POOLS = `/apis/${EXTENSIONS}/namespaces/default/sandboxwarmpools`
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'
const IMAGE = 'agent-runtime:1'
/** Of the script. */
const ROUNDS = 5

const python = await pythonEnvironment(path.join(FOLDER, 'requirements.txt'))

let server: DefaultServer
let api: ReturnType<typeof sandboxApi>
let folder: string
/** Why the class bubblewrap is not offered; empty if it is. */
let reason: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'stock-client-'))
  const dataDir = path.join(folder, 'data')
  server = await startDefaultServer({ DATA_DIR: dataDir })
  api = sandboxApi(server.origin)
  reason = await reasonAgainst('bubblewrap')
  if (reason === '') await registerImage(path.join(dataDir, 'sandboxd'))
})
afterAll(async () => {
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

async function registerImage(directory: string): Promise<void> {
  const layout = await writeRuntimeImage(folder)
  const added = await imagesCommand({ directory }, 'add', IMAGE, layout)
  expect(added).toMatchObject({ code: 0 })
  const read = async () => (await api.call('GET', RUNTIMES)).body.items[0]?.status?.images ?? []
  await poll('the image in the status of the runtime', read, (found) => found.length > 0)
}

/** The runtime of agent-sandbox as a program of this machine, and as the entrypoint of an image. */
const WORKLOADS = {
  'a program of the machine': {
    containers: [
      {
        name: 'main',
        command: ['/usr/bin/python3', '/etc/runtime/runtime.py'],
        volumeMounts: [{ name: 'runtime', mountPath: '/etc/runtime' }],
      },
    ],
    volumes: [{ name: 'runtime', configMap: { name: 'runtime' } }],
  },
  'an image': { containers: [{ name: 'main', image: IMAGE, imagePullPolicy: 'Never' }] },
}

/** A pool whose sandboxes all listen on the port of agent-sandbox's runtime. */
async function createPool(workload: object): Promise<void> {
  const runtime = await readFile(path.join(FOLDER, 'runtime.py'), 'utf8')
  await api.call('POST', '/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'runtime' },
    data: { 'runtime.py': runtime },
  })
  const spec = { runtimeClassName: 'bubblewrap', terminationGracePeriodSeconds: 1, ...workload }
  const common = { apiVersion: EXTENSIONS, metadata: { name: 'python' } }
  await api.create({ ...common, kind: 'SandboxTemplate', spec: { podTemplate: { spec } } })
  const pool = { replicas: 2, sandboxTemplateRef: { name: 'python' } }
  await api.create({ ...common, kind: 'SandboxWarmPool', spec: pool })
  await poll(
    'the sandboxes of the pool',
    async () => (await api.call('GET', `${POOLS}/python`)).body.status,
    (status) => status?.readyReplicas === 2,
  )
}

async function deletePool(): Promise<void> {
  for (const collection of [POOLS, TEMPLATES]) await api.call('DELETE', collection)
  const listed = async () => (await api.call('GET', SANDBOXES)).body.items
  await poll('the deletion of the sandboxes', listed, (items) => items.length === 0)
}

/**
 * Runs the script with the pool. It needs the router: addresses of sandboxes cannot be reached from
 * the machine.
 */
async function useSandboxes(interpreter: string, router: string): Promise<unknown> {
  const kubeconfig = path.join(folder, 'kubeconfig')
  await writeFile(kubeconfig, kubeconfigOf(server.origin))
  const args = [path.join(FOLDER, 'use-sandboxes.py'), 'python', router]
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

describe.each(Object.entries(WORKLOADS))(
  'the client of agent-sandbox and sandboxes with %s',
  (_, workload) => {
    beforeAll(async () => {
      if (reason === '') await createPool(workload)
    })
    afterAll(deletePool)

    test('never mix two sandboxes with one port', async ({ skip }) => {
      if ('unavailable' in python) return skip(python.unavailable)
      if (reason !== '') return skip(`no class bubblewrap: ${reason}`)
      await using router = await startSandboxRouter(server.origin)
      expect(await useSandboxes(python.python, router.url)).toEqual(SEPARATE)
    })
  },
)
