import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** The file that the user edits. It stays until it is removed, also after a crash. */
export interface EditFile {
  readonly path: string
  readonly read: () => Promise<string>
  readonly write: (text: string) => Promise<void>
  /** When it was last written, in nanoseconds. */
  readonly writtenAt: () => Promise<bigint>
  readonly remove: () => Promise<void>
}

/** Creates a file in a folder that only its owner may open. */
export async function createEditFile(name: string): Promise<EditFile> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-edit-'))
  const file = path.join(folder, `${name.replaceAll(/[^\w.-]/g, '-')}.yaml`)
  return {
    path: file,
    read: () => readFile(file, 'utf8'),
    write: (text) => writeFile(file, text, { mode: 0o600 }),
    writtenAt: async () => (await stat(file, { bigint: true })).mtimeNs,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
