import { badImage, quote } from '../bad-image.ts'

/** The user and the group of the programs of an image. */
export interface ImageUser {
  readonly uid: number
  readonly gid: number
}

/** The texts of the files of accounts of an image. */
interface Accounts {
  readonly passwd: string
  readonly group: string
}

/** Larger numbers are negative for old programs. */
const MAX_ID = 2 ** 31 - 1

/**
 * The ids of `User` in the configuration of an image: `user` or `user:group`, each a name or a
 * number, as container engines read it. Null if it is empty. Throws for names without an account.
 */
export function resolveUser(text: string, { passwd, group }: Accounts): ImageUser | null {
  if (text === '') return null
  const [userName = '', groupName = '', ...others] = text.split(':')
  const unresolved = (problem: string) =>
    badImage(`User ${quote(text)} of its configuration ${problem}`)
  if (userName === '' || others.length > 0) throw unresolved('is not "user" or "user:group"')
  const account = findAccount(passwd, userName)
  const uid = account?.id ?? numberOf(userName)
  if (uid === null) {
    throw unresolved('has no account in /etc/passwd of the image: add it, or use a number')
  }
  if (groupName === '') return { uid, gid: account?.gid ?? 0 }
  const gid = findAccount(group, groupName)?.id ?? numberOf(groupName)
  if (gid !== null) return { uid, gid }
  throw unresolved('has a group that is not in /etc/group of the image: add it, or use a number')
}

/** Whether a file of accounts has an entry with this id. */
export function hasAccount(accounts: string, id: number): boolean {
  return entriesOf(accounts).some((entry) => entry.id === id)
}

function findAccount(accounts: string, wanted: string) {
  const entries = entriesOf(accounts)
  const id = numberOf(wanted)
  return entries.find(({ name }) => name === wanted) ?? entries.find((entry) => entry.id === id)
}

/** The entries of `/etc/passwd` or `/etc/group`. Only users have a `gid`. */
function entriesOf(accounts: string) {
  return accounts.split('\n').flatMap((line) => {
    const [name = '', , id = '', gid = ''] = line.split(':')
    const number = numberOf(id)
    return name === '' || number === null ? [] : [{ name, id: number, gid: numberOf(gid) }]
  })
}

function numberOf(text: string): number | null {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  return number <= MAX_ID ? number : null
}
