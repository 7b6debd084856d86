import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { badImage } from './bad-image.ts'
import { archiveBlobs, type Blobs, chunksOf, directoryBlobs } from './blobs.ts'
import { type ByteBudget, decompress, isCompressed } from './decompress.ts'
import { verified } from './digests.ts'
import { directoryEntries } from './directory-entries.ts'
import { configuredUser, type ImageConfig, imageConfig, NO_CONFIG } from './image-config.ts'
import { type ImageContent, imageContent } from './image-digest.ts'
import type { ImageLimits } from './image-limits.ts'
import { ImageTree } from './image-tree.ts'
import { type LayeredImage, readLayout, readSavedImage } from './layered-image.ts'
import { prepareRoot } from './prepare-root.ts'
import type { TreeNode } from './tree-node.ts'
import { readAccounts } from './users/read-accounts.ts'
import { resolveUser } from './users/resolve-user.ts'
import { tarEntries } from './tar-entries.ts'

interface ImportOptions {
  /** An existing directory on the file system of the result. The caller removes it. */
  readonly staging: string
  readonly limits: ImageLimits
  readonly signal: AbortSignal
}

export interface ImportedImage extends ImageContent {
  readonly config: ImageConfig
  /** Devices, pipes and sockets that were left out. */
  readonly omitted: number
  /** Whether it lacks a program that sandboxes need, so that they get those of the machine. */
  readonly lacksPrograms: boolean
}

interface Import extends ImportOptions {
  readonly tree: ImageTree
  /** Decompressed bytes, with the headers of archives. */
  readonly budget: ByteBudget
}

/** The programs that start the workload of a sandbox and run others beside it. */
const PROGRAMS_OF_SANDBOXES = ['bin/cat', 'bin/mkdir', 'bin/sh', 'usr/bin/env']
/** Headers and padding of an entry in an archive. */
const ENTRY_BYTES = 2048

/**
 * Writes the root file system of an image to `staging/rootfs`. The source is a directory, an OCI
 * image layout, or an archive of one, of `docker save`, or of a root file system.
 */
export async function importImage(source: string, options: ImportOptions): Promise<ImportedImage> {
  const { staging, limits } = options
  const root = path.join(staging, 'rootfs')
  await mkdir(root, { mode: 0o755 })
  const tree = new ImageTree(root, limits)
  const budget = { left: limits.bytes + limits.entries * ENTRY_BYTES }
  const configured = await importSource(source, { ...options, tree, budget })
  const lacksPrograms = PROGRAMS_OF_SANDBOXES.some((file) => !isProgram(tree.find(file)))
  await prepareRoot(tree, configured)
  const config = await withUser(configured, root)
  const content = imageContent(tree.root, config)
  return { ...content, config, omitted: tree.omitted, lacksPrograms }
}

function isProgram(node: TreeNode | null): boolean {
  return node?.kind === 'file' && node.isExecutable
}

/** A configuration whose user is not resolved. */
interface Configured extends ImageConfig {
  readonly userName?: string
}

/** Resolves the user when the files of accounts exist. */
async function withUser(
  { userName = '', ...config }: Configured,
  root: string,
): Promise<ImageConfig> {
  const [passwd, group] = await Promise.all([
    readAccounts(root, 'passwd'),
    readAccounts(root, 'group'),
  ])
  const user = resolveUser(userName, { passwd, group })
  return user === null ? config : { ...config, user }
}

async function importSource(source: string, parts: Import): Promise<Configured> {
  const found = await stat(source)
  if (found.isDirectory()) {
    const blobs = directoryBlobs(source)
    if (await blobs.has('oci-layout')) return importLayers(blobs, readLayout, parts)
    await parts.tree.apply(directoryEntries(source), false)
    return NO_CONFIG
  }
  if (!found.isFile()) throw badImage(`${source} is neither a directory nor a file`)
  const archive = await withoutCompression(source, parts)
  const blobs = await archiveBlobs(archive, parts.limits)
  if ((await blobs.has('oci-layout')) && (await blobs.has('index.json'))) {
    return importLayers(blobs, readLayout, parts)
  }
  if (await blobs.has('manifest.json')) return importLayers(blobs, readSavedImage, parts)
  await parts.tree.apply(tarEntries(chunksOf(createReadStream(archive))), false)
  return NO_CONFIG
}

/** The archive itself, or a copy without its compression. */
async function withoutCompression(source: string, parts: Import): Promise<string> {
  const { staging, budget, signal } = parts
  await using handle = await open(source)
  const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0)
  if (!isCompressed(buffer)) return source
  const copy = path.join(staging, 'archive')
  const content = decompress(chunksOf(createReadStream(source)), budget, signal)
  await pipeline(Readable.from(content), createWriteStream(copy, { mode: 0o600 }))
  return copy
}

async function importLayers(
  blobs: Blobs,
  read: (blobs: Blobs, limits: ImageLimits) => Promise<LayeredImage>,
  { tree, limits, budget, signal }: Import,
): Promise<Configured> {
  const { layers, config } = await read(blobs, limits)
  for (const { file, digest, diffId } of layers) {
    if (digest !== null) {
      for await (const chunk of verified(blobs.read(file), digest, `layer ${digest}`)) void chunk
    }
    const archive = decompress(blobs.read(file), budget, signal)
    await tree.apply(tarEntries(verified(archive, diffId, `the content of layer ${file}`)), true)
  }
  return { ...imageConfig(config), userName: configuredUser(config) }
}
