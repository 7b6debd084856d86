import { constants } from 'node:fs'
import { type FileHandle, open, readdir, readlink } from 'node:fs/promises'
import { lstat } from 'node:fs/promises'
import type { ImageEntry } from './image-entry.ts'
import { noContent } from './image-entry.ts'

/** The entries of a directory with a root file system. Links are read, never followed. */
export async function* directoryEntries(root: string): AsyncGenerator<ImageEntry> {
  yield* entriesOf(Buffer.from(root), '')
}

async function* entriesOf(root: Buffer, directory: string): AsyncGenerator<ImageEntry> {
  const names = await readdir(inRoot(root, directory), { encoding: 'buffer' })
  for (const name of names.map((each) => each.toString('latin1')).toSorted()) {
    const path = directory === '' ? name : `${directory}/${name}`
    const file = inRoot(root, path)
    const found = await lstat(file)
    const entry = {
      path,
      target: '',
      isExecutable: (found.mode & 0o111) !== 0,
      modified: Math.floor(found.mtimeMs / 1000),
      content: noContent(),
    }
    if (found.isDirectory()) {
      yield { ...entry, type: 'directory' }
      yield* entriesOf(root, path)
    } else if (found.isSymbolicLink()) {
      const target = await readlink(file, { encoding: 'buffer' })
      yield { ...entry, type: 'link', target: target.toString('latin1') }
    } else if (found.isFile()) {
      await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
      yield { ...entry, type: 'file', content: contentOf(handle) }
    } else yield { ...entry, type: 'omitted' }
  }
}

async function* contentOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    if (chunk instanceof Buffer) yield chunk
  }
}

function inRoot(root: Buffer, path: string): Buffer {
  return path === '' ? root : Buffer.concat([root, Buffer.from(`/${path}`, 'latin1')])
}
