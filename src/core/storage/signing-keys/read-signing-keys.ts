import type { Database } from '../database/database.ts'

/** A stored key that signs tokens. */
export interface StoredSigningKey {
  readonly id: string
  /** As stored, possibly encrypted. */
  readonly privateKey: string
  readonly createdTime: Date
}

const READ_SIGNING_KEYS = {
  name: 'read_signing_keys',
  text: `
    select id, private_key, created_time
    from signing_keys
    order by created_time desc, id`,
}

/** Reads all keys, the newest first. */
export async function readSigningKeys(database: Database): Promise<readonly StoredSigningKey[]> {
  const rows = await database.execute<Row>(READ_SIGNING_KEYS, [])
  return rows.map((row) => ({
    id: row.id,
    privateKey: row.private_key,
    createdTime: row.created_time,
  }))
}

interface Row {
  readonly id: string
  readonly private_key: string
  readonly created_time: Date
}
