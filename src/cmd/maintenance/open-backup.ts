import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BackupError } from '../../store/backups/backup-error.ts'
import { errorMessage } from '../../lib/error-message.ts'

/**
 * Opens a backup, or standard input if the name is `-`, and returns its uncompressed bytes. Throws a
 * BackupError if it cannot be opened, or later if it cannot be read.
 */
export async function openBackup(file: string): Promise<AsyncIterable<Buffer>> {
  return unzip(file === '-' ? process.stdin : await openFile(file), file)
}

async function openFile(file: string): Promise<Readable> {
  try {
    return (await open(file)).createReadStream()
  } catch (error) {
    throw new BackupError(`the backup cannot be opened: ${errorMessage(error)}`, { cause: error })
  }
}

async function* unzip(source: Readable, file: string): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  try {
    yield* gunzip
  } catch (error) {
    throw new BackupError(`${file} cannot be read as a backup: ${errorMessage(error)}`, {
      cause: error,
    })
  }
}
