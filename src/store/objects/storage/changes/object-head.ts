import { must } from '../../../../lib/assert.ts'
import type { Head } from '../../../changes/read-changes.ts'
import { type SeenPosition, seenValues } from '../../../changes/seen-position.ts'
import type { Database } from '../../../database/database.ts'

const READ_OBJECT_HEAD = {
  name: 'read_object_head',
  text: 'select epoch, sequence as revision, compacted from object_head',
}

const RENEW_OBJECT_EPOCH = {
  name: 'renew_object_epoch',
  text: `select renew_object_epoch($1::text, $2::bigint)`,
}

/** Reads the bounds of the log; its revisions are sequences. */
export async function readObjectHead(database: Database): Promise<Head> {
  const [head] = await database.execute<Head>(READ_OBJECT_HEAD, [])
  return must(head, 'the head of the log of objects')
}

/**
 * Begins a new epoch on the conditions of `renewEpoch`. Waits for running writes, whose revisions
 * belong to the earlier epoch.
 */
export async function renewObjectEpoch(
  database: Database,
  seen: SeenPosition | null,
): Promise<void> {
  await database.execute(RENEW_OBJECT_EPOCH, seenValues(database, seen))
}
