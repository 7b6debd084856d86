import { must } from '../../lib/assert.ts'
import type { Head } from '../../store/changes/read-changes.ts'
import type { Database } from '../../store/database/database.ts'

const READ_CURSOR = {
  name: 'read_webhook_cursor',
  text: `
    select webhook_cursor.epoch, webhook_cursor.revision, definitions,
      head.epoch as head_epoch, head.revision as head_revision, head.compacted
    from webhook_cursor cross join head`,
}

/** How far the log has been read for webhooks. */
export interface WebhookCursor {
  readonly epoch: string
  readonly revision: bigint
  /** The number of changes of webhooks. */
  readonly definitions: bigint
}

interface Row extends WebhookCursor {
  readonly head_epoch: string
  readonly head_revision: bigint
  readonly compacted: bigint
}

/** Reads the cursor and the bounds of the log in one snapshot. */
export async function readWebhookCursor(
  database: Database,
): Promise<{ readonly cursor: WebhookCursor; readonly head: Head }> {
  const row = must((await database.execute<Row>(READ_CURSOR, []))[0], 'the cursor of webhooks')
  const { epoch, revision, definitions, head_epoch, head_revision, compacted } = row
  return {
    cursor: { epoch, revision, definitions },
    head: { epoch: head_epoch, revision: head_revision, compacted },
  }
}
