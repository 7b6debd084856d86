import { constants, createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from 'flotilla'
import { badImage, quote } from './bad-image.ts'
import type { ImageLimits } from './image-limits.ts'
import { namesOf } from './path-names.ts'
import { readTar } from './read-tar.ts'

/** The files of an image layout, in a directory or in an archive. */
export interface Blobs {
  /** Whether the layout has a file. */
  has(name: string): Promise<boolean>
  /** Reads a file from its beginning. */
  read(name: string): AsyncIterable<Buffer>
}

/** The files of a directory. A link is not a file. */
export function directoryBlobs(directory: string): Blobs {
  const openFile = (name: string) =>
    open(path.join(directory, ...namesOf(name)), constants.O_RDONLY | constants.O_NOFOLLOW)
  return {
    has: async (name) => {
      try {
        await using handle = await openFile(name)
        return (await handle.stat()).isFile()
      } catch {
        return false
      }
    },
    read: async function* (name) {
      try {
        await using handle = await openFile(name)
        yield* chunksOf(handle.createReadStream({ autoClose: false }))
      } catch (error) {
        const isMissing = ['ENOENT', 'ELOOP', 'ENOTDIR'].includes(errorCode(error) ?? '')
        throw isMissing ? missing(name) : error
      }
    },
  }
}

interface Range {
  readonly start: number
  readonly size: number
  /** The file that a link names; null for a file. */
  readonly target: string | null
}

const MAX_LINKS = 4

/** The files of an archive without compression. Its links may name only files of the archive. */
export async function archiveBlobs(file: string, limits: ImageLimits): Promise<Blobs> {
  const ranges = new Map<string, Range>()
  for await (const entry of readTar(chunksOf(createReadStream(file)))) {
    const { type, offset, size, link } = entry
    if (ranges.size > limits.entries) throw badImage(`it has more than ${limits.entries} entries`)
    if (!['0', '1', '2'].includes(type)) continue
    const names = namesOf(entry.path)
    // `docker save` of earlier versions links layers that occur twice.
    const target =
      type === '0' ? null : path.posix.join(type === '2' ? `${names.join('/')}/..` : '.', link)
    ranges.set(names.join('/'), { start: offset, size, target })
  }
  const find = (name: string): Range | null => {
    let range = ranges.get(name)
    for (let links = 0; range?.target != null && links < MAX_LINKS; links += 1) {
      range = ranges.get(range.target)
    }
    return range?.target === null ? range : null
  }
  return {
    has: async (name) => find(name) !== null,
    read: async function* (name) {
      const range = find(name)
      if (range === null) throw missing(name)
      if (range.size === 0) return
      const { start, size } = range
      yield* chunksOf(createReadStream(file, { start, end: start + size - 1 }))
    },
  }
}

/** Reads a file of the machine. */
export async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) if (chunk instanceof Buffer) yield chunk
}

/** Reads a document of JSON. */
export async function readDocument(
  content: AsyncIterable<Buffer>,
  name: string,
  { documentBytes }: ImageLimits,
): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > documentBytes) throw badImage(`${quote(name)} is larger than ${documentBytes} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    throw badImage(`${quote(name)} is not JSON`, cause)
  }
}

function missing(name: string) {
  return badImage(`the file ${quote(name)} is missing`)
}
