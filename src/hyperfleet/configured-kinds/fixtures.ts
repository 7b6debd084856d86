import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Kind } from '../../store/registry/kind.ts'
import { KindsFileError } from './kinds-file-error.ts'
import { loadKindsFile } from './load-kinds-file.ts'

/** The built-in kind of these tests. */
export const FLEET: Kind = {
  kind: 'Fleet',
  plural: 'fleets',
  singular: 'fleet',
  parent: null,
  name: { minLength: 3, maxLength: 53 },
  spec: { type: 'object' },
  requiredAdapters: ['validator'],
  references: [],
  messages: { available: 'Fleet is there', ready: 'Fleet is ready' },
}

/** Its child. */
export const SHIP: Kind = {
  ...FLEET,
  kind: 'Ship',
  plural: 'ships',
  singular: 'ship',
  parent: { kind: 'Fleet', onDelete: 'cascade' },
}

/** A folder with configuration files. Disposing it removes the folder. */
export interface Folder extends AsyncDisposable {
  /** Writes a file and returns its path. */
  write(name: string, text: string): Promise<string>
  /** The kinds of a configuration file with this text. */
  load(text: string): Promise<readonly Kind[]>
  /** Every problem of such a file, without the folder's name. */
  problemsOf(text: string): Promise<readonly string[]>
}

/** An empty folder. */
export async function newFolder(): Promise<Folder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-entities-'))
  const write: Folder['write'] = async (name, text) => {
    const file = path.join(folder, name)
    await writeFile(file, text)
    return file
  }
  const load: Folder['load'] = async (text) =>
    loadKindsFile(await write('fleet.yaml', text), [FLEET, SHIP])
  return {
    write,
    load,
    problemsOf: async (text) => {
      const failure: unknown = await load(text).catch((error: unknown) => error)
      if (!(failure instanceof KindsFileError)) {
        throw new Error('the file was taken', { cause: failure })
      }
      return failure.problems.map((problem) => problem.replaceAll(`${folder}/`, ''))
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
