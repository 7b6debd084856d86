import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { readIfPresent } from '../lib/files/read-if-present.ts'
import { writePrivateFile } from '../lib/files/write-private-file.ts'

/** The password of the server, generated before its cluster. */
export async function readPassword(dataDir: string, clusterExists: boolean): Promise<string> {
  const path = join(dataDir, 'password')
  const kept = (await readIfPresent(path))?.trim() ?? ''
  if (kept !== '') return kept
  if (clusterExists) {
    throw new EmbeddedPostgresError(
      `${path}, the password of the PostgreSQL in this directory, is missing: restore it, or set ` +
        'DATA_DIR to another directory',
    )
  }
  const password = randomBytes(24).toString('base64url')
  await writePrivateFile(path, `${password}\n`)
  return password
}
