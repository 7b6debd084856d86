import { readFile } from 'node:fs/promises'
import { errorCode } from '../error-code.ts'

/** The text of a file; `null` if it does not exist. */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
