import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** A program or library that a dumped process has mapped. A restore maps it again. */
export interface MappedFile {
  readonly path: string
  readonly bytes: number
  readonly modifiedMs: number
}

/** `55d0-55d1 r-xp 00000000 fd:01 1234    /usr/bin/node` */
const MAPPING = /^\S+ \S+ \S+ \S+ [1-9]\d*\s+(\/.*)$/gm

/** The files that processes map, except those below `directory`, which a snapshot contains. */
export async function listMappedFiles(
  pids: readonly number[],
  directory: string,
): Promise<readonly MappedFile[]> {
  const maps = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '')),
  )
  const paths = new Set(maps.flatMap(mappedPaths))
  const outside = [...paths].filter((file) => path.relative(directory, file).startsWith('..'))
  const files = await Promise.all(outside.map(describeFile))
  return files.filter((file) => file !== null)
}

/** Returns the first file that is missing or has changed; null if all are as they were. */
export async function findChangedFile(files: readonly MappedFile[]): Promise<string | null> {
  for (const file of files) {
    const current = await describeFile(file.path)
    const isSame = current?.bytes === file.bytes && current.modifiedMs === file.modifiedMs
    if (!isSame) return file.path
  }
  return null
}

/** The paths in the content of a `maps` file of /proc. Deleted files are part of the memory images. */
export function mappedPaths(maps: string): readonly string[] {
  return [...maps.matchAll(MAPPING)]
    .map(([, file = '']) => file)
    .filter((file) => !file.endsWith(' (deleted)') && !file.startsWith('/dev/'))
}

async function describeFile(file: string): Promise<MappedFile | null> {
  const status = await stat(file).catch(() => null)
  if (!status?.isFile()) return null
  return { path: file, bytes: status.size, modifiedMs: Math.trunc(status.mtimeMs) }
}
