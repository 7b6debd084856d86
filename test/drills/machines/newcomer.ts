import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { linkPackages } from '../link-packages.ts'
import { runTool } from '../run-tool.ts'
import { type Started, startProgram } from '../started-program.ts'
import type { Machine, Newcomer } from './conditions.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TIMEOUT_MS = 3_600_000
/** A package without dependencies. */
const SMALL_PACKAGE = 'sql-template-tag'
const INSTALL =
  "import { installPackages } from './src/tools/install-packages.mjs'; await installPackages()"
const run = promisify(execFile)

/** A newcomer with a clean clone in a path with spaces. */
export interface NewcomerRig extends AsyncDisposable {
  readonly newcomer: Newcomer
  readonly clone: string
  /** Installs one package with the tools of the clone, as `npm start` installs all of them. */
  installOne(): Promise<void>
  /** Links the packages of this clone, if the other one has none. */
  linkPackages(): Promise<void>
  removePackages(): Promise<void>
  /** Runs a program in the clone to its end. */
  run(machine: Machine, command: readonly string[]): Promise<string>
  /** The running programs of the account; empty if it is not one of the drill. */
  processes(): Promise<string>
  start(machine: Machine, command: readonly string[], env: NodeJS.ProcessEnv): Started
}

export async function createNewcomer(): Promise<NewcomerRig> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-machines-'))
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? `flotilla-${process.pid}` : null
  const home = path.join(folder, 'home')
  const clone = path.join(folder, 'a path with spaces', 'flotilla')
  await chmod(folder, 0o755)
  await mkdir(path.dirname(clone))
  await mkdir(home)
  await run('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone])
  if (user !== null) {
    await run('useradd', ['--no-create-home', '--home-dir', home, '--shell', '/bin/sh', user])
    await run('chown', ['--recursive', `${user}:`, home, path.dirname(clone)])
  }
  const commandOf = ({ prefix }: Machine, command: readonly string[]): readonly string[] => {
    const asUser = user === null ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`]
    if (user !== null) asUser.push('--clear-groups', '--')
    // A prefix that root has to run comes first.
    return prefix[0] === 'sh'
      ? [...prefix, ...asUser, ...command]
      : [...asUser, ...prefix, ...command]
  }
  const envOf = ({ env }: Machine): NodeJS.ProcessEnv => {
    const { PATH, CI_STAGE } = process.env
    return { PATH, CI_STAGE, HOME: home, USER: user ?? os.userInfo().username, ...env }
  }
  const runIn = (cwd: string, machine: Machine, command: readonly string[]): Promise<string> => {
    const args = ['-i', ...assignments(envOf(machine))]
    const all = [...args, ...commandOf(machine, command)]
    return runTool('env', all, { cwd, timeoutMs: TIMEOUT_MS })
  }
  const packages = path.join(clone, 'node_modules')
  return {
    newcomer: { user, home, folder },
    clone,
    installOne: async () => {
      const small = path.join(path.dirname(clone), 'small')
      await createSmallProject(clone, small)
      if (user !== null) await run('chown', ['--recursive', `${user}:`, small])
      await runIn(small, { prefix: [] }, ['node', '--input-type=module', '--eval', INSTALL])
      await access(path.join(small, 'node_modules', SMALL_PACKAGE, 'package.json'))
    },
    linkPackages: async () => {
      if (existsSync(packages)) return
      await linkPackages(clone)
      if (user === null || !existsSync(packages)) return
      // This clone keeps its files, which are the same.
      await run('find', [packages, '-type', 'd', '-exec', 'chown', `${user}:`, '{}', '+'])
    },
    removePackages: () => rm(packages, { recursive: true, force: true }),
    run: (machine, command) => runIn(clone, machine, command),
    processes: async () => {
      if (user === null) return ''
      const options = ['-u', user, '-o', 'stat=,args=']
      const { stdout } = await run('ps', options).catch(() => ({ stdout: '' }))
      // A zombie has ended.
      return stdout.replaceAll(/^Z.*\n/gm, '')
    },
    start: (machine, command, env) => {
      const [program = '', ...args] = commandOf(machine, command)
      return startProgram(program, args, { cwd: clone, env: { ...envOf(machine), ...env } })
    },
    [Symbol.asyncDispose]: async () => {
      if (user !== null) {
        // A failed case leaves processes.
        await run('pkill', ['-KILL', '-u', user]).catch(() => undefined)
        await run('userdel', ['--force', user])
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A project with the tools of a clone, whose lock file has one package. */
async function createSmallProject(clone: string, small: string): Promise<void> {
  const read = async (name: string) => JSON.parse(await readFile(path.join(clone, name), 'utf8'))
  const write = (name: string, content: object) =>
    writeFile(path.join(small, name), JSON.stringify(content))
  for (const name of ['.npmrc', 'src/tools']) {
    await cp(path.join(clone, name), path.join(small, name), { recursive: true })
  }
  const { engines, dependencies } = await read('package.json')
  const { packages, ...lock } = await read('package-lock.json')
  const place = `node_modules/${SMALL_PACKAGE}`
  const own = { engines, dependencies: { [SMALL_PACKAGE]: dependencies[SMALL_PACKAGE] } }
  await write('package.json', own)
  await write('package-lock.json', { ...lock, packages: { '': own, [place]: packages[place] } })
}

function assignments(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
}
