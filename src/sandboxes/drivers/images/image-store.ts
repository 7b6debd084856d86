import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { readIfPresent } from 'flotilla/programs'
import type { ImageUsers } from '../protocol/image-users.ts'
import type { ImageConfig } from './image-config.ts'

/** A name that an image was registered with. */
export interface NamedImage extends ImageUsers {
  readonly name: string
  readonly digest: string
  /** Bytes of all files. */
  readonly size: number
  /** In RFC 3339. */
  readonly added: string
}

/** An image on this machine. Its files never change. */
export interface StoredImage {
  readonly digest: string
  /** Bytes of all files. */
  readonly size: number
  readonly config: ImageConfig
  /** Absent if it has the programs that start and check a workload. */
  readonly lacksPrograms?: true
  /** The root file system. */
  readonly rootDirectory: string
}

/** The directories of the images of a runtime. */
export interface ImageDirectories {
  /** The directory of the others, which processes claim before they change names. */
  readonly parent: string
  /** A file for each name. It is written last, and removed first. */
  readonly names: string
  /** A directory for each digest. */
  readonly content: string
  /** Unfinished work, in directories named after its process. */
  readonly staging: string
}

/** The file of an image in `content`. */
export type Description = Omit<StoredImage, 'rootDirectory'>

export const DESCRIPTION = 'image.json'
const SUFFIX = '.json'
const PRIVATE = 0o700
const PASSABLE = 0o711

/** Creates the directories that are missing. Only the runtime's user may list them. */
export async function imageDirectories(imagesDirectory: string): Promise<ImageDirectories> {
  const within = (name: string): string => path.join(imagesDirectory, name)
  const directories = {
    parent: imagesDirectory,
    names: within('names'),
    content: within('content'),
    staging: within('staging'),
  }
  await mkdir(directories.names, { recursive: true, mode: PRIVATE })
  await mkdir(directories.staging, { recursive: true, mode: PRIVATE })
  await mkdir(directories.content, { recursive: true, mode: PASSABLE })
  return directories
}

/** The registered names, in order. */
export async function listImages({ names }: ImageDirectories): Promise<readonly NamedImage[]> {
  const files = (await readdir(names)).filter((file) => file.endsWith(SUFFIX)).toSorted()
  const texts = await Promise.all(files.map((file) => readIfPresent(path.join(names, file))))
  return texts.filter((text) => text !== null).map(parseNamed)
}

/** The image with a digest; null if this machine does not have it. */
export async function findImage(
  { content }: ImageDirectories,
  digest: string,
): Promise<StoredImage | null> {
  const directory = contentDirectory(content, digest)
  const text = await readIfPresent(path.join(directory, DESCRIPTION))
  if (text === null) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `addImage` writes the file
  const description = JSON.parse(text) as Description
  return { ...description, rootDirectory: path.join(directory, 'rootfs') }
}

/** The digests of the images on this machine. */
export async function listContent({ content }: ImageDirectories): Promise<readonly string[]> {
  return (await readdir(content)).map((hex) => `sha256:${hex}`)
}

export function contentDirectory(content: string, digest: string): string {
  return path.join(content, path.basename(digest.replace(/^sha256:/, '')))
}

/** The file of a name. */
export function nameFile(names: string, name: string): string {
  return path.join(names, `${encodeURIComponent(name)}${SUFFIX}`)
}

/** Reads the image of a name; null if there is none. */
export async function readNamed(names: string, name: string): Promise<NamedImage | null> {
  const text = await readIfPresent(nameFile(names, name))
  return text === null ? null : parseNamed(text)
}

/** Files of earlier versions say nothing about users. */
function parseNamed(text: string): NamedImage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `addImage` writes the files
  return { tenant: '', namespace: '', ...(JSON.parse(text) as Omit<NamedImage, keyof ImageUsers>) }
}
