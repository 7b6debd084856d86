import { rmSync } from 'node:fs'
import { mkdtemp, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Account } from './account.ts'
import { canEnter } from './can-enter.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { errorCode } from '../lib/error-code.ts'
import { giveToAccount } from './give-to-account.ts'

const PREFIX = 'flotilla-'
const RANDOM_LENGTH = 6
const SOCKET = '.s.PGSQL.5432'
/** The longest path of a socket on macOS, which has the strictest limit. */
const MAX_PATH_BYTES = 103

/** A private directory with a path short enough for the server's socket. */
export async function createSocketDirectory(account: Account | null): Promise<string> {
  for (const parent of [tmpdir(), '/tmp']) {
    if (!(await isFit(parent, account))) continue
    const directory = await mkdtemp(join(parent, PREFIX))
    await giveToAccount(account, directory)
    return directory
  }
  throw new EmbeddedPostgresError(
    `neither ${tmpdir()} nor /tmp can hold a socket: set TMPDIR to a short path that ` +
      `${account === null ? 'this user' : `the account '${account.name}'`} can enter`,
  )
}

/** Removes the directory of a server that has ended; ignores any other directory. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  if (!basename(directory).startsWith(PREFIX)) return
  try {
    await rm(join(directory, SOCKET), { force: true })
    await rm(join(directory, `${SOCKET}.lock`), { force: true })
    await rmdir(directory)
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error
  }
}

/** The same for an ending process. Ignores errors, because the next start removes it too. */
export function removeSocketDirectorySync(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch {
    // The next start finds the directory's name in `postmaster.pid`.
  }
}

/** Quotes a path, because PostgreSQL reads the setting as a list. */
async function isFit(parent: string, account: Account | null): Promise<boolean> {
  const path = join(parent, PREFIX + 'x'.repeat(RANDOM_LENGTH), SOCKET)
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || /[,"\s]/.test(path)) return false
  try {
    return account === null ? (await stat(parent)).isDirectory() : await canEnter(account, parent)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
