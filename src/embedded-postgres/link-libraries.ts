import { symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../lib/error-code.ts'
import { readIfPresent } from '../lib/files/read-if-present.ts'
import { statIfPresent } from './stat-if-present.ts'

const LIST = 'pg-symlinks.json'

/** Creates the symbolic links between libraries, which npm packages cannot contain. */
export async function linkLibraries(native: string): Promise<void> {
  const text = await readIfPresent(join(native, LIST))
  if (text === null) return
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new Error(`${join(native, LIST)} is not a list`)
  await Promise.all(list.map((entry) => makeLink(native, entry)))
}

/** `{source, target}`: paths of two files in one directory, relative to the parent of `native`. */
async function makeLink(native: string, entry: unknown): Promise<void> {
  if (typeof entry !== 'object' || entry === null) return
  if (!('source' in entry) || typeof entry.source !== 'string') return
  if (!('target' in entry) || typeof entry.target !== 'string') return
  const path = join(native, entry.target.replace(/^native\//, ''))
  if (dirname(entry.source) !== dirname(entry.target)) {
    throw new Error(`${entry.source} and ${entry.target} are not in one directory`)
  }
  if ((await statIfPresent(path)) !== null) return
  try {
    await symlink(basename(entry.source), path)
  } catch (error) {
    // Another process created it first.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
