import { createHash } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A controller of resources. */
export type Controller = 'memory' | 'pids' | 'cpu'

/** The parent of the cgroups of this runtime's instances. */
export interface CgroupRoot {
  readonly path: string
  /** The controllers that limit instances. */
  readonly controllers: readonly Controller[]
  /** The parents in the hierarchies of cgroup v1, for those controllers that cgroup v2 does not have. */
  readonly legacy: ReadonlyMap<Controller, string>
}

const WANTED: readonly Controller[] = ['memory', 'pids', 'cpu']
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
    const unified = await enableControllers(root)
    const missing = WANTED.filter((name) => !unified.includes(name))
    const legacy = await createLegacyRoots(path.basename(root), missing)
    return { path: root, controllers: [...unified, ...legacy.keys()], legacy }
  } catch {
    return null
  }
}

/** Creates the parents in cgroup v1, which has a hierarchy for each controller or group of them. */
async function createLegacyRoots(
  name: string,
  controllers: readonly Controller[],
): Promise<ReadonlyMap<Controller, string>> {
  const roots = new Map<Controller, string>()
  for (const controller of controllers) {
    const root = await createLegacyRoot(controller, name).catch(() => null)
    if (root !== null) roots.set(controller, root)
  }
  return roots
}

/** Null if the controller is not mounted; fails if this user may not create cgroups there. */
async function createLegacyRoot(controller: Controller, name: string): Promise<string | null> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8')
  const mount = mounts.split('\n').find((line) => isLegacyMount(line, controller))
  const mountPoint = mount?.split(' ')[4]
  if (mountPoint === undefined) return null
  const own = process.getuid?.() === 0 ? '' : await ownLegacyCgroup(controller)
  const root = path.join(mountPoint, own, name)
  await mkdir(root, { recursive: true })
  await access(path.join(root, 'cgroup.procs'), constants.W_OK)
  return root
}

/** `32 25 0:28 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory` */
function isLegacyMount(line: string, controller: Controller): boolean {
  const [type, , options = ''] = line.split(' - ')[1]?.split(' ') ?? []
  return type === 'cgroup' && options.split(',').includes(controller)
}

/** `4:memory:/user.slice` */
async function ownLegacyCgroup(controller: Controller): Promise<string> {
  for (const line of (await readFile('/proc/self/cgroup', 'utf8')).split('\n')) {
    const [, controllers = '', cgroup] = line.split(':')
    if (cgroup !== undefined && controllers.split(',').includes(controller)) return cgroup
  }
  return '/'
}

function nameOf(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 12)
}

async function ownCgroup(): Promise<string> {
  const text = await readFile('/proc/self/cgroup', 'utf8')
  return /^0::(.*)$/m.exec(text)?.[1] ?? '/'
}

/** The controllers that instances get. The parent must have enabled them for its children. */
async function enableControllers(root: string): Promise<readonly Controller[]> {
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

/** The names of the cgroups in the root, in any hierarchy. */
export async function listCgroups(root: CgroupRoot): Promise<readonly string[]> {
  const roots = [root.path, ...new Set(root.legacy.values())]
  const entries = await Promise.all(roots.map((each) => readdir(each, { withFileTypes: true })))
  const directories = entries.flat().filter((entry) => entry.isDirectory())
  return [...new Set(directories.map(({ name }) => name))]
}

/** Removes the cgroup of the runtime unless instances are left in it. */
export async function removeCgroupRoot({ path: unified, legacy }: CgroupRoot): Promise<void> {
  for (const root of [...legacy.values(), unified]) await rmdir(root).catch(() => {})
}
