import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { BASE_PATH } from '../../../src/hyperfleet/paths/base-path.ts'
import { startProgram } from '../../process/program.ts'
import { installTool, runTool } from '../run-tool.ts'

/** Programs that run in a folder. */
export interface Tools {
  readonly folder: string
  /** Runs a program that may need the network. A failure skips the case. */
  install(program: string, args: readonly string[]): Promise<void>
  /** Runs a program and returns its output. A failure fails the case. */
  run(program: string, args: readonly string[], timeoutMs?: number): Promise<string>
}

const INSTALL_TIMEOUT_MS = 900_000
const RUN_TIMEOUT_MS = 240_000

/** GOTOOLCHAIN=local skips a case on an old Go instead of downloading a newer one. */
const ENV = { GOTOOLCHAIN: 'local', PIP_DISABLE_PIP_VERSION_CHECK: '1' }

/** Copies a folder of this drill to a temporary one. */
export async function inTemporaryCopy(
  source: string,
  use: (tools: Tools) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-kubernetes-'))
  try {
    await cp(fileURLToPath(new URL(source, import.meta.url)), folder, { recursive: true })
    await use({
      folder,
      install: (program, args) =>
        installTool(program, args, { cwd: folder, env: ENV, timeoutMs: INSTALL_TIMEOUT_MS }),
      run: (program, args, timeoutMs = RUN_TIMEOUT_MS) =>
        runTool(program, args, { cwd: folder, env: ENV, timeoutMs }),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Programs that run in a folder beside a server. */
export interface PlaneTools extends Tools {
  readonly url: string
  /** The process id of the server. */
  readonly pid: number
}

/** Also starts a server with the plane of a new cluster, and writes a kubeconfig for it. */
export async function inPlane(
  source: string,
  use: (tools: PlaneTools) => Promise<void>,
): Promise<void> {
  await inTemporaryCopy(source, async (tools) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-drill-'))
    try {
      await using server = startProgram({ DATA_DIR: dataDir })
      const origin = `http://127.0.0.1:${(await server.ready()).port}`
      const url = `${origin}/clusters/${await createCluster(origin)}/control-plane`
      await writeFile(path.join(tools.folder, 'kubeconfig'), kubeconfig(url))
      await use({ ...tools, url, pid: server.pid })
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
}

async function createCluster(origin: string): Promise<string> {
  const response = await fetch(`${origin}${BASE_PATH}/clusters`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'Cluster', name: 'drill', spec: {} }),
  })
  const { id }: { readonly id: string } = JSON.parse(await response.text())
  return id
}

/** A token, and the file of the authority that signed the server's certificate. */
interface Credentials {
  readonly token: string
  readonly ca: string
}

/** The kubeconfig of a plane whose server needs no token, or with credentials. */
export function kubeconfig(server: string, credentials?: Credentials): string {
  const { token, ca } = credentials ?? {}
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'plane', cluster: { server, 'certificate-authority': ca } }],
    users: [{ name: 'user', user: { token } }],
    contexts: [{ name: 'plane', context: { cluster: 'plane', user: 'user' } }],
    'current-context': 'plane',
  })
}
