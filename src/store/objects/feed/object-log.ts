import { LogReader } from '../../feed/log-reader.ts'
import type { Database } from '../../database/database.ts'
import type { CodecOf } from '../model/body-codec.ts'
import type { LogEntry } from '../storage/changes/object-change-row.ts'
import { readHead } from '../../changes/read-changes.ts'
import { readObjectChanges } from '../storage/changes/read-object-changes.ts'
import { entrySize } from './entry-size.ts'

/** Reads the log of all planes. Its revisions are sequences. */
export type ObjectLog = LogReader<LogEntry>

interface Options {
  readonly database: Database
  readonly codecOf: CodecOf
  readonly onError: (error: unknown) => void
}

/** Starts at the head of the log of object changes. */
export async function startObjectLog({ database, codecOf, onError }: Options): Promise<ObjectLog> {
  return new LogReader<LogEntry>(await readHead(database, 'objects'), {
    readHead: () => readHead(database, 'objects'),
    read: (after, limit) => readObjectChanges(database, { after, limit }, codecOf),
    positionOf: ({ sequence }) => sequence,
    sizeOf: entrySize,
    onError,
  })
}
