import { readFile, stat } from 'node:fs/promises'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** The account that runs the server if this process is root: PostgreSQL refuses to run as root. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const CANDIDATES = ['postgres', 'nobody']

/**
 * The account for the server; `null` means the user of this process. Root uses the account that owns
 * the cluster, or else an existing account of the machine. No account is created.
 */
export async function chooseAccount(cluster: string | null): Promise<Account | null> {
  const owner = cluster === null ? null : await stat(cluster)
  const user = process.getuid?.()
  if (user !== 0) {
    if (owner === null || owner.uid === user) return null
    throw new EmbeddedPostgresError(
      `${cluster} belongs to the user with id ${owner.uid}, Flotilla runs as ${user}: ` +
        'run it as that user, or set DATA_DIR to another directory',
    )
  }
  if (owner !== null && owner.uid !== 0) {
    return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8'))
  for (const name of CANDIDATES) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid !== 0)
    if (account) return account
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root and this machine has no account ${CANDIDATES.join(' or ')}: ` +
      'run Flotilla as an ordinary user, or set DATABASE_URL',
  )
}

function parseAccounts(passwd: string): Account[] {
  return passwd.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':')
    return uid === '' || gid === '' ? [] : [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}
