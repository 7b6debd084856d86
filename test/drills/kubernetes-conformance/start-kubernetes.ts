import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import { kubeconfig } from '../kubernetes-clients/plane-workspace.ts'
import { buildProgram, type Release } from './programs.ts'

/** kube-apiserver with etcd and the controllers. */
export interface Kubernetes extends AsyncDisposable {
  readonly port: number
  /** The file of a kubeconfig of an administrator. */
  readonly config: string
  /** The token of the administrator. */
  readonly token: string
  /** The file of the certificate that clients trust. */
  readonly caFile: string
}

interface Settings {
  readonly release: Release
  /** An empty folder for the data and the logs of the programs. */
  readonly folder: string
  /** Further arguments of kube-apiserver. */
  readonly args: readonly string[]
}

/** The token that `test/cmd` uses. */
const TOKEN = 'admin-token'
const START_TIMEOUT_MS = 180_000

/** Starts Kubernetes without nodes, which the suites are compared with. */
export async function startKubernetes({ release, folder, args }: Settings): Promise<Kubernetes> {
  const programs = {
    etcd: await buildProgram('etcd', release),
    'kube-apiserver': await buildProgram('kube-apiserver', release),
    'kube-controller-manager': await buildProgram('kube-controller-manager', release),
  }
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
  const file = (name: string): string => path.join(folder, name)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(file('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(file('tokens.csv'), `${TOKEN},admin,admin,system:masters\n`)
  const children: ChildProcess[] = []
  const start = (name: keyof typeof programs, options: readonly string[]): void => {
    const log = openSync(file(`${name}.log`), 'a')
    children.push(spawn(programs[name], options, { cwd: folder, stdio: ['ignore', log, log] }))
    closeSync(log)
  }
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await stopProgram(child)
  }
  try {
    start('etcd', etcdOptions(file('etcd'), client, peer))
    start('kube-apiserver', [
      ...apiserverOptions(folder, port),
      `--etcd-servers=http://127.0.0.1:${client}`,
      ...args,
    ])
    await untilReady(port, file('kube-apiserver.log'))
    const ca = file('apiserver.crt')
    const config = file('kubeconfig')
    const server = `https://127.0.0.1:${port}`
    await writeFile(config, kubeconfig(server, { token: TOKEN, ca }))
    start('kube-controller-manager', [
      `--kubeconfig=${config}`,
      `--root-ca-file=${ca}`,
      `--service-account-private-key-file=${file('key.pem')}`,
      '--leader-elect=false',
      '--secure-port=0',
    ])
    return { port, config, token: TOKEN, caFile: ca, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function etcdOptions(folder: string, client: number, peer: number): readonly string[] {
  return [
    `--data-dir=${folder}`,
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-cluster=default=http://127.0.0.1:${peer}`,
    '--unsafe-no-fsync',
  ]
}

function apiserverOptions(folder: string, port: number): readonly string[] {
  const file = (name: string): string => path.join(folder, name)
  return [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${file('tokens.csv')}`,
    `--service-account-key-file=${file('key.pem')}`,
    `--service-account-signing-key-file=${file('key.pem')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/24',
  ]
}

async function untilReady(port: number, log: string): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS
  while (!(await isReady(port))) {
    if (Date.now() > end) {
      const text = await readFile(log, 'utf8')
      throw new Error(`kube-apiserver does not start: ${text.slice(-2000)}`)
    }
    await sleep(500)
  }
}

/** Its certificate is new and signed by itself. */
function isReady(port: number): Promise<boolean> {
  const options = {
    host: '127.0.0.1',
    port,
    path: '/readyz',
    headers: { Authorization: `Bearer ${TOKEN}` },
    rejectUnauthorized: false,
  }
  return new Promise((resolve) => {
    request(options, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
      .on('error', () => resolve(false))
      .end()
  })
}

async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
