import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, link, mkdir, open, rm, symlink } from 'node:fs/promises'
import { errorCode } from 'flotilla'
import { badImage, quote } from './bad-image.ts'
import { type ImageEntry, noContent } from './image-entry.ts'
import type { ImageLimits } from './image-limits.ts'
import { namesOf } from './path-names.ts'
import {
  childAt,
  type DirectoryNode,
  type FileNode,
  newDirectory,
  type Place,
  type TreeNode,
  Walk,
} from './tree-node.ts'

const WHITEOUT = '.wh.'
const OPAQUE = '.wh..wh..opq'
const DIRECTORY_MODE = 0o755
const FILE_MODE = { true: 0o755, false: 0o644 } as const
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Writes the root file system of an image into an empty directory, layer by layer. A tree in memory
 * mirrors the directory, and all paths are resolved in the tree: the file system never follows a link
 * of the image, so nothing leads out of the directory. Modes keep only the right to execute, because
 * every sandbox reads the files and none changes them.
 */
export class ImageTree {
  readonly root: DirectoryNode
  /** Devices, pipes and sockets that were left out. */
  omitted = 0
  /** Bytes of all written files, also of those that a later layer has removed. */
  bytes = 0
  readonly #directory: Buffer
  readonly #limits: ImageLimits
  #layer = 0
  #entries = 0

  constructor(directory: string, limits: ImageLimits) {
    this.#directory = Buffer.from(directory)
    this.#limits = limits
    this.root = newDirectory(0)
  }

  /** Applies a layer. `hasWhiteouts`: names that begin with `.wh.` remove files of lower layers. */
  async apply(entries: AsyncIterable<ImageEntry>, hasWhiteouts: boolean): Promise<void> {
    this.#layer += 1
    for await (const entry of entries) {
      this.#entries += 1
      if (this.#entries > this.#limits.entries) {
        throw badImage(`it has more than ${this.#limits.entries} entries`)
      }
      try {
        await this.#add(entry, hasWhiteouts)
      } catch (error) {
        const code = errorCode(error)
        if (code !== 'ENAMETOOLONG' && code !== 'ELOOP') throw error
        throw badImage(`${quote(entry.path)} cannot be written: ${code}`, error)
      }
    }
  }

  /** Makes sure that a directory exists that no link leads to. */
  async ensureDirectory(path: string): Promise<void> {
    let place: Place = { node: this.root, path: '' }
    for (const name of namesOf(path)) {
      const node = place.node.children.get(name)
      if (node !== undefined && node.kind !== 'directory') {
        throw badImage(`${quote(childAt(place, name))} is a ${node.kind}, not a directory`)
      }
      place = await this.#directoryIn(place, name)
    }
  }

