import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { must } from '../lib/assert.ts'
import type { Account } from './account.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** The account, and an environment without variables that change PostgreSQL's behaviour. */
export function programOptions(account: Account | null): SpawnOptions {
  return {
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(account && { uid: account.uid, gid: account.gid }),
  }
}

/** Runs a program to its end. Throws an error with its output if it fails. */
export async function runProgram(
  program: string,
  parameters: readonly string[],
  account: Account | null,
): Promise<void> {
  const child = spawn(program, parameters, programOptions(account))
  const ended = once(child, 'close')
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  const [said] = await Promise.all([text(must(child.stderr, 'standard error')), ended])
  if (child.exitCode === 0) return
  const how = child.signalCode ?? `code ${child.exitCode}`
  throw new EmbeddedPostgresError(`${program} failed (${how}): ${said.trim()}`)
}
