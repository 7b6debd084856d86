import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { readBootId } from 'flotilla/programs'
import { type CgroupRoot, createCgroupRoot } from './cgroup-root.ts'
import { findPrograms, type Programs } from './find-programs.ts'
import { markOf } from './process-mark.ts'
import { runProgram } from './run-program.ts'

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
  /** Whether bubblewrap limits the size of file systems in memory (0.7 and newer). */
  readonly sizesMemoryFiles: boolean
  /** Whether the processes of an instance have a mark, because no cgroup contains them. */
  readonly marksProcesses: boolean
  /** Maximum number of open files of a process. */
  readonly maxFiles: number
}

const MAX_FILES = 65_536
const HELP_TIMEOUT_MS = 10_000

/** Finds out what this machine can do. `directory` is the runtime's. */
export async function inspectMachine(directory: string): Promise<Machine> {
  const programs = await findPrograms()
  const isRoot = process.getuid?.() === 0
  const cgroups = await createCgroupRoot(directory)
  return {
    name: os.hostname(),
    bootId: await readBootId(),
    isRoot,
    programs,
    cgroups,
    isolatesUsers: isRoot && programs.setpriv !== undefined,
    isolatesProcesses: isRoot && programs.unshare !== undefined,
    sizesMemoryFiles: await hasSizeOption(programs.bwrap),
    // Inside another instance with a mark, an ordinary user cannot replace it.
    marksProcesses: cgroups === null && programs.prlimit !== undefined && markOf('self') === null,
    maxFiles: await readMaxFiles(),
  }
}

async function hasSizeOption(bwrap: string | undefined): Promise<boolean> {
  if (bwrap === undefined) return false
  const { output } = await runProgram([bwrap, '--help'], { timeoutMs: HELP_TIMEOUT_MS })
  return output.includes('--size BYTES')
}

/** The hard limit of this process, which it may be unable to raise, up to MAX_FILES. */
async function readMaxFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8')
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1]
  return hard === undefined ? MAX_FILES : Math.min(Number(hard), MAX_FILES)
}
