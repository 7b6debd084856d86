import { createHash, type Hash } from 'node:crypto'
import type { ImageConfig } from './image-config.ts'
import type { DirectoryNode } from './tree-node.ts'

/** Identity and size of an image, independent of its format and of the machine. */
export interface ImageContent {
  /** `sha256:<hex>` of all names, kinds and contents, and of the configuration. */
  readonly digest: string
  /** Bytes of all files. */
  readonly size: number
}

/** Identifies an image: the same files and configuration have the same digest everywhere. */
export function imageContent(root: DirectoryNode, config: ImageConfig): ImageContent {
  const hash = createHash('sha256').update(`${JSON.stringify(config)}\n`)
  const size = addDirectory(hash, root, '')
  return { digest: `sha256:${hash.digest('hex')}`, size }
}

function addDirectory(hash: Hash, { children }: DirectoryNode, path: string): number {
  let total = 0
  for (const name of [...children.keys()].toSorted()) {
    const node = children.get(name)
    if (node === undefined) continue
    const inside = path === '' ? name : `${path}/${name}`
    const add = (...facts: readonly (string | number | boolean)[]): void => {
      hash.update(`${JSON.stringify([node.kind, inside, ...facts])}\n`)
    }
    if (node.kind === 'directory') {
      add()
      total += addDirectory(hash, node, inside)
    } else if (node.kind === 'link') add(node.target)
    else {
      add(node.isExecutable, node.size, node.digest)
      total += node.size
    }
  }
  return total
}