  /** Makes sure that a file exists on which another can be mounted. A link is replaced. */
  async ensureFile(path: string): Promise<void> {
    const names = namesOf(path)
    const parent = await this.#resolve(names.slice(0, -1))
    const name = names.at(-1) ?? ''
    const node = parent.node.children.get(name)
    if (node?.kind === 'file') return
    if (node?.kind === 'directory') throw badImage(`${quote(path)} is a directory, not a file`)
    await this.#writeFile(parent, name, {
      type: 'file',
      path,
      target: '',
      isExecutable: false,
      modified: 0,
      content: noContent(),
    })
  }

  /** The node at a path, through links; null if there is none. */
  find(path: string): TreeNode | null {
    return this.#lookUp(namesOf(path))?.node ?? null
  }

  async #add(entry: ImageEntry, hasWhiteouts: boolean): Promise<void> {
    const names = namesOf(entry.path)
    const name = names.pop()
    // The root itself.
    if (name === undefined) return
    if (entry.type === 'omitted') {
      this.omitted += 1
      return
    }
    if (hasWhiteouts && name.startsWith(WHITEOUT)) return this.#removeLower(names, name)
    const parent = await this.#resolve(names)
    switch (entry.type) {
      case 'directory':
        await this.#replaceUnlessDirectory(parent, name)
        await this.#directoryIn(parent, name)
        return
      case 'file':
        return this.#writeFile(parent, name, entry)
      case 'link':
        return this.#writeLink(parent, name, entry.target)
      case 'hard link':
        return this.#writeHardLink(parent, name, entry)
    }
  }

  async #writeFile(parent: Place, name: string, entry: ImageEntry): Promise<void> {
    await this.#remove(parent, name)
    const path = childAt(parent, name)
    const hash = createHash('sha256')
    let size = 0
    await using handle = await open(this.#onDisk(path), NEW_FILE, 0o600)
    for await (const chunk of entry.content) {
      size += chunk.length
      this.bytes += chunk.length
      if (this.bytes > this.#limits.bytes) {
        throw badImage(`it has more than ${this.#limits.bytes} bytes`)
      }
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    const { isExecutable, modified } = entry
    await handle.chmod(FILE_MODE[`${isExecutable}`])
    await handle.utimes(modified, modified)
    const digest = hash.digest('hex')
    this.#set(parent, name, { kind: 'file', layer: this.#layer, isExecutable, size, digest })
  }

  async #writeLink(parent: Place, name: string, target: string): Promise<void> {
    if (target === '' || target.includes('\0')) {
      throw badImage(`the link ${quote(childAt(parent, name))} has no valid target`)
    }
    await this.#remove(parent, name)
    await symlink(Buffer.from(target, 'latin1'), this.#onDisk(childAt(parent, name)))
    this.#set(parent, name, { kind: 'link', layer: this.#layer, target })
  }

  async #writeHardLink(parent: Place, name: string, entry: ImageEntry): Promise<void> {
    const names = namesOf(entry.target)
    const last = names.pop() ?? ''
    const source = this.#lookUp(names)
    const node = source?.node.kind === 'directory' ? source.node.children.get(last) : undefined
    if (source === null || node === undefined || node.kind === 'directory') {
      throw badImage(
        `the hard link ${quote(entry.path)} has no file ${quote(entry.target)} before it`,
      )
    }
    const from = source.path === '' ? last : `${source.path}/${last}`
    if (from === childAt(parent, name)) return
    if (node.kind === 'link') return this.#writeLink(parent, name, node.target)
    await this.#remove(parent, name)
    await link(this.#onDisk(from), this.#onDisk(childAt(parent, name)))
    const copy: FileNode = { ...node, layer: this.#layer }
    this.#set(parent, name, copy)
  }

  /** A whiteout removes what lower layers have put at a path, or into a directory. */
  async #removeLower(names: readonly string[], whiteout: string): Promise<void> {
    const found = this.#lookUp(names)
    if (found === null || found.node.kind !== 'directory') return
    const parent = { node: found.node, path: found.path }
    if (whiteout === OPAQUE) return this.#prune(parent)
    const [name, ...others] = namesOf(whiteout.slice(WHITEOUT.length))
    if (name === undefined || others.length > 0) {
      throw badImage(`the whiteout ${quote([...names, whiteout].join('/'))} names no file`)
    }
    await this.#pruneAt(parent, name)
  }

  async #prune(place: Place): Promise<void> {
    for (const name of place.node.children.keys()) await this.#pruneAt(place, name)
  }

  async #pruneAt(parent: Place, name: string): Promise<void> {
    const node = parent.node.children.get(name)
    if (node === undefined) return
    if (node.layer < this.#layer) await this.#remove(parent, name)
    else if (node.kind === 'directory') await this.#prune({ node, path: childAt(parent, name) })
  }

  async #replaceUnlessDirectory(parent: Place, name: string): Promise<void> {
    if (parent.node.children.get(name)?.kind !== 'directory') await this.#remove(parent, name)
  }

  async #remove(parent: Place, name: string): Promise<void> {
    if (!parent.node.children.delete(name)) return
    await rm(this.#onDisk(childAt(parent, name)), { recursive: true })
  }

  /** The directory with this name, which is created if nothing has the name. */
  async #directoryIn(parent: Place, name: string): Promise<Place> {
    const path = childAt(parent, name)
    const existing = parent.node.children.get(name)
    if (existing?.kind === 'directory') {
      existing.layer = this.#layer
      return { node: existing, path }
    }
    const file = this.#onDisk(path)
    await mkdir(file, { mode: DIRECTORY_MODE })
    await chmod(file, DIRECTORY_MODE)
    const node = newDirectory(this.#layer)
    this.#set(parent, name, node)
    return { node, path }
  }

  /** The directory at a path, through links of the image. Missing directories are created. */
  async #resolve(names: readonly string[]): Promise<Place> {
    const walk = new Walk(this.root, names)
    for (let name = walk.next(); name !== null; name = walk.next()) {
      const { place } = walk
      const node = place.node.children.get(name)
      if (node?.kind === 'link') walk.follow(node.target)
      else if (node?.kind === 'file') {
        throw badImage(`${quote(childAt(place, name))} is a file, not a directory`)
      } else walk.enter(await this.#directoryIn(place, name))
    }
    return walk.place
  }

  #lookUp(names: readonly string[]): { readonly node: TreeNode; readonly path: string } | null {
    const walk = new Walk(this.root, names)
    for (let name = walk.next(); name !== null; name = walk.next()) {
      const node = walk.place.node.children.get(name)
      const path = childAt(walk.place, name)
      if (node === undefined) return null
      if (node.kind === 'link') walk.follow(node.target)
      else if (node.kind === 'directory') walk.enter({ node, path })
      else return walk.next() === null ? { node, path } : null
    }
    return walk.place
  }

  #set(parent: Place, name: string, node: TreeNode): void {
    parent.node.children.set(name, node)
    parent.node.layer = this.#layer
  }

  #onDisk(path: string): Buffer {
    return Buffer.concat([this.#directory, Buffer.from(`/${path}`, 'latin1')])
  }
}
