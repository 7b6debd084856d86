import { BackupError } from './backup-error.ts'
import { parseLine, type TableHeader } from './backup-header.ts'
import type { BackupReader } from './backup-reader.ts'

/**
 * Reads the tables of a backup after its header. `onTable` must read all rows of the table and returns
 * their number. Throws a BackupError if tables or rows are missing, or if more bytes follow.
 */
export async function readTables(
  reader: BackupReader,
  onTable: (table: TableHeader) => Promise<number>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (;;) {
    const { rows, table, columns, days = [] } = parseLine(await reader.line())
    if (rows !== undefined) {
      requireCounts(rows, counts)
      // The checksum of the compressed file is after its last byte.
      await reader.end()
      return counts
    }
    if (table === undefined || columns === undefined) throw new BackupError('the backup is damaged')
    counts[table] = await onTable({ table, columns, days })
  }
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
