import { constants } from 'node:fs'
import { mkdir, open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SandboxUser } from '../../hosted-drivers.ts'
import type { SandboxNetwork } from '../../network/sandbox-networks.ts'
import { makePassage } from '../../instances/prepare-files.ts'
import { WORKSPACE } from './places.ts'

const NOBODY = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n'
const NOGROUP = 'nogroup:x:65534:\n'
const MAX_ACCOUNTS = 1024 * 1024

interface Account {
  /** The network that the sandbox joins, whose runtime writes the files of names; null for none. */
  readonly network: SandboxNetwork | null
  /** Null if the runtime's own user runs the sandbox. */
  readonly user: SandboxUser | null
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
  { user, hostName, image, network }: Account,
): Promise<Map<string, string>> {
  const { uid, gid } = accountOf(user)
  const contents: Readonly<Record<string, string>> = {
    '/etc/passwd':
      `sandbox:x:${uid}:${gid}:sandbox:${WORKSPACE}:/bin/sh\n` +
      (image === null ? NOBODY : await readAccounts(image, 'etc/passwd')),
    '/etc/group': `sandbox:x:${gid}:\n${image === null ? NOGROUP : await readAccounts(image, 'etc/group')}`,
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

/** A file of accounts of an image, which contains no link there. */
async function readAccounts(image: string, file: string): Promise<string> {
  await using handle = await open(
    path.join(image, file),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  )
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_ACCOUNTS), 0, MAX_ACCOUNTS, 0)
  return buffer.toString('utf8', 0, bytesRead)
}
