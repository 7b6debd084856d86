import { createHash } from 'node:crypto'
import { chmod, copyFile, link, mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createKeyedQueue, errorCode, must } from 'flotilla'
import { copyPrograms } from '../../machine/copy-programs.ts'
import { findProgram } from '../../machine/find-programs.ts'
import { PROGRAMS, type RuntimeLayout } from '../../sandbox-layout.ts'

const NAMES = ['cat', 'env', 'mkdir', 'perl', 'sh'] as const

type StartProgram = (typeof NAMES)[number]

/** The commands in a sandbox that start its workload, check it, and run others beside it. */
export type StartPrograms = Readonly<Record<StartProgram, readonly string[]>>

/** Those of the machine or of the image. */
export const SYSTEM_PROGRAMS: StartPrograms = {
  cat: ['/bin/cat'],
  env: ['/usr/bin/env'],
  mkdir: ['/bin/mkdir'],
  perl: ['/usr/bin/perl'],
  sh: ['/bin/sh'],
}

/** The directory in the sandbox with the files that start a workload and commands beside it. */
export const START_DIRECTORY = '/run/sandbox'

/** The directory in the sandbox for copies of the programs of the machine. */
export const PROGRAMS_DIRECTORY = `${START_DIRECTORY}/programs`

/** Copies of the programs of this machine for sandboxes whose image lacks them. */
export interface ProgramCopies {
  /** Adds the copies to a directory, and returns the commands in the sandbox. */
  addTo(directory: string): Promise<StartPrograms>
}

/** They are replaced at the first use, so that they are the current programs of the machine. */
export function programCopies({
  imagesDirectory,
}: Pick<RuntimeLayout, 'imagesDirectory'>): ProgramCopies {
  const directory = path.join(imagesDirectory, PROGRAMS)
  let copied: Promise<StartPrograms> | null = null
  const copy = async (): Promise<StartPrograms> => {
    const commands = await copyPrograms(await findAll(), { directory, inside: PROGRAMS_DIRECTORY })
    const commandOf = (name: StartProgram) => must(commands.get(name), name)
    return {
      cat: commandOf('cat'),
      env: commandOf('env'),
      mkdir: commandOf('mkdir'),
      perl: commands.get('perl') ?? SYSTEM_PROGRAMS.perl,
      sh: commandOf('sh'),
    }
  }
  const add = async (target: string): Promise<StartPrograms> => {
    copied ??= copy()
    try {
      const programs = await copied
      await linkAll(directory, target)
      return programs
    } catch (error) {
      // The next start tries again, for example with space on the disk.
      copied = null
      throw error
    }
  }
  // One after the other: a start that copies again must not remove files that another one links.
  const turns = createKeyedQueue(Infinity)
  return {
    addTo: (target) => turns.run(directory, () => add(target)),
  }
}

/** Identifies the copies of an instance; empty if it has none. */
export async function programsDigest(runDirectory: string): Promise<string> {
  const directory = path.join(runDirectory, PROGRAMS)
  const names = await readdir(directory).catch(() => [])
  if (names.length === 0) return ''
  const hash = createHash('sha256')
  for (const name of names.toSorted((one, other) => (one < other ? -1 : 1))) {
    hash.update(`${name}\n`)
    hash.update(await readFile(path.join(directory, name)))
  }
  return hash.digest('hex')
}

/** Only probes need Perl. */
async function findAll(): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    NAMES.map(async (name) => [name, await findProgram(name)] as const),
  )
  return new Map(found.flatMap(([name, file]) => (file === null ? [] : [[name, file] as const])))
}

/** Links share the blocks of the copies, and stay when these are replaced. */
async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to)
  // The mask of the process may be stricter.
  await chmod(to, 0o755)
  for (const name of await readdir(from)) {
    const [source, target] = [path.join(from, name), path.join(to, name)]
    try {
      await link(source, target)
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error
      await copyFile(source, target)
    }
  }
}
