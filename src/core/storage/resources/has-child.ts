import type { Database } from '../database/database.ts'

const HAS_CHILD = { name: 'has_child', text: 'select has_child($1::text) as found' }

/** Whether a resource has a child of any kind, being deleted or not. */
export async function hasChild(database: Database, id: string): Promise<boolean> {
  const rows = await database.execute<{ found: boolean }>(HAS_CHILD, [id])
  return rows[0]?.found === true
}
