import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { hasEnded } from '../../../src/lib/processes/has-ended.ts'
import { runTool } from '../run-tool.ts'
import type { Machine, Newcomer } from './conditions.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TIMEOUT_MS = 3_600_000
const POLL_MS = 100
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

/** A running program. */
export interface Started extends AsyncDisposable {
  /** The first match in the output. Rejects if the program ends before. */
  match(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends Ctrl-C and resolves with the exit code, or the signal that ended the program. */
  interrupt(): Promise<number | NodeJS.Signals | null>
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

function startProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Started {
  // A process group, as a terminal gives it: Ctrl-C reaches all its programs.
  const child = spawn(program, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const closed = once(child, 'close')
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined && !hasEnded(child)) process.kill(-child.pid, signal)
  }
  return {
    match: async (pattern) => {
      for (;;) {
        const match = pattern.exec(output)
        if (match !== null) return match
        if (hasEnded(child)) throw new Error(`${program} ended:\n${output.slice(-4000)}`)
        await sleep(POLL_MS)
      }
    },
    interrupt: async () => {
      signalGroup('SIGINT')
      await closed
      return child.exitCode ?? child.signalCode
    },
    [Symbol.asyncDispose]: async () => {
      signalGroup('SIGKILL')
      await closed
    },
  }
}
