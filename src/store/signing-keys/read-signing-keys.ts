import type { Database } from '../database/database.ts'

/** A stored key that signs tokens. */
export interface StoredSigningKey {
  readonly id: string
  /** As stored, possibly encrypted. */
  readonly privateKey: string
  readonly createdTime: Date
}

/** Reads all keys, the newest first. */
export async function readSigningKeys(database: Database): Promise<readonly StoredSigningKey[]> {
  return database.withPrisma('read_signing_keys', (prisma) =>
    prisma.signingKey.findMany({ orderBy: [{ createdTime: 'desc' }, { id: 'asc' }] }),
  )
}
