import { randomBytes } from 'node:crypto'
import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { must } from 'flotilla'
import { processStart } from 'flotilla/programs'
import type { ImageUsers } from '../protocol/image-users.ts'
import { startTool } from '../archives/start-tool.ts'
import { writeDurably } from '../protocol/write-durably.ts'
import type { ImageLimits } from './image-limits.ts'
import {
  contentDirectory,
  DESCRIPTION,
  type Description,
  findImage,
  type ImageDirectories,
  nameFile,
  type NamedImage,
} from './image-store.ts'
import { type ImportedImage, importImage } from './import-image.ts'
import { withLockedImages } from './lock-images.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

/** As names in registries, such as `python:3.12` or `registry.example/team/app@v1`. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/
/** The name is a file name. */
const MAX_LENGTH = 200

/** Checks the name of an image, which is a value of `image`. */
function checkImageName(name: string): string {
  if (NAME.test(name) && encodeURIComponent(name).length <= MAX_LENGTH) return name
  throw new SandboxDriverError(
    'INVALID_ARGUMENT',
    `'${name}' is no name of an image: use letters, digits and . _ : / @ + -, at most ${MAX_LENGTH} bytes, such as python:3.12`,
  )
}

interface Addition extends ImageUsers {
  readonly name: string
  /** A directory or an archive. */
  readonly source: string
  readonly added: Date
  readonly limits: ImageLimits
  readonly signal: AbortSignal
}

export interface AddedImage extends NamedImage, Pick<ImportedImage, 'omitted'> {}

/** The file in a staging directory that names its process. */
export const OWNER = 'owner'

/**
 * Registers an image under a name, which may have another image until then. The name appears when
 * all files are on disk. A killed process leaves only staging files, or content without a name, and
 * the runtime removes both.
 */
export async function addImage(
  directories: ImageDirectories,
  { name, source, added, limits, signal, tenant, namespace }: Addition,
): Promise<AddedImage> {
  checkImageName(name)
  const staging = await openStaging(directories)
  try {
    const result = path.join(staging, 'image')
    await mkdir(result, { mode: 0o755 })
    // The mask of the process may be stricter.
    await chmod(result, 0o755)
    const imported = await importImage(path.resolve(source), { staging: result, limits, signal })
    const { digest, size, config, omitted, lacksPrograms } = imported
    await rm(path.join(result, 'archive'), { force: true })
    const lacking = lacksPrograms ? { lacksPrograms } : {}
    const description: Description = { digest, size, config, ...lacking }
    await writeDurably(path.join(result, DESCRIPTION), JSON.stringify(description))
    await startTool('sync', ['--file-system', '.'], { cwd: result, account: null, signal }).exited
    const named = { name, digest, size, added: added.toISOString(), tenant, namespace }
    await withLockedImages(directories, async () => {
      if ((await findImage(directories, digest)) === null) {
        await rename(result, contentDirectory(directories.content, digest))
      }
      await writeDurably(nameFile(directories.names, name), JSON.stringify(named))
    })
    return { ...named, omitted }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function openStaging({ staging }: ImageDirectories): Promise<string> {
  const directory = path.join(staging, `${process.pid}-${randomBytes(6).toString('hex')}`)
  const start = must(await processStart(process.pid), 'the start time of this process')
  await mkdir(directory, { mode: 0o711 })
  await writeDurably(path.join(directory, OWNER), start)
  return directory
}
