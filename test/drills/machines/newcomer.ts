import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runTool } from '../run-tool.ts'
import { type Started, startProgram } from '../started-program.ts'
import type { Machine, Newcomer } from './conditions.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TIMEOUT_MS = 3_600_000
const run = promisify(execFile)

/** A newcomer with a clean clone in a path with spaces. */
export interface NewcomerRig extends AsyncDisposable {
  readonly newcomer: Newcomer
  readonly clone: string
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
  return {
    newcomer: { user, home, folder },
    clone,
    run: (machine, command) => {
      const args = ['-i', ...assignments(envOf(machine))]
      const all = [...args, ...commandOf(machine, command)]
      return runTool('env', all, { cwd: clone, timeoutMs: TIMEOUT_MS })
    },
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

function assignments(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
}
