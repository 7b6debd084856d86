import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { must } from 'flotilla'

/** The variables of the machine's programs. Those of this process never reach them. */
export const SYSTEM_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

interface Detached {
  readonly child: ChildProcess
  readonly pid: number
}

/**
 * Starts a program that outlives this process, in a separate session. Its only descriptors are the
 * output, and `inherited` from 3 on, without the nulls.
 */
export async function spawnDetached(
  command: readonly string[],
  output: FileHandle,
  inherited: readonly (number | null)[] = [],
): Promise<Detached> {
  const [program = '', ...parameters] = command
  const child = spawn(program, parameters, {
    cwd: '/',
    detached: true,
    env: SYSTEM_ENVIRONMENT,
    stdio: ['ignore', output.fd, output.fd, ...inherited.map((fd) => fd ?? 'ignore')],
  })
  await once(child, 'spawn')
  child.unref()
  return { child, pid: must(child.pid, 'the pid of a program') }
}
