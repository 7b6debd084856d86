import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { errorCode } from '../lib/error-code.ts'

/** The file status of a path, without following links; `null` if it does not exist. */
export async function statIfPresent(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
