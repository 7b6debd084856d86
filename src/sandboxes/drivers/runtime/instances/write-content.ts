import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { VolumeContent } from '../../generated/proto/snapshot_driver_pb.ts'
import type { SandboxUser } from '../hosted-drivers.ts'

interface Place {
  /** The directory of all volumes with content. */
  readonly parent: string
  readonly directory: string
}

/** Root owns directories and files, and the sandbox's group reads them. */
const GROUP = { directory: 0o750, file: 0o440, program: 0o550 } as const
/** Without a separate user, the owner must be able to remove the files. */
const OWNER = { directory: 0o700, file: 0o400, program: 0o500 } as const

/** Writes the files of a volume that the sandbox's user reads and cannot change. */
export async function writeContent(
  { parent, directory }: Place,
  { files }: VolumeContent,
  user: SandboxUser | null,
): Promise<void> {
  const modes = user === null ? OWNER : GROUP
  const give = async (file: string, mode: number): Promise<void> => {
    if (user !== null) await chown(file, 0, user.gid)
    await chmod(file, mode)
  }
  const made = new Set<string>()
  const makeDirectories = async (wanted: string): Promise<void> => {
    if (made.has(wanted)) return
    if (wanted !== parent) await makeDirectories(path.dirname(wanted))
    await mkdir(wanted, { recursive: true, mode: OWNER.directory })
    await give(wanted, modes.directory)
    made.add(wanted)
  }
  await makeDirectories(directory)
  for (const { path: name, data, executable } of files) {
    const file = path.join(directory, name)
    await makeDirectories(path.dirname(file))
    await writeFile(file, data, { mode: OWNER.file })
    await give(file, executable ? modes.program : modes.file)
  }
}
