import { lstat } from 'node:fs/promises'
import { errorCode } from '../error-code.ts'

/** Whether a path exists, as a file, a directory or a link. */
export async function fileExists(file: string): Promise<boolean> {
  try {
    await lstat(file)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
