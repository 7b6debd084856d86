import { createHash } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The parent of the cgroups of this runtime's instances. */
export interface CgroupRoot {
  readonly path: string
  /** The controllers that limit instances: memory, pids, cpu. */
  readonly controllers: readonly string[]
}

const WANTED = ['memory', 'pids', 'cpu']
/** `36 25 0:29 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw`, also in hybrid mode. */
const MOUNT = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m

/**
 * Creates the cgroup of the runtime that owns `directory`; null if this machine has no cgroup v2 that
 * this user may write. Root uses the root of the hierarchy, so that workloads survive a restart of
 * the runtime's service; other users need a delegated cgroup.
 */
export async function createCgroupRoot(directory: string): Promise<CgroupRoot | null> {
  const mount = MOUNT.exec(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''))
  const mountPoint = mount?.[2]
  if (mountPoint === undefined) return null
  const parent = process.getuid?.() === 0 ? mountPoint : path.join(mountPoint, await ownCgroup())
  try {
    await access(path.join(parent, 'cgroup.procs'), constants.W_OK)
    const root = path.join(parent, `flotilla-${nameOf(directory)}`)
    await mkdir(root, { recursive: true })
    await access(path.join(root, 'cgroup.procs'), constants.W_OK)
    return { path: root, controllers: await enableControllers(root) }
  } catch {
    return null
  }
}

function nameOf(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 12)
}

async function ownCgroup(): Promise<string> {
  const text = await readFile('/proc/self/cgroup', 'utf8')
  return /^0::(.*)$/m.exec(text)?.[1] ?? '/'
}

/** The controllers that instances get. The parent must have enabled them for its children. */
async function enableControllers(root: string): Promise<readonly string[]> {
  const available = (await readFile(path.join(root, 'cgroup.controllers'), 'utf8'))
    .trim()
    .split(/\s+/)
  const wanted = WANTED.filter((name) => available.includes(name))
  if (wanted.length === 0) return []
  const enabled = wanted.map((name) => `+${name}`).join(' ')
  return writeFile(path.join(root, 'cgroup.subtree_control'), enabled).then(
    () => wanted,
    () => [],
  )
}

/** The names of the cgroups in the root. */
export async function listCgroups(root: CgroupRoot): Promise<readonly string[]> {
  const entries = await readdir(root.path, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}
