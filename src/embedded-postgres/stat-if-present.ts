import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { errorCode } from '../lib/error-code.ts'

/** What a path names, links not followed; `null` where there is nothing. */
export async function statIfPresent(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
