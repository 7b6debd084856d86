import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rmdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Skipped } from '../drill.ts'

/** An account with a clean clone, for which a condition prepares a machine. */
export interface Newcomer {
  /** Null if the drill does not run as root, so that the newcomer is its own account. */
  readonly user: string | null
  readonly home: string
  /** A folder for the files of the condition. */
  readonly folder: string
}

/** A machine with a condition. */
export interface Machine {
  /** A command before the program, such as `unshare`. */
  readonly prefix: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** False if sandboxes cannot have a wall. */
  readonly hasWalls?: false
  /** Ends what the condition has started or changed. */
  readonly end?: () => Promise<void> | void
}

/** Prepares a machine. Throws {@link Skipped} if this one cannot become it. */
export type Condition = (newcomer: Newcomer) => Promise<Machine> | Machine

const CPU_GROUP = '/sys/fs/cgroup/cpu/flotilla-machines'
const BUSY_LOOPS = 8
/** It ends with the drill, even if that is killed. */
const BUSY_LOOP = 'while kill -0 $PPID; do :; done'
const MISSING = /^(git|git-.*|python3?(\.\d+)?|psql|kubectl)$/

/** Conditions of machines by the name of their case. */
export const CONDITIONS: Readonly<Record<string, Condition>> = {
  'ordinary-user': () => ({ prefix: [] }),
  'without-privileges': withoutPrivileges,
  'without-programs': withoutPrograms,
  'bare-account': bareAccount,
  'half-a-core': halfACore,
  'busy-loops': busyLoops,
  'read-only-home': readOnlyHome,
}

/** As in a container without privileges: no cgroup can be written, and no user namespace created. */
function withoutPrivileges(): Machine {
  const prefix = ['bwrap', '--dev-bind', '/', '/', '--tmpfs', '/sys/fs/cgroup', '--unshare-user']
  prefix.push('--disable-userns', '--')
  return {
    prefix: succeeding(prefix, 'bubblewrap cannot create a user namespace'),
    hasWalls: false,
  }
}

/** Without git, Python, psql and kubectl on the PATH. */
async function withoutPrograms({ folder }: Newcomer): Promise<Machine> {
  const programs = path.join(folder, 'programs')
  await mkdir(programs, { recursive: true })
  for (const source of (process.env['PATH'] ?? '').split(path.delimiter).toReversed()) {
    if (!existsSync(source) || source.includes('node_modules')) continue
    for (const name of await readdir(source)) {
      if (MISSING.test(name)) continue
      const link = path.join(programs, name)
      if (!existsSync(link)) await symlink(path.join(source, name), link).catch(() => undefined)
    }
  }
  return { prefix: [], env: { PATH: programs } }
}

/** The scheduler of the machine gives all its programs half a core together. */
async function halfACore(): Promise<Machine> {
  try {
    await mkdir(CPU_GROUP, { recursive: true })
    await writeFile(path.join(CPU_GROUP, 'cpu.cfs_quota_us'), '50000')
  } catch (cause) {
    throw new Skipped('the drill cannot limit the CPU of a cgroup', { cause })
  }
  const enter = `echo $$ >${CPU_GROUP}/cgroup.procs && exec "$@"`
  return {
    prefix: ['sh', '-c', enter, 'sh'],
    end: () => rmdir(CPU_GROUP),
  }
}

function busyLoops(): Machine {
  const loops = Array.from({ length: BUSY_LOOPS }, () =>
    spawn('sh', ['-c', BUSY_LOOP], { stdio: 'ignore' }),
  )
  return {
    prefix: [],
    end: () => {
      for (const loop of loops) loop.kill('SIGKILL')
    },
  }
}

async function readOnlyHome({ user, home }: Newcomer): Promise<Machine> {
  if (user === null) throw new Skipped('only root creates an account for the drill')
  await chmod(home, 0o555)
  return { prefix: [], end: () => chmod(home, 0o755) }
}

/** Without programs, and with a read-only home: two machines in the time of one. */
async function bareAccount(newcomer: Newcomer): Promise<Machine> {
  const { env = {} } = await withoutPrograms(newcomer)
  return { ...(await readOnlyHome(newcomer)), env }
}

function succeeding(prefix: readonly string[], problem: string): readonly string[] {
  const [program = '', ...args] = prefix
  try {
    execFileSync(program, [...args, 'true'], { stdio: 'ignore' })
  } catch (cause) {
    throw new Skipped(problem, { cause })
  }
  return prefix
}
