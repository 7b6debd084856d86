import { access, constants } from 'node:fs/promises'
import path from 'node:path'

/** The programs that isolate workloads: those of util-linux, bubblewrap, Perl, gVisor. */
const PROGRAMS = [
  'unshare',
  'setpriv',
  'prlimit',
  'setsid',
  'nsenter',
  'bwrap',
  'perl',
  'runsc',
] as const

export type Program = (typeof PROGRAMS)[number]

/** The paths of the programs that this machine has. */
export type Programs = Readonly<Partial<Record<Program, string>>>

/** Directories that only root can change, so that a user's PATH cannot replace a program. */
const DIRECTORIES = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']

/** Finds the programs of this machine. */
export async function findPrograms(): Promise<Programs> {
  const found = await Promise.all(
    PROGRAMS.map(async (name) => [name, await findProgram(name)] as const),
  )
  return Object.fromEntries(found.filter(([, file]) => file !== null))
}

export async function findProgram(name: string): Promise<string | null> {
  for (const directory of DIRECTORIES) {
    const file = path.join(directory, name)
    const isExecutable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return file
  }
  return null
}
