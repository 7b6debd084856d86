import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { readIfPresent } from '../files/read-if-present.ts'

/** The start time of a living process, which distinguishes it from a later one with the same pid. */
export async function processStart(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? startInProc(pid) : askPs(pid, 'lstart')
}

/** The arguments of a living process, or one string with all of them on systems without /proc. */
export async function processCommand(pid: number): Promise<readonly string[]> {
  if (process.platform === 'linux') {
    return (await readProc(`/proc/${pid}/cmdline`))?.split('\0') ?? []
  }
  const command = await askPs(pid, 'command')
  return command === null ? [] : [command]
}

/** Field 22 of /proc/<pid>/stat counts from the boot, so the result includes the boot's id. */
async function startInProc(pid: number): Promise<string | null> {
  const stat = await readProc(`/proc/${pid}/stat`)
  if (stat === null) return null
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ended = state === 'Z' || state === 'X'
  if (ended) return null
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
  return `${boot.trim()} ${rest[18]}`
}

async function readProc(path: string): Promise<string | null> {
  // Reading a process that ends meanwhile fails with ESRCH.
  return readIfPresent(path).catch(() => null)
}

async function askPs(pid: number, field: 'lstart' | 'command'): Promise<string | null> {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' }
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', `${field}=`, '-p', `${pid}`], {
      env,
    })
    return stdout.trim() || null
  } catch {
    return null
  }
}
