import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'

const MAX_ACCOUNTS = 1024 * 1024

/** A file of accounts in the root file system of an image, which contains no link there. */
export async function readAccounts(root: string, file: 'passwd' | 'group'): Promise<string> {
  await using handle = await open(
    path.join(root, 'etc', file),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  )
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_ACCOUNTS), 0, MAX_ACCOUNTS, 0)
  return buffer.toString('utf8', 0, bytesRead)
}
