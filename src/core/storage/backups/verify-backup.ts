import { newlinesIn } from '../../../lib/newlines-in.ts'
import { type BackupHeader, readHeader } from './backup-header.ts'
import { BackupReader } from './backup-reader.ts'
import { readTables } from './read-tables.ts'

/** A verified backup: its header and the number of its rows. */
export interface VerifiedBackup extends BackupHeader {
  readonly rows: number
}

/**
 * Reads a whole backup from its uncompressed bytes and counts its rows. Throws a BackupError if it is
 * damaged, incomplete or newer than this build.
 */
export async function verifyBackup(bytes: AsyncIterable<Buffer>): Promise<VerifiedBackup> {
  const reader = new BackupReader(bytes)
  const header = readHeader(await reader.line())
  const counts = await readTables(reader, async () => {
    let rows = 0
    for await (const chunk of reader.rows()) rows += newlinesIn(chunk)
    return rows
  })
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { ...header, rows }
}
