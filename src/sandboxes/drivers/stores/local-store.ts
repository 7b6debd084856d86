import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorCode } from 'flotilla'
import type { Store, StoredObject } from './store.ts'
import { storeFailure } from './store-failure.ts'

const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700
/** Chunks of this size make reading and hashing fast. */
const READ_BYTES = 1024 * 1024
const UNFINISHED = '.partial'

/** A store in a directory that only this process's user can read. */
export function openLocalStore(directory: string): Store {
  const fileOf = (key: string): string => path.join(directory, key)
  return {
    isRemote: false,
    put: async (key, content, signal) => {
      try {
        return await writeFile(fileOf(key), content, signal)
      } catch (error) {
        throw storeFailure('write to the store', error, signal)
      }
    },
    get: async (key, signal) => {
      try {
        return readChunks(await open(fileOf(key)), signal)
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null
        throw storeFailure('read the store', error, signal)
      }
    },
    head: async (key, signal) => {
      try {
        return await describe(fileOf(key), key)
      } catch (error) {
        throw storeFailure('read the store', error, signal)
      }
    },
    list: (prefix, signal) => list(directory, prefix, signal),
    delete: async (prefix, signal) => {
      try {
        await rm(fileOf(prefix), { recursive: true, force: true })
        await removeEmptyParents(directory, path.dirname(fileOf(prefix)))
      } catch (error) {
        throw storeFailure('delete from the store', error, signal)
      }
    },
  }
}

async function* readChunks(file: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* file.createReadStream({ highWaterMark: READ_BYTES, signal })
  } catch (error) {
    throw storeFailure('read the store', error, signal)
  }
}

/** Writes a partial file, makes it durable and renames it. */
async function writeFile(
  file: string,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> {
  const directory = path.dirname(file)
  const partial = `${file}${UNFINISHED}`
  try {
    const created = await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY })
    const output = createWriteStream(partial, { mode: PRIVATE_FILE, flush: true })
    await pipeline(content, output, { signal })
    await rename(partial, file)
    await syncDirectories(directory, created ?? directory)
    return output.bytesWritten
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Makes a new file durable, and the directories that were created for it, from `first` down. */
async function syncDirectories(directory: string, first: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (directory.length >= first.length) await syncDirectories(path.dirname(directory), first)
}

async function* list(
  root: string,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<StoredObject> {
  for (const entry of await entriesOf(path.join(root, prefix), signal)) {
    signal.throwIfAborted()
    const key = `${prefix}${entry.name}`
    if (entry.isDirectory()) yield* list(root, `${key}/`, signal)
    const found = entry.isFile() ? await describe(path.join(root, key), key) : null
    if (found) yield found
  }
}

async function entriesOf(directory: string, signal: AbortSignal) {
  try {
    return await readdir(directory, { withFileTypes: true })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw storeFailure('list the store', error, signal)
  }
}

async function describe(file: string, key: string): Promise<StoredObject | null> {
  try {
    const { size, mtimeMs } = await stat(file)
    return { key, bytes: size, modifiedMs: Math.trunc(mtimeMs) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Removes the directories of a sandbox, namespace and plane if they have become empty. */
async function removeEmptyParents(root: string, directory: string): Promise<void> {
  if (!directory.startsWith(`${root}/`)) return
  try {
    await rmdir(directory)
  } catch {
    // It is not empty, or a concurrent write needs it.
    return
  }
  await removeEmptyParents(root, path.dirname(directory))
}
