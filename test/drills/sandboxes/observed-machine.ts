import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../../../src/lib/error-code.ts'
import type { SandboxMachine } from './sandbox-machine.ts'

/** The processes and files on the machine, which the API does not show. */
export interface ObservedMachine {
  /** Instances that run or are frozen, by the uid of their sandbox. */
  readonly active: ReadonlyMap<string, number>
  /** Complete artefacts of snapshots, by the uid of their sandbox. */
  readonly artefacts: ReadonlyMap<string, number>
  /** Directories of sandboxes. */
  readonly directories: readonly string[]
  /** Programs of the sandboxes, by the uid in their environment. */
  readonly processes: ReadonlyMap<string, number>
}

/** Observes the machine. The programs are those of the sandboxes with the uids. */
export async function observeMachine(
  { sandboxd }: SandboxMachine,
  uids: ReadonlySet<string>,
): Promise<ObservedMachine> {
  const active = new Map<string, number>()
  for await (const { sandbox, state } of sandboxd.connection.runtime.listInstances({})) {
    if (state === 'Running' || state === 'Frozen') count(active, sandbox?.uid ?? '')
  }
  const artefacts = new Map<string, number>()
  for (const file of await filesBelow(path.join(sandboxd.directory, 'snapshots'))) {
    if (path.basename(file) !== 'manifest.json') continue
    const manifest = await ifPresent(readFile(file, 'utf8'))
    if (manifest !== null) count(artefacts, JSON.parse(manifest).sandbox.uid)
  }
  const directory = path.join(sandboxd.directory, 'sandboxes')
  const directories = (await ifPresent(readdir(directory))) ?? []
  return { active, artefacts, directories, processes: await programsOf(uids) }
}

/** Counts the `sleep` of each sandbox, which the machine sees behind every wall. */
async function programsOf(uids: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (!command.startsWith('sleep\0')) continue
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    const [, uid = ''] = /(?:^|\0)SANDBOX_UID=([^\0]*)/.exec(environment) ?? []
    if (uids.has(uid)) count(found, uid)
  }
  return found
}

/** All files; files and directories that are deleted during the search are absent. */
async function filesBelow(directory: string): Promise<readonly string[]> {
  const files: string[] = []
  for (const entry of (await ifPresent(readdir(directory, { withFileTypes: true }))) ?? []) {
    const file = path.join(directory, entry.name)
    if (entry.isDirectory()) files.push(...(await filesBelow(file)))
    else files.push(file)
  }
  return files
}

/** The result of a read, or null if the file no longer exists. */
async function ifPresent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
