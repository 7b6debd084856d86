import { lstat } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from 'flotilla'
import { SandboxDriverError } from '../../../protocol/sandbox-driver-error.ts'

/** A directory of the machine and its path in the sandbox. */
export interface Mount {
  readonly source: string
  readonly target: string
}

/**
 * What the programs need that start an instance, limit its processes, and run commands beside its
 * workload: themselves, their libraries, and files of the kernel and the runtime.
 */
const RESERVED = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap((name) => [
    name,
    `/usr${name}`,
  ]),
  '/etc/ld.so.cache',
  '/etc/ld.so.preload',
  '/proc',
  '/run/sandbox',
]

/**
 * Checks the paths that bwrap follows and creates while it still sees all files of the machine. A
 * link that an earlier run has left in a volume, or those in `/proc`, would lead bwrap there. No
 * process of the sandbox runs meanwhile.
 */
export async function checkMountPoints(mounts: readonly Mount[]): Promise<void> {
  for (const { target } of mounts) {
    const reserved = RESERVED.find((each) => isBelow(target, each) || isBelow(each, target))
    if (reserved !== undefined) {
      throw refused(`nothing can be mounted at ${target}: the sandbox itself needs ${reserved}`)
    }
    const outer = mounts
      .filter((each) => each.target !== target && isBelow(target, each.target))
      .toSorted((a, b) => b.target.length - a.target.length)[0]
    if (outer !== undefined) await checkInside(outer, target)
  }
}

async function checkInside({ source, target: parent }: Mount, target: string): Promise<void> {
  let inside = ''
  for (const name of path.relative(parent, target).split(path.sep)) {
    inside = path.join(inside, name)
    const type = await typeOf(path.join(source, inside))
    if (type === 'missing') return
    if (type === 'directory') continue
    const found = path.join(parent, inside)
    throw refused(`nothing can be mounted at ${target}: ${found} is a ${type}, not a directory`)
  }
}

async function typeOf(file: string): Promise<'directory' | 'file' | 'link' | 'missing'> {
  try {
    const found = await lstat(file)
    if (found.isSymbolicLink()) return 'link'
    return found.isDirectory() ? 'directory' : 'file'
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'missing'
    throw error
  }
}

function isBelow(target: string, parent: string): boolean {
  return target === parent || target.startsWith(parent === '/' ? '/' : `${parent}/`)
}

function refused(message: string): SandboxDriverError {
  return new SandboxDriverError('FAILED_PRECONDITION', message)
}
