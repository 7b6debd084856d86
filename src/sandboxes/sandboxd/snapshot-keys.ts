import { hkdfSync } from 'node:crypto'
import type { EncryptionKey } from 'flotilla/programs'
import type { SandboxConfig } from '../sandbox-settings.ts'

const KEY_BYTES = 32

/**
 * The keys of snapshots on the machine of a server: SANDBOX_ENCRYPTION_KEYS, then keys derived from
 * SECRETS_ENCRYPTION_KEY. The runtime never gets a key that opens the database.
 */
export function snapshotKeys({
  sandboxEncryptionKeys,
  secretsEncryptionKeys,
}: Pick<
  SandboxConfig,
  'sandboxEncryptionKeys' | 'secretsEncryptionKeys'
>): readonly EncryptionKey[] {
  return [...sandboxEncryptionKeys, ...secretsEncryptionKeys.map(derived)]
}

/** The prefix keeps the ids apart from those of SANDBOX_ENCRYPTION_KEYS. */
function derived({ id, key }: EncryptionKey): EncryptionKey {
  const bytes = hkdfSync('sha256', key, '', 'flotilla sandbox snapshots', KEY_BYTES)
  return { id: `secrets-${id}`.slice(0, 63), key: Buffer.from(bytes) }
}
