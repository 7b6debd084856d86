import { chown } from 'node:fs/promises'
import type { Account } from './account.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** Makes the server's account the owner of a file or directory. */
export async function giveToAccount(account: Account | null, path: string): Promise<void> {
  if (account === null) return
  try {
    await chown(path, account.uid, account.gid)
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and root may not hand ${path} to the account ` +
        `'${account.name}' here: run Flotilla as an ordinary user, or set DATABASE_URL`,
      { cause },
    )
  }
}
