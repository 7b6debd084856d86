import { execFile, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** The result of a run of kubectl. */
export interface KubectlResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A running kubectl whose output grows. */
export interface RunningKubectl extends AsyncDisposable {
  /** Resolves with the output when it matches. Fails after 20 s. */
  until(pattern: RegExp): Promise<string>
}

/** One kubectl program with a separate home and kubeconfig. */
export interface Kubectl extends AsyncDisposable {
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<KubectlResult>
  /** The standard output; fails if kubectl fails. */
  output(...args: readonly string[]): Promise<string>
  start(...args: readonly string[]): RunningKubectl
  /** Writes a manifest and returns the path of its file. */
  manifest(name: string, text: string): Promise<string>
}

/** The kubectl on PATH, if there is one. */
export function kubectlPrograms(): readonly string[] {
  const onPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'kubectl'))
    .find(isProgram)
  return onPath === undefined ? [] : [onPath]
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return file !== ''
  } catch {
    return false
  }
}

/** How kubectl trusts a server, and how the server knows it. */
interface Trust {
  /** File with the certificate of the authority. */
  readonly caFile?: string
  readonly token?: string
}

/** Prepares a kubectl for the plane at a URL. */
export async function openKubectl(
  program: string,
  server: string,
  { caFile, token }: Trust = {},
): Promise<Kubectl> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'kubectl-'))
  const config = path.join(home, 'config')
  await writeFile(
    config,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'plane', cluster: { server, 'certificate-authority': caFile } }],
      users: [{ name: 'user', user: { token } }],
      contexts: [{ name: 'plane', context: { cluster: 'plane', user: 'user' } }],
      'current-context': 'plane',
    }),
  )
  const env = { ...process.env, HOME: home, TMPDIR: home, KUBECONFIG: config }
  const run: Kubectl['run'] = (args, extra = {}) =>
    new Promise((resolve) => {
      const options = { env: { ...env, ...extra }, timeout: 60_000 }
      execFile(program, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, stdout, stderr })
      })
    })
  return {
    run,
    output: async (...args) => {
      const { code, stdout, stderr } = await run(args)
      if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
      return stdout
    },
    start: (...args) => startKubectl(program, args, env),
    manifest: async (name, text) => {
      const file = path.join(home, name)
      await writeFile(file, text)
      return file
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

function startKubectl(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): RunningKubectl {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  let check = (): void => undefined
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    check()
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  return {
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`no ${String(pattern)} within a minute in:\n${output}`))
        }, 60_000)
        check = () => {
          if (!pattern.test(output)) return
          clearTimeout(timer)
          resolve(output)
        }
        check()
      }),
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await closed
    },
  }
}
