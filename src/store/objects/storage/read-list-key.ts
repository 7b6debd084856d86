import { must } from '../../../lib/assert.ts'
import type { Database } from '../../database/database.ts'

const READ_LIST_KEY = { name: 'read_list_key', text: 'select list_key from object_head' }

/** The secret that signs the tokens of paged lists. All servers of the database share it. */
export async function readListKey(database: Database): Promise<Buffer> {
  const [head] = await database.execute<{ list_key: string }>(READ_LIST_KEY, [])
  return Buffer.from(must(head, 'the head of the log of objects').list_key)
}
