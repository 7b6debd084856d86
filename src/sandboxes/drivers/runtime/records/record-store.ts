import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { writeDurably } from '../../protocol/write-durably.ts'
import type { SandboxRecord } from './sandbox-record.ts'

/** The records of all sandboxes: one file each, replaced atomically. */
export interface RecordStore {
  readAll(): Promise<readonly SandboxRecord[]>
  /** Returns when the record is on disk. */
  write(record: SandboxRecord): Promise<void>
  remove(uid: string): Promise<void>
}

const SUFFIX = '.json'

/** Opens the records below the runtime's state directory. */
export async function openRecordStore(stateDirectory: string): Promise<RecordStore> {
  const directory = path.join(stateDirectory, 'records')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const fileOf = (uid: string): string => path.join(directory, `${uid}${SUFFIX}`)
  return {
    readAll: async () => {
      const names = (await readdir(directory)).filter((name) => name.endsWith(SUFFIX))
      return Promise.all(names.map((name) => readRecord(path.join(directory, name))))
    },
    write: (record) => writeDurably(fileOf(record.sandbox.uid), JSON.stringify(record)),
    remove: (uid) => rm(fileOf(uid), { force: true }),
  }
}

async function readRecord(file: string): Promise<SandboxRecord> {
  try {
    const text = await readFile(file, 'utf8')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this store writes the file, atomically
    return JSON.parse(text) as SandboxRecord
  } catch (cause) {
    throw new Error(`the record ${file} cannot be read: restore it or remove its sandbox`, {
      cause,
    })
  }
}
