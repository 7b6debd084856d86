import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Account } from './account.ts'

/** Whether the account may enter a directory (or execute a file) and all directories above it. */
export async function canEnter(account: Account, path: string): Promise<boolean> {
  if (!permits(account, await stat(path), 1)) return false
  const parent = dirname(path)
  return parent === path || canEnter(account, parent)
}

/** Whether the account may read a file and enter the directories above it. */
export async function canRead(account: Account, path: string): Promise<boolean> {
  return permits(account, await stat(path), 4) && canEnter(account, dirname(path))
}

/** Decides like the kernel for a process without supplementary groups; ignores access control lists. */
function permits(account: Account, { uid, gid, mode }: Stats, bit: 1 | 4): boolean {
  if (uid === account.uid) return (mode & (bit << 6)) !== 0
  if (gid === account.gid) return (mode & (bit << 3)) !== 0
  return (mode & bit) !== 0
}
