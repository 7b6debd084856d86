import { badImage, quote } from './bad-image.ts'
import type { ImageEntry } from './image-entry.ts'
import { readTar, type TarEntry } from './read-tar.ts'

const TYPES: Readonly<Record<string, ImageEntry['type']>> = {
  0: 'file',
  1: 'hard link',
  2: 'link',
  3: 'omitted',
  4: 'omitted',
  5: 'directory',
  6: 'omitted',
}

/** The entries of an archive of a root file system. */
export async function* tarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<ImageEntry> {
  for await (const entry of readTar(source)) yield imageEntry(entry)
}

/** An entry of an archive as a part of a root file system. */
export function imageEntry(entry: TarEntry): ImageEntry {
  const type = TYPES[entry.type]
  if (type === undefined) {
    throw badImage(`${quote(entry.path)} has the unknown type ${quote(entry.type)}`)
  }
  const { path, link, mode, modified, content } = entry
  return { type, path, target: link, isExecutable: (mode & 0o111) !== 0, modified, content }
}
