import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { readBootId } from '../../../lib/processes/boot-id.ts'
import { type CgroupRoot, createCgroupRoot } from './cgroup-root.ts'
import { findPrograms, type Programs } from './find-programs.ts'

/** Capabilities of this machine and this user for workloads. */
export interface Machine {
  readonly name: string
  readonly bootId: string
  readonly isRoot: boolean
  readonly programs: Programs
  readonly cgroups: CgroupRoot | null
  /** Whether each sandbox runs as a separate unprivileged user. */
  readonly isolatesUsers: boolean
  /** Whether each instance has its own PID namespace. */
  readonly isolatesProcesses: boolean
  /** Maximum number of open files of a process. */
  readonly maxFiles: number
}

const MAX_FILES = 65_536

/** Finds out what this machine can do. `directory` is the runtime's. */
export async function inspectMachine(directory: string): Promise<Machine> {
  const programs = await findPrograms()
  const isRoot = process.getuid?.() === 0
  return {
    name: os.hostname(),
    bootId: await readBootId(),
    isRoot,
    programs,
    cgroups: await createCgroupRoot(directory),
    isolatesUsers: isRoot && programs.setpriv !== undefined,
    isolatesProcesses: isRoot && programs.unshare !== undefined,
    maxFiles: await readMaxFiles(),
  }
}

/** The hard limit of this process, which it may be unable to raise, up to MAX_FILES. */
async function readMaxFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8')
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1]
  return hard === undefined ? MAX_FILES : Math.min(Number(hard), MAX_FILES)
}
