import type { AppliedMigration } from '../database/migration-history.ts'
import { BackupError } from './backup-error.ts'

/**
 * The first line of a backup, as JSON. The file is compressed with gzip. After the header, every
 * table has a line `{"table", "columns"}`, its rows in PostgreSQL's text format for COPY, and a line
 * `\.`. The last line is `{"rows", "checksums"}` with the number of rows of each table and their SHA-256.
 */
export interface BackupHeader {
  /** The version of the format. */
  readonly flotilla_backup: 1
  /** The version of Flotilla that made the backup. */
  readonly version: string
  /** The time of the snapshot, RFC 3339. */
  readonly time: string
  readonly migrations: readonly AppliedMigration[]
  readonly sequences: readonly SequenceState[]
}

/** The state of the sequence of an identity column. */
export interface SequenceState {
  readonly table: string
  readonly column: string
  /** The last value, in decimal. */
  readonly last: string
  /** Whether the last value has been used. */
  readonly used: boolean
}

/** The line before the rows of a table. */
export interface TableHeader {
  readonly table: string
  readonly columns: readonly string[]
  /** The days of a table that is partitioned by day. Absent for others, and in older backups. */
  readonly days?: readonly string[]
}

/** The last line of a backup. */
export interface BackupFooter {
  readonly rows: Readonly<Record<string, number>>
  /** The SHA-256 of the rows of each table, in hexadecimal. Absent in older backups. */
  readonly checksums?: Readonly<Record<string, string>>
}

/** The line that ends the rows of a table. */
export const END_OF_ROWS = '\\.'

/** Reads the first line of a backup. Throws a BackupError if this build cannot read the backup. */
export function readHeader(line: string): BackupHeader {
  const header = parseLine(line)
  if (header.flotilla_backup === undefined) {
    throw new BackupError('the file is not a backup of Flotilla')
  }
  if (header.flotilla_backup !== 1) {
    throw new BackupError(
      `the backup has format ${String(header.flotilla_backup)}, and this version of Flotilla reads ` +
        'format 1: restore it with the version that made it',
    )
  }
  const { version = 'unknown', time = 'unknown', migrations = [], sequences = [] } = header
  return { flotilla_backup: 1, version, time, migrations, sequences }
}

/** Parses a line of the frame. Throws a BackupError if it is not JSON. */
export function parseLine(line: string): Partial<BackupHeader & TableHeader & BackupFooter> {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new BackupError('the file is not a backup of Flotilla, or it is damaged', {
      cause: error,
    })
  }
}
