import { createHash, type Hash } from 'node:crypto'
import { BackupError } from './backup-error.ts'
import { parseLine, type TableHeader } from './backup-header.ts'
import type { BackupReader } from './backup-reader.ts'

/** The tables of a backup. */
export interface ReadTables {
  readonly counts: Readonly<Record<string, number>>
  /** Whether the backup has checksums of rows. Older versions wrote none. */
  readonly hasChecksums: boolean
}

/**
 * Reads the tables of a backup after its header. `onTable` must read all rows of the table and returns
 * their number. Throws a BackupError if tables or rows are missing or changed, or if more bytes follow.
 */
export async function readTables(
  reader: BackupReader,
  onTable: (table: TableHeader, rows: AsyncIterable<Buffer>) => Promise<number>,
): Promise<ReadTables> {
  const counts: Record<string, number> = {}
  const found: Record<string, string> = {}
  for (;;) {
    const { rows, checksums, table, columns, days = [] } = parseLine(await reader.line())
    if (rows !== undefined) {
      requireCounts(rows, counts)
      requireChecksums(checksums ?? {}, found)
      // The checksum of the compressed file is after its last byte.
      await reader.end()
      return { counts, hasChecksums: checksums !== undefined }
    }
    if (table === undefined || columns === undefined) throw new BackupError('the backup is damaged')
    const hash = createHash('sha256')
    counts[table] = await onTable({ table, columns, days }, hashed(reader.rows(), hash))
    found[table] = hash.digest('hex')
  }
}

async function* hashed(rows: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    hash.update(chunk)
    yield chunk
  }
}

function requireChecksums(
  expected: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): void {
  const changed = Object.keys(expected).filter((table) => found[table] !== expected[table])
  if (changed.length === 0) return
  throw new BackupError(`the backup is damaged: rows of ${changed.join(', ')} have changed`)
}

function requireCounts(
  expected: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): void {
  for (const [table, rows] of Object.entries(expected)) {
    if (found[table] === rows) continue
    throw new BackupError(
      `the backup is damaged: it has ${found[table] ?? 0} of ${rows} rows of ${table}`,
    )
  }
}
