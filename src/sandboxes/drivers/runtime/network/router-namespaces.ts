import { type FileHandle, open } from 'node:fs/promises'
import { isAlive, type ProcessIdentity } from '../machine/process-identity.ts'

/** The processes of a router. */
export interface RouterProcesses {
  readonly supervisor: ProcessIdentity
  /** The first process of its namespaces. */
  readonly holder: ProcessIdentity
  /** Starts slirp4netns again if it ends. Null without an uplink, absent in earlier versions. */
  readonly uplink?: ProcessIdentity | null
}

/** The namespaces of a router. Open files keep them if its processes are killed. */
export interface RouterNamespaces {
  readonly net: FileHandle
  readonly mnt: FileHandle
  readonly user: FileHandle
}

/** Opens the namespaces of a router; null if all its processes have ended. */
export async function openNamespaces({
  holder,
  supervisor,
}: RouterProcesses): Promise<RouterNamespaces | null> {
  if (await isAlive(holder)) {
    const directory = `/proc/${holder.pid}/ns`
    return openAll([`${directory}/net`, `${directory}/mnt`, `${directory}/user`])
  }
  if (!(await isAlive(supervisor))) return null
  const directory = `/proc/${supervisor.pid}/fd`
  return openAll([`${directory}/7`, `${directory}/8`, `${directory}/9`])
}

/** The prefix of a command that runs in the namespaces. `nsenter` is the path of the program. */
export function enterNamespaces(
  nsenter: string,
  { net, mnt, user }: RouterNamespaces,
  isRoot: boolean,
): readonly string[] {
  const file = ({ fd }: FileHandle): string => `/proc/${process.pid}/fd/${fd}`
  const account = isRoot ? [] : [`--user=${file(user)}`, '--preserve-credentials']
  return [nsenter, ...account, `--net=${file(net)}`, `--mount=${file(mnt)}`]
}

export async function closeNamespaces(namespaces: RouterNamespaces): Promise<void> {
  for (const file of Object.values(namespaces)) await file.close()
}

/** Null if a process has ended meanwhile. */
async function openAll(files: readonly [string, string, string]): Promise<RouterNamespaces | null> {
  const opened: FileHandle[] = []
  try {
    for (const file of files) opened.push(await open(file, 'r'))
  } catch {
    for (const file of opened) await file.close()
    return null
  }
  const [net, mnt, user] = opened
  return net && mnt && user ? { net, mnt, user } : null
}
