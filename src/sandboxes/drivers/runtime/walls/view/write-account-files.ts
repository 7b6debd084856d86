import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readAccounts } from '../../../images/users/read-accounts.ts'
import { hasAccount } from '../../../images/users/resolve-user.ts'
import type { SandboxUser } from '../../hosted-drivers.ts'
import type { SandboxNetwork } from '../../network/sandbox-networks.ts'
import { makePassage } from '../../instances/prepare-files.ts'
import { WORKSPACE } from './places.ts'

const NOBODY = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n'
const NOGROUP = 'nogroup:x:65534:\n'

interface Account {
  /** The network that the sandbox joins, whose runtime writes the files of names; null for none. */
  readonly network: SandboxNetwork | null
  /** Null if the runtime's own user runs the sandbox. */
  readonly user: SandboxUser | null
  /** The ids of its programs inside. */
  readonly inside: SandboxUser
  readonly hostName: string
  /** The root file system of an image, whose accounts stay; null if there is none. */
  readonly image: string | null
}

/** The ids of a sandbox's processes. */
export function accountOf(user: SandboxUser | null): SandboxUser {
  return user ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
}

/**
 * Writes the files of accounts and names that a sandbox sees instead of the machine's, and returns
 * them by their paths in the sandbox.
 */
export async function writeAccountFiles(
  runDirectory: string,
  { user, inside: { uid, gid }, hostName, image, network }: Account,
): Promise<Map<string, string>> {
  const users = image === null ? NOBODY : await readAccounts(image, 'passwd')
  const groups = image === null ? NOGROUP : await readAccounts(image, 'group')
  const contents: Readonly<Record<string, string>> = {
    '/etc/passwd': hasAccount(users, uid)
      ? users
      : `sandbox:x:${uid}:${gid}:sandbox:${WORKSPACE}:/bin/sh\n${users}`,
    '/etc/group': hasAccount(groups, gid) ? groups : `sandbox:x:${gid}:\n${groups}`,
    '/etc/hostname': `${hostName}\n`,
    '/etc/hosts': `127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.1.1 ${hostName}\n`,
    '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
    '/etc/resolv.conf': '',
  }
  const directory = path.join(runDirectory, 'etc')
  await mkdir(directory, { recursive: true })
  await makePassage(directory, user)
  const files = new Map<string, string>()
  for (const [inside, text] of Object.entries(contents)) {
    const file = path.join(directory, path.basename(inside))
    await writeFile(file, text, { mode: 0o644 })
    files.set(inside, file)
  }
  if (network !== null) {
    files.set('/etc/hosts', network.files.hosts)
    files.set('/etc/resolv.conf', network.files.resolv)
  }
  return files
}
