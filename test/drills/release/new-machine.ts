import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { installTool, runTool } from '../run-tool.ts'
import { type Started, startProgram } from '../started-program.ts'

const TIMEOUT_MS = 1_800_000
/** Variables that name registries and their certificates, and those of tools on this machine. */
const KEPT =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|PIP_(CERT|INDEX_URL)|https?_proxy|no_proxy|PYENV_ROOT|CI_STAGE|TMPDIR)$/i
const NPM_SETTINGS = ['registry', 'cafile']

/** A folder with a new home and no caches, in which programs find nothing of this clone. */
export interface NewMachine extends AsyncDisposable {
  /** Creates an empty folder. */
  folder(name: string): Promise<string>
  /** Runs a program to its end, and returns its output. */
  run(cwd: string, ...command: readonly string[]): Promise<string>
  /** Runs a program that this machine may lack. A failure skips the case. */
  install(cwd: string, ...command: readonly string[]): Promise<void>
  start(cwd: string, command: readonly string[], env: NodeJS.ProcessEnv): Started
}

export async function createMachine(): Promise<NewMachine> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'flotilla-new-machine-'))
  const home = path.join(root, 'home')
  await mkdir(home)
  const env = { HOME: home, PATH: pathWithoutPackages(), ...(await registries(home)) }
  // npm run adds the settings of this account to the environment.
  const clean = ['-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  return {
    folder: async (name) => {
      const folder = path.join(root, name)
      await mkdir(folder)
      return folder
    },
    run: (cwd, ...command) =>
      runTool('env', [...clean, ...command], { cwd, timeoutMs: TIMEOUT_MS }),
    install: (cwd, ...command) =>
      installTool('env', [...clean, ...command], { cwd, timeoutMs: TIMEOUT_MS }),
    start: (cwd, [program = '', ...args], more) =>
      startProgram(program, args, { cwd, env: { ...env, ...more } }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

function pathWithoutPackages(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return folders.filter((folder) => !folder.includes('node_modules')).join(path.delimiter)
}

async function registries(cwd: string): Promise<Readonly<Record<string, string>>> {
  const found = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && KEPT.test(name) ? [[name, value] as const] : [],
  )
  const settings = NPM_SETTINGS.map(async (key) => {
    const value = await runTool('npm', ['config', 'get', key], { cwd, timeoutMs: TIMEOUT_MS })
    return [`npm_config_${key}`, value.trim()] as const
  })
  const set = (await Promise.all(settings)).filter(([, value]) => value !== 'null')
  return Object.fromEntries([...found, ...set])
}
