import { readFile } from 'node:fs/promises'

/** The ids of an account; empty for the account of this process. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** The ids of the account `postgres`, if this process runs as root, which PostgreSQL rejects. */
export async function postgresAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const accounts = await readFile('/etc/passwd', 'utf8')
  const [, , uid, gid] = /^postgres:.*$/m.exec(accounts)?.[0].split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
